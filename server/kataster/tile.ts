// Makes a tile: single objects, or clusters where there are too many to draw.
import { FIRST_OBJECT_LEVEL, type KatasterFilter } from '#contract/kataster-tile.ts'
import type { Context, Database } from '#server/database/database.ts'
import { type Content, tileStatement, MOST_OBJECTS, NO_HEAPS_FROM } from './tile-sql.ts'
import { encodeLayer, type Box, boxOf, type Value, type TileFeature } from '#server/mvt.ts'

export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

interface Written {
  readonly n: number
  readonly kachel: string | null
}
interface Row {
  readonly n: number
  readonly schicht: string | null
  readonly id: number
  readonly werte: string
  readonly g: string | null
}

/**
 * The database refuses if there is no such customer, or not for this caller. One statement for most tiles,
 * two if it turns out too full.
 */
export async function makeTile(
  database: Database,
  context: Context,
  kunde: number,
  { z, x, y }: TilePlace,
  filter: KatasterFilter,
): Promise<Buffer> {
  const box = boxOf(z, x, y)
  const near = z >= FIRST_OBJECT_LEVEL
  if (near) {
    const most = z < NO_HEAPS_FROM ? MOST_OBJECTS : null
    const tile = await told(database, context, 'objekte', kunde, box, filter, most)
    if (tile !== null) return tile
  }
  return (
    (await told(database, context, near ? 'haufen_nah' : 'haufen', kunde, box, filter)) ?? Buffer.alloc(0)
  )
}

/** Null: more than `most`. */
async function told(
  database: Database,
  context: Context,
  content: Content,
  kunde: number,
  box: Box,
  filter: KatasterFilter,
  most: number | null = null,
): Promise<Buffer | null> {
  const statement = tileStatement(database.engine, content, kunde, box, filter, most)
  if (database.engine === 'postgres') {
    const [row] = (await database.once<Written>(context, statement)).rows
    return row === undefined || row.kachel === null ? null : Buffer.from(row.kachel.slice(2), 'hex')
  }
  const { rows } = await database.once<Row>(context, statement)
  if (rows.length === 1 && rows[0]!.schicht === null && rows[0]!.n > 0) return null
  return encodeRows(rows, box)
}

function encodeRows(rows: readonly Row[], box: Box): Buffer {
  const layers = new Map<string, TileFeature[]>()
  for (const { schicht, id, werte, g } of rows) {
    // Nothing is left inside the clip.
    if (schicht === null || g === null) continue
    const layer = layers.get(schicht) ?? []
    layer.push({ id, werte: JSON.parse(werte) as Record<string, Value | null>, g })
    layers.set(schicht, layer)
  }
  return Buffer.concat([...layers].map(([name, tileFeatures]) => encodeLayer(name, tileFeatures, box)))
}
