// Queries and mutations for the screens of people.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BenutzerHq, BenutzerKunde } from '#contract/benutzer.ts'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { contains, eq, oneOf } from '../../data/addresses.ts'
import { selectOne, selectPage, selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { changedMeanwhile, useSavePerson } from '../../record/person/person.data.ts'
import type { Option } from '../../ui/Field.tsx'
import { townOf } from '../../record/kunde/town.ts'

const ALL = ['nutzer'] as const
export const LISTS = [...ALL, 'list'] as const
export const recordKey = (id: string) => [...ALL, 'record', id] as const

export const nutzer = (id: string) =>
  queryOptions({
    queryKey: recordKey(id),
    queryFn: ({ signal }) => selectOne<NutzerRecord>('benutzer', [eq('user_id', id)], { signal }),
  })

// Links

export type KundeLink = Omit<BenutzerKunde, 'user_id'> & {
  /** Null if the customer may not be read. */
  readonly kunde: { readonly name: string; readonly ort: string; readonly kataster_status: boolean } | null
}
export interface HqLink {
  readonly hqid: number
  readonly client_id: number
  readonly hq_status: readonly string[]
  readonly hq: { readonly sHQ: string; readonly fb_enabled: boolean } | null
}
export interface Links {
  readonly kunden: readonly KundeLink[]
  readonly hqs: readonly HqLink[]
}

const byName = (a: string | undefined, b: string | undefined) => (a ?? '').localeCompare(b ?? '', 'de')
const MOST_LINKS = 10_000

export const links = (id: string) =>
  queryOptions({
    queryKey: [...recordKey(id), 'links'],
    queryFn: async ({ signal }): Promise<Links> => {
      const filters = [eq('user_id', id)]
      const [kunden, hqs] = await Promise.all([
        selectRows<KundeLink>('benutzer_kunde', {
          filters,
          select: ['client_id', 'rolle', 'kataster_enabled', 'kunde(name,ort,kataster_status)'],
          limit: MOST_LINKS,
          signal,
        }),
        selectRows<BenutzerHq & HqLink>('benutzer_hq', {
          filters,
          select: ['hqid', 'client_id', 'hq_status', 'hq(sHQ,fb_enabled)'],
          limit: MOST_LINKS,
          signal,
        }),
      ])
      return {
        kunden: kunden.sort((a, b) => byName(a.kunde?.name, b.kunde?.name)),
        hqs: hqs.sort((a, b) => byName(a.hq?.sHQ, b.hq?.sHQ)),
      }
    },
  })

/** Finds customers and headquarters by a part of their name. */
export async function findKunden(text: string, signal: AbortSignal): Promise<Option[]> {
  const { rows } = await selectPage<{ client_id: number; name: string; plz: string; ort: string }>('kunde', {
    select: ['client_id', 'name', 'plz', 'ort'],
    filters: [contains('suchtext', text.toLowerCase())],
    order: [{ column: 'sortname' }, { column: 'client_id' }],
    limit: 8,
    count: 'none',
    signal,
  })
  return rows.map(({ client_id, name, plz, ort }) => ({
    value: String(client_id),
    label: `${name}, ${townOf({ plz, ort })}`,
  }))
}
export async function findHqs(text: string, signal: AbortSignal): Promise<Option[]> {
  const { rows } = await selectPage<{ idHQ: number; sHQ: string; kunde: { name: string } | null }>('hq', {
    select: ['idHQ', 'sHQ', 'kunde(name)'],
    filters: [contains('suchtext', text.toLowerCase())],
    order: [{ column: 'sortname' }, { column: 'idHQ' }],
    limit: 8,
    count: 'none',
    signal,
  })
  return rows.map(({ idHQ, sHQ, kunde }) => ({
    value: String(idHQ),
    label: kunde ? `${sHQ} (${kunde.name})` : sHQ,
  }))
}
export async function kundeName(id: string, signal: AbortSignal): Promise<string | null> {
  const [row] = await selectRows<{ name: string }>('kunde', {
    select: ['name'],
    filters: [eq('client_id', id)],
    limit: 1,
    signal,
  })
  return row?.name ?? null
}
export async function hqName(id: string, signal: AbortSignal): Promise<string | null> {
  const [row] = await selectRows<{ sHQ: string }>('hq', {
    select: ['sHQ'],
    filters: [eq('idHQ', id)],
    limit: 1,
    signal,
  })
  return row?.sHQ ?? null
}

/** Most people of one customer that can be listed, because an address cannot hold more ids. */
export const MOST_PEOPLE = 400
/** Ids of the people of a customer or headquarters. */
export const peopleOf = (kind: 'kunde' | 'hq', id: string) =>
  queryOptions({
    queryKey: [...ALL, 'people-of', kind, id],
    queryFn: async ({ signal }) => {
      const rows = await selectRows<{ user_id: number }>(
        kind === 'kunde' ? 'benutzer_kunde' : 'benutzer_hq',
        {
          select: ['user_id'],
          filters: [eq(kind === 'kunde' ? 'client_id' : 'hqid', id)],
          order: [{ column: 'user_id' }],
          limit: MOST_PEOPLE + 1,
          signal,
        },
      )
      return rows.map(({ user_id }) => user_id)
    },
    staleTime: 5_000,
  })

/** Data of a list row beside the person's own columns. */
export interface Extra {
  readonly linkedNames: readonly string[]
  readonly erste_anmeldung: string | null
}
/** Linked names and first sign-in of several people, for one page of the list. */
export async function fetchExtras(
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Extra>> {
  const among = { filters: [oneOf('user_id', ids)], limit: MOST_LINKS, signal }
  const [people, kunden, hqs] = await Promise.all([
    selectRows<{ user_id: number; erste_anmeldung: string | null }>('nutzer_liste', {
      ...among,
      select: ['user_id', 'erste_anmeldung'],
    }),
    selectRows<{ user_id: number; kunde: { name: string } | null }>('benutzer_kunde', {
      ...among,
      select: ['user_id', 'kunde(name)'],
    }),
    selectRows<{ user_id: number; hq: { sHQ: string } | null }>('benutzer_hq', {
      ...among,
      select: ['user_id', 'hq(sHQ)'],
    }),
  ])
  const names = new Map<number, string[]>()
  const put = (id: number, name: string | undefined) =>
    name !== undefined && names.set(id, [...(names.get(id) ?? []), name])
  for (const { user_id, kunde } of kunden) put(user_id, kunde?.name)
  for (const { user_id, hq } of hqs) put(user_id, hq?.sHQ)
  return new Map(
    people.map(({ user_id, erste_anmeldung }) => [
      user_id,
      { erste_anmeldung, linkedNames: names.get(user_id) ?? [] },
    ]),
  )
}

// Changes

/** After a change: invalidates the record, its links and history, and all lists that may show it. */
export function tellOthers(client: QueryClient, id: string): Promise<void> {
  void client.invalidateQueries({ queryKey: LISTS })
  void client.invalidateQueries({ queryKey: [...ALL, 'people-of'] })
  return client.invalidateQueries({ queryKey: recordKey(id) })
}

/** Saves personal data as a whole; see useSavePerson. */
export const useSaveNutzer = (id: string) => useSavePerson({ id, queryKey: recordKey(id), tellOthers })

/**
 * A mutation by procedure; pending until everything about the person was refetched, whether it succeeded or
 * not.
 */
export function useChange<T>(id: string, change: (what: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => tellOthers(client, id) })
}

export interface RolesChange {
  /** As displayed: a change made by somebody else meanwhile is not overwritten. */
  readonly before: NutzerRecord
  readonly system_status: string
  readonly apus_team: boolean
  readonly apus_admin: boolean
}
/** Sets base role and flags; sends only what differs, because each has its own rule. */
export async function changeRoles({
  before,
  system_status,
  apus_team,
  apus_admin,
}: RolesChange): Promise<void> {
  const { user_id } = before
  const current = await selectOne<NutzerRecord>('benutzer', [eq('user_id', user_id)])
  const same = (['system_status', 'apus_team', 'apus_admin'] as const).every(
    (field) => current[field] === before[field],
  )
  if (!same) throw changedMeanwhile(current)
  if (system_status !== before.system_status) await rpc('a_set_system_status', { user_id, system_status })
  if (apus_team !== before.apus_team || apus_admin !== before.apus_admin)
    await rpc('a_set_user_flags', { user_id, apus_team, apus_admin })
}

/** hq_status as the database stores it. */
export const hqStatusOf = (isAdmin: boolean): string[] => (isAdmin ? ['hq_user', 'hq_admin'] : ['hq_user'])
