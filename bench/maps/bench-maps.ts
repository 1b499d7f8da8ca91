// npm run bench:maps: the required figures of the maps, next to what this machine does, one after another.
// `npm run bench:maps -- kacheln bild` measures single parts. VOLL=1 adds what takes minutes, SHORT=1 only
// shows that the measurements work. Leading numbers are those of the required figures; 10 and 12 belong to
// trees and photos. A part is a file <name>.measure.ts here whose measure() returns rows, registered below.
import { type Figure, report } from '../figures.ts'

const PARTS: Readonly<Record<string, () => Promise<{ measure: () => Promise<Figure[]> }>>> = {
  georef: () => import('./georef.measure.ts'),
  gleich: () => import('./same-places.measure.ts'),
  bild: () => import('./picture.measure.ts'),
  entzerren: () => import('./rectify.measure.ts'),
  scan: () => import('./scan.measure.ts'),
  hochladen: () => import('./upload.measure.ts'),
  kacheln: () => import('./tiles.measure.ts'),
  schwenken: () => import('./pan.measure.ts'),
  systeme: () => import('./systems.measure.ts'),
  punkte: () => import('./points.measure.ts'),
  import: () => import('./import.measure.ts'),
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
report('maps', figures)
