// The tables that a caller is shown: those of the halves in which they have a role, and that their key opens.
import type { Caller } from '#server/caller.ts'
import type { Statement } from '#server/database/database.ts'
import { toRefusal } from '#server/errors.ts'
import { halfOf, type KeyGroup } from '#domain/zugang.ts'
import type { Table } from './query.ts'

interface Halves {
  readonly forst: boolean
  readonly draenage: boolean
}

const HALVES: Statement = {
  name: 'odata_halves',
  text: `select 'admin' = any(r.held) or r.held && rights.half_roles('forst') as forst,
      'admin' = any(r.held) or r.held && rights.half_roles('draenage') as draenage
    from (select rights.roles() as held) r`,
}

type Ask = <Row>(caller: Caller, statement: Statement) => Promise<Row[]>

/** Null for a key that does not open the group. */
async function halvesBy(caller: Caller, relation: string, ask: Ask): Promise<Halves | null> {
  try {
    const aimed = caller.key === undefined ? caller : { ...caller, target: `/${relation}` }
    return (await ask<Halves>(aimed, HALVES))[0] ?? null
  } catch (error) {
    if (caller.key !== undefined && toRefusal(error).code === 'not_allowed') return null
    throw error
  }
}

export async function visibleTables(
  caller: Caller,
  tables: ReadonlyMap<string, Table>,
  ask: Ask,
): Promise<Table[]> {
  const all = [...tables.values()]
  const halves = new Map<KeyGroup, Halves | null>()
  for (const { set } of all) {
    if (halves.has(set.group)) continue
    const known = caller.key === undefined ? [...halves.values()][0] : undefined
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a key has few places in the queue
    halves.set(set.group, known ?? (await halvesBy(caller, set.relation, ask)))
  }
  return all.filter(({ set: { group } }) => {
    const seen = halves.get(group) ?? null
    const half = halfOf(group)
    return seen !== null && (half === null ? seen.forst || seen.draenage : seen[half])
  })
}
