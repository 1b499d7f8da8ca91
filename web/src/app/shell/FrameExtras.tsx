// What belongs to every page of who is signed in and has no place in the flow: settings panel, news of a version, the offer of a new one. None of it is needed
// for the first page, so all of it comes after it.
import { splitOff } from '../../ui/split-off.tsx'

const Later = splitOff(async () => (await import('./Later.tsx')).Later, null, { optional: true })

export function FrameExtras() {
  return <Later />
}
