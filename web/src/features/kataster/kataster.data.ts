// Queries of the survey page.
import { queryOptions } from '@tanstack/react-query'
import { OBJECT_KINDS, type ObjectKind } from '#contract/kataster-tile.ts'
import type { Kunde } from '#contract/kunde.ts'
import type { VermessungsObject } from '#contract/vermessung.ts'
import { contains, eq } from '../../data/addresses.ts'
import { nullIfMissing, selectOne, selectPage } from '../../data/rows.ts'
import type { Option } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

/** Map coordinates, nested to any depth: [[x, y], …]. */
type Coordinates = readonly (number | Coordinates)[]
export interface ObjectRecord extends VermessungsObject {
  readonly laenge?: number
  readonly gefaelle?: number | null
  readonly abstand?: number | null
  readonly g3857: { readonly coordinates: Coordinates }
}
export interface ObjectTarget {
  readonly art: ObjectKind
  readonly id: number
}
export const objectQuery = ({ art, id }: ObjectTarget) =>
  queryOptions({
    queryKey: ['kataster', 'objekt', art, id],
    queryFn: ({ signal }) => selectOne<ObjectRecord>(art, [eq('id', id)], { signal }),
  })

/** schacht.17 in the address. */
export const targetText = ({ art, id }: ObjectTarget): string => `${art}.${id}`
export function targetOf(text: string | undefined): ObjectTarget | null {
  const [, art, id] = /^([a-z]+)\.([1-9]\d{0,14})$/.exec(text ?? '') ?? []
  const known = OBJECT_KINDS.find((one) => one === art)
  return known === undefined ? null : { art: known, id: Number(id) }
}

/** [west, south, east, north] of any coordinates. */
export function boxOf(coordinates: Coordinates): [number, number, number, number] {
  const flat = (coordinates as unknown[]).flat(5) as number[]
  const [xs, ys] = [flat.filter((_, at) => at % 2 === 0), flat.filter((_, at) => at % 2 === 1)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

export type KatasterKunde = Pick<Kunde, 'client_id' | 'name' | 'ort' | 'bundesland' | 'epsg'>
const SELECT = ['client_id', 'name', 'ort', 'bundesland', 'epsg']
export const kundeQuery = (id: string) =>
  queryOptions({
    queryKey: ['kataster', 'kunde', id],
    queryFn: ({ signal }) =>
      selectOne<KatasterKunde>('kunde', [eq('client_id', id)], { select: SELECT, signal }),
  })
/** The customers whose survey this person may see; for people who belong to a customer. */
export const ownQuery = queryOptions({
  queryKey: ['kataster', 'eigene'],
  queryFn: async ({ signal }) =>
    (
      await selectPage<KatasterKunde>('kunde', {
        select: SELECT,
        order: [{ column: 'sortname' }, { column: 'client_id' }],
        limit: 200,
        count: 'none',
        signal,
      })
    ).rows,
})

async function findKunde(text: string, signal: AbortSignal): Promise<Option[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)
  const { rows } = await selectPage<KatasterKunde>('kunde', {
    select: SELECT,
    filters: words.map((word) => contains('suchtext', word)),
    order: [{ column: 'sortname' }, { column: 'client_id' }],
    limit: 8,
    count: 'none',
    signal,
  })
  return rows.map(({ client_id, name, ort }) => ({ value: String(client_id), label: `${name}, ${ort}` }))
}
const kundeName = async (id: string, signal: AbortSignal): Promise<string | null> =>
  (await nullIfMissing(selectOne<KatasterKunde>('kunde', [eq('client_id', id)], { select: SELECT, signal })))
    ?.name ?? null
export const KUNDE_FILTER = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunde,
  name: kundeName,
} as const
