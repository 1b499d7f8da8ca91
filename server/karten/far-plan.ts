// Whether a plan's points are far from its customer: then almost always its zone or system is the wrong one,
// and a person is asked before the plan is placed there.
import { type Box, boxOfMercator, FAR_KM, kmFrom, type MercatorBox, whereaboutsOf } from '#domain/far-away.ts'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import type { Conversion, Converter } from '#domain/projection.ts'
import type { Context, Database } from '#server/database/database.ts'

const WHERE = {
  name: 'karte_wo',
  text: 'select west, sued, ost, nord, bundesland, plans from maps.plan_whereabouts($1)',
}
interface Row extends MercatorBox {
  readonly bundesland: string | null
  /** JSON: what the customer's georeferenced plans cover, for each system. */
  readonly plans: string | null
}
type PlanBox = Box & { readonly epsg: number }

const DEGREES = 4258
/**
 * For systems that are off without their grid, and for places outside it: others on a neighbouring ellipsoid,
 * some hundred metres away.
 */
const NEARLY: Readonly<Record<number, number>> = { 31467: 2397, 31468: 2398, 31469: 2399 }

function toDegrees(converter: Converter, epsg: number): Conversion | null {
  const neighbour = NEARLY[epsg]
  const rough = neighbour === undefined ? null : converter.conversion(neighbour, DEGREES)
  if (!converter.systems.has(epsg)) return rough
  const exact = converter.conversion(epsg, DEGREES)
  if (rough === null) return exact
  return (place) => {
    const found = exact(place)
    return found.every(Number.isFinite) ? found : rough(place)
  }
}

/** How many kilometres the farthest enabled point is away; null if none is far, or nothing is known. */
export async function kmFromCustomer(
  database: Database,
  worker: Context,
  converter: Converter,
  karte: number,
  { epsg, punkte }: RectifyValues,
): Promise<number | null> {
  const convert = toDegrees(converter, epsg)
  const { rows } = await database.once<Row>(worker, { ...WHERE, values: [karte] })
  const [row] = rows
  if (convert === null || row === undefined) return null
  const known = row.plans === null ? [] : (JSON.parse(row.plans) as PlanBox[])
  const boxes = known.map((plan) => boxInDegrees(converter, plan))
  const whereabouts = whereaboutsOf(around([boxOfMercator(row), ...boxes]), row.bundesland)
  if (whereabouts === null) return null
  const far = punkte
    .filter(({ enable }) => enable !== false)
    .map(({ mapx, mapy }) => kmFrom(whereabouts.box, ...convert([mapx, mapy])))
    .filter((km) => km > FAR_KM)
  return far.length === 0 ? null : Math.round(Math.max(...far))
}

/** From two corners, which is exact enough for tens of kilometres. */
function boxInDegrees(converter: Converter, { epsg, west, sued, ost, nord }: PlanBox): Box | null {
  const convert = toDegrees(converter, epsg)
  if (convert === null) return null
  const [[lonA, latA], [lonB, latB]] = [convert([west, sued]), convert([ost, nord])]
  return { west: Math.min(lonA, lonB), sued: latA, ost: Math.max(lonA, lonB), nord: latB }
}

function around(boxes: readonly (Box | null)[]): Box | null {
  const known = boxes.filter((box) => box !== null)
  if (known.length === 0) return null
  return {
    west: Math.min(...known.map(({ west }) => west)),
    sued: Math.min(...known.map(({ sued }) => sued)),
    ost: Math.max(...known.map(({ ost }) => ost)),
    nord: Math.max(...known.map(({ nord }) => nord)),
  }
}
