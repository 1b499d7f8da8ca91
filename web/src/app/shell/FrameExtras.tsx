// Extras of every signed-in page outside of its layout: settings panel, release notes, update offer. The
// first page does not need them, so they are loaded after it.
import { splitOff } from '../../ui/split-off.tsx'

const Later = splitOff(async () => (await import('./Later.tsx')).Later, null, { optional: true })

export function FrameExtras() {
  return <Later />
}
