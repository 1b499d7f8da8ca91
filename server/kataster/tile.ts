// Makes a tile: single objects, or clusters where there are too many to draw.
import { FIRST_OBJECT_LEVEL, type KatasterFilter } from '#contract/kataster-tile.ts'
import type { Context, Database, Statement } from '#server/database/database.ts'
import { keptStatement, MOST_OBJECTS, NO_HEAPS_FROM, type TilePlace, tileStatement } from './tile-sql.ts'
import { encodeLayer, type Box, boxOf, type Value, type TileFeature } from '#server/mvt.ts'

interface Written {
  readonly kachel: string | null
}
interface Row {
  readonly fits: boolean
  readonly schicht: string | null
  readonly id: number
  readonly werte: string
  readonly g: string | null
}

/**
 * The database refuses if there is no such customer, or not for this caller. One statement for most tiles,
 * two if it turns out too full or too empty.
 */
export async function makeTile(
  database: Database,
  context: Context,
  kunde: number,
  place: TilePlace,
  filter: KatasterFilter,
): Promise<Buffer> {
  const { z, x, y } = place
  const box = boxOf(z, x, y)
  const ask = (statement: Statement) => told(database, context, box, statement)
  const { engine } = database
  const near = z >= FIRST_OBJECT_LEVEL
  const kept = keptStatement(engine, kunde, place, filter, near ? MOST_OBJECTS : -1)
  if (kept !== null) {
    const tile = await ask(kept)
    if (tile !== null) return tile
  }
  if (near) {
    const most = z < NO_HEAPS_FROM ? MOST_OBJECTS : null
    const tile = await ask(tileStatement(engine, 'objekte', kunde, box, filter, most))
    if (tile !== null) return tile
  }
  return (await ask(tileStatement(engine, 'haufen', kunde, box, filter))) ?? Buffer.alloc(0)
}

/** Null: not what this tile shows. */
async function told(
  database: Database,
  context: Context,
  box: Box,
  statement: Statement,
): Promise<Buffer | null> {
  if (database.engine === 'postgres') {
    const [row] = (await database.once<Written>(context, statement)).rows
    return row === undefined || row.kachel === null ? null : Buffer.from(row.kachel.slice(2), 'hex')
  }
  const { rows } = await database.once<Row>(context, statement)
  if (rows[0]?.fits !== true) return null
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
