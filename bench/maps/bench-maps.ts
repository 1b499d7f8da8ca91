// npm run bench:maps: the required figures of the maps, next to what this machine does, one after another.
// `npm run bench:maps -- kacheln bild` measures single parts. VOLL=1 adds what takes minutes, SHORT=1 only
// shows that the measurements work. Leading numbers are those of the required figures; 10 and 12 belong to
// trees and photos. A part is a file <name>.measure.ts here whose measure() returns rows, registered below.
import { measureParts } from '../parts.ts'

await measureParts('maps', {
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
})
