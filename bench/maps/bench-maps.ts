// npm run bench:maps: the figures that maps were asked to reach, beside what this machine does. `npm run bench:maps -- kacheln` measures a part.
// A part is a file <name>.measure.ts here whose measure() answers rows; it is entered below.
import { type Figure, report } from '../figures.ts'

const PARTS: Readonly<Record<string, () => Promise<{ measure: () => Promise<Figure[]> }>>> = {
  georef: () => import('./georef.measure.ts'),
  kacheln: () => import('./kacheln.measure.ts'),
}

const asked = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, part] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  figures.push(...(await (await part()).measure()))
}
report('maps', figures)
