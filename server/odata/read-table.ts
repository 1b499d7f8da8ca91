// Reads a page of a table through the data API, with its planning, limits and rights.
import type { DataApi } from '#server/data-api/data-api.ts'
import { ApiFault } from '#server/data-api/faults.ts'
import type { Formula } from '#server/data-api/formula.ts'
import type { Caller } from '#server/caller.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Property } from './edm.ts'
import { afterToken, type Order, termOf } from './order.ts'
import { shownOf, type Table, type TableQuery } from './query.ts'

export interface PageRead {
  /** A JSON array; its rows have `columns`. */
  readonly json: string
  readonly columns: readonly Property[]
  readonly total: number | null
}

/** @param limit rows of the page; one more is read to know whether there is another page */
export async function readPage(
  dataApi: Pick<DataApi, 'read'>,
  caller: Caller,
  table: Table,
  query: TableQuery,
  { limit, exact, keyed }: { limit: number; exact: boolean; keyed: boolean },
): Promise<PageRead> {
  const { set, properties } = table
  const shown = shownOf(table, query)
  const marks = query.order.map(({ property }: Order) => property)
  const key = properties.get(set.key)
  const columns = [...new Set([...shown, ...marks, ...(keyed && key !== undefined ? [key] : [])])]
  const own: readonly Formula[] =
    query.token === null ? [] : (query.token.after ?? afterToken(query.order, query.token))
  const reading = dataApi.read(
    {
      target: set.relation,
      columns: columns.map((property) => ({
        name: property.name,
        ...((property.asText || (exact && isLarge(property))) && { asText: true as const }),
      })),
      conditions: query.conditions,
      order: query.order.map(termOf),
      offset: query.token === null ? query.skip : 0,
      limit,
      counted: query.counted && query.token === null,
    },
    caller,
    own,
  )
  const { json, total } = await reading.catch(explain)
  return { json, columns, total }
}

const isLarge = ({ edm }: Property): boolean => edm === 'Edm.Int64' || edm === 'Edm.Decimal'

const CAPS: Readonly<Record<string, string>> = {
  selectItems: 'höchstens 100 Spalten',
  orderItems: 'höchstens 20 Spalten in $orderby',
  filters:
    'höchstens 50 Vergleiche in $filter; viele Werte einer Spalte stehen kürzer als: spalte in (1,2,3)',
  inList: 'höchstens 1.000 Werte nach „in“',
}

export function explain(error: unknown): never {
  if (error instanceof ApiFault) {
    const cap = error.code === 'PGRST100' ? (/: (\w+)$/.exec(error.message)?.[1] ?? '') : ''
    const said = CAPS[cap]
    if (said !== undefined) throw new Refusal('bad_filter', `Eine Abfrage nimmt ${said}.`)
    if (error.code === 'PGRST002') throw new Refusal('unavailable')
  }
  if (error instanceof DatabaseFault && error.code.startsWith('22'))
    throw new Refusal(
      'bad_filter',
      'Damit lässt sich nicht rechnen: eine Zahl außerhalb des Bereichs, ein Tag, den es nicht gibt, ' +
        'oder durch 0 geteilt.',
    )
  throw error
}
