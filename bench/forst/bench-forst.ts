// npm run bench:forst: the required figures of the forest half, next to what this machine does. `npm run
// bench:forst -- fotos` measures single parts; SHORT=1 only shows that the measurements work. A part is a
// file <name>.measure.ts here whose measure() returns rows, registered below.
import { measureParts } from '../parts.ts'

await measureParts('forst', {
  fotos: () => import('./photos.measure.ts'),
  baeume: () => import('./trees.measure.ts'),
  start: () => import('./start.measure.ts'),
  feld: () => import('./fieldwork.measure.ts'),
  bericht: () => import('./report.measure.ts'),
})
