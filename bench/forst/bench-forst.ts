// npm run bench:forst: the required figures of the forest half, next to what this machine does. `npm run
// bench:forst -- fotos` measures single parts; SHORT=1 only shows that the measurements work. A part is a
// file <name>.measure.ts here whose measure() returns rows, registered below.
import { type Figure, report } from '../figures.ts'

const PARTS: Readonly<Record<string, () => Promise<{ measure: () => Promise<Figure[]> }>>> = {
  fotos: () => import('./photos.measure.ts'),
  baeume: () => import('./trees.measure.ts'),
  start: () => import('./start.measure.ts'),
  feld: () => import('./fieldwork.measure.ts'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`)
const figures: Figure[] = []
for (const [name, part] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.error(`${name} …`)
  figures.push(...(await (await part()).measure()))
}
report('forst', figures)
