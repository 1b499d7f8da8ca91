// A new method of georeferencing: one scale without rotation, for sheets that were drawn along the grid.
import { type Change, english } from './change.ts'

const FIT = `
/** One scale and no rotation. */
function fitScale(pointSet: PointSet): Transform | null {
  const { scan, karte, anzahl } = pointSet
  const square = squareSum(scan.xs) + squareSum(scan.ys)
  const slope = (dotProduct(karte.xs, scan.xs) - dotProduct(karte.ys, scan.ys)) / square
  if (square <= 1e-20 || Math.abs(slope) <= 1e-12) return null
  const rest = 1 - 1 / anzahl
  const leftOut = () =>
    Array.from({ length: anzahl }, (_, i) => {
      const [x, y] = [scan.xs[i]!, -scan.ys[i]!]
      const free = rest - (x * x + y * y) / square
      if (free <= FREE) return null
      const [dx, dy] = [karte.xs[i]! - slope * x, karte.ys[i]! - slope * y]
      const pull = (x * dx + y * dy) / square / free
      const [east, north] = [(dx + x * pull) / rest, (dy + y * pull) / rest]
      // The scale fitted to the other points.
      const others = Math.abs(slope - (east * x + north * y) / square)
      return others <= 1e-12 ? null : (scan.frame.scale * Math.hypot(east, north)) / others
    })
  const ratio = slope * scaleRatio(pointSet)
  return affineTransform('scale', unframed(pointSet, [ratio, 0, 0, -ratio]), leftOut)
}
`
const KNOWN = "'linear', 'helmert', 'polynom1', 'polynom2', 'polynom3', 'tps', 'projektiv', 'scale'"
const checkOf = (table: string): string =>
  `alter table app.${table} drop constraint ${table}_georef_typ_check,\n` +
  `  add check (georef_typ in (${KNOWN}));\n`

export const WARP_METHOD: Change = {
  title: 'a method of georeferencing',
  edits: [
    { file: 'domain/georef/transform.ts', find: '  projektiv: 4,\n', insert: '  scale: 2,\n' },
    {
      file: 'domain/georef/transform.ts',
      find: '      return fitProjective(pointSet)\n',
      insert: "    case 'scale':\n      return fitScale(pointSet)\n",
    },
    {
      file: 'domain/georef/transform.ts',
      find: 'unframed(pointSet, [p, q, q, -p]), leftOut)\n}\n',
      insert: FIT,
    },
    {
      file: 'domain/georef/transform.test.ts',
      find: '  projektiv: tilted,\n',
      insert: '  scale: turned(0.25, 0),\n',
    },
    {
      file: 'domain/georef/gain.ts',
      find: '        [0, 1, y, x],\n      ]\n',
      insert: "    case 'scale':\n      return [\n        [1, 0, x],\n        [0, 1, y],\n      ]\n",
    },
    { file: 'domain/georef/output.ts', find: "    case 'helmert':\n", insert: "    case 'scale':\n" },
    {
      file: 'db/migrations/9999_georef_scale.sql',
      insert: `-- A method of georeferencing.\n${checkOf('kartenblatt')}${checkOf('karte_datei')}`,
    },
    {
      file: 'db/nouns/karte-file.sql',
      find: "    when 'projektiv' then 4\n",
      insert: "    when 'scale' then 2\n",
    },
    {
      file: 'web/src/karte/georef-type-names.ts',
      find: "  projektiv: t('Projektiv'),\n",
      insert: "  scale: t('Maßstab ohne Drehung'),\n",
    },
    {
      file: 'docs/karten.md',
      find: '| projektiv | 4 | 8 |\n',
      insert: '| scale | 2 | scale, shift |\n',
    },
    english({ 'Maßstab ohne Drehung': 'Scale without rotation' }),
  ],
  commands: ['npm run freeze', 'npm run texts'],
  tests: [
    'domain/georef/mesh.test.ts',
    'domain/georef/output.test.ts',
    'domain/georef/transform.test.ts',
    'server/operations/frozen.test.ts',
    'web/texts/texts.test.ts',
    'db/test/karte-file.sql.test.ts',
  ],
}
