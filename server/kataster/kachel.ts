// Makes a tile: objects one by one, or heaps where they would be too many to draw.
import { ERSTE_EBENE_OBJEKTE, type KatasterFilter } from '#contract/kataster-kachel.ts'
import type { Context, Database } from '#server/database/database.ts'
import { anzahlStatement, kachelStatement, MOST_OBJEKTE, OHNE_HAUFEN, sichtStatement } from './kachel-sql.ts'
import { encodeLayer, type Kasten, kastenOf, type Wert, type Zug } from './mvt.ts'

export interface KachelOrt {
  readonly z: number
  readonly x: number
  readonly y: number
}

interface Row {
  readonly schicht: string
  readonly id: number
  readonly werte: string
  readonly g: string
}

/** Null: there is no such customer, or not for this caller. */
export async function makeKachel(
  database: Database,
  context: Context,
  kunde: number,
  { z, x, y }: KachelOrt,
  filter: KatasterFilter,
): Promise<Buffer | null> {
  const kasten = kastenOf(z, x, y)
  return database.transaction(context, async (tx) => {
    const [sicht] = (await tx.query<{ ja: boolean | null }>(sichtStatement(kunde))).rows
    if (sicht?.ja !== true) return null
    let heaps = z < ERSTE_EBENE_OBJEKTE
    if (!heaps && z < OHNE_HAUFEN) {
      const [{ n } = { n: 0 }] = (await tx.query<{ n: number }>(anzahlStatement(kunde, kasten, filter))).rows
      if (n === 0) return Buffer.alloc(0)
      heaps = n > MOST_OBJEKTE
    }
    const statement = kachelStatement(database.engine, heaps ? 'haufen' : 'objekte', kunde, kasten, filter)
    if (database.engine === 'postgres') {
      const { rows } = await tx.query<{ kachel: string }>(statement)
      return Buffer.from(rows[0]?.kachel.slice(2) ?? '', 'hex')
    }
    const { rows } = await tx.query<Row>(statement)
    return encodeRows(rows, kasten)
  })
}

function encodeRows(rows: readonly Row[], kasten: Kasten): Buffer {
  const layers = new Map<string, Zug[]>()
  for (const { schicht, id, werte, g } of rows) {
    // Outside of the clip nothing is left.
    if (g === null) continue
    const layer = layers.get(schicht) ?? []
    layer.push({ id, werte: JSON.parse(werte) as Record<string, Wert | null>, g })
    layers.set(schicht, layer)
  }
  return Buffer.concat([...layers].map(([name, zuege]) => encodeLayer(name, zuege, kasten)))
}
