// Queries and mutations for one person of the drainage half: record, customers, history, and changes to the
// person rather than a link.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { contains, eq, oneOf } from '../../data/addresses.ts'
import { selectOne, selectPage, selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import type { Role } from '../../members/member-words.ts'
import { MEMBER } from '../../members/members.data.ts'
import { useSavePerson } from '../../record/person/person.data.ts'
import { historyQuery } from '../../record/history.data.ts'
import type { Option } from '../../ui/Field.tsx'
import { townOf } from '../../record/kunde/town.ts'

const recordKey = (id: number | string) => [...MEMBER, 'record', String(id)] as const

export type Person = NutzerRecord

export const person = (id: string) =>
  queryOptions({
    queryKey: recordKey(id),
    queryFn: ({ signal }) => selectOne<Person>('benutzer', [eq('user_id', id)], { signal }),
  })

const tellOthers = (client: QueryClient) => client.invalidateQueries({ queryKey: MEMBER })
export const useSave = (id: string) => useSavePerson({ id, queryKey: recordKey(id), tellOthers })

export interface KundeLink {
  readonly client_id: number
  readonly rolle: Role
  readonly kataster_enabled: boolean
  readonly kunde: {
    readonly name: string
    readonly plz: string
    readonly ort: string
    readonly kataster_status: boolean
  } | null
}
export const kundenLinks = (id: number) =>
  queryOptions({
    queryKey: [...recordKey(id), 'kunden'],
    queryFn: async ({ signal }) => {
      const rows = await selectRows<KundeLink>('benutzer_kunde', {
        select: ['client_id', 'rolle', 'kataster_enabled', 'kunde(name,plz,ort,kataster_status)'],
        filters: [eq('user_id', id)],
        order: [{ column: 'client_id' }],
        limit: 10_000,
        signal,
      })
      return rows.sort((a, b) => (a.kunde?.name ?? '').localeCompare(b.kunde?.name ?? '', 'de'))
    },
  })

export const personHistory = (id: number) =>
  historyQuery(recordKey(id), [eq('person_id', id), oneOf('tabelle', ['benutzer', 'benutzer_kunde'])])

/** Finds customers by a part of their name. */
export async function findKunde(text: string, signal: AbortSignal): Promise<Option[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)
  const { rows } = await selectPage<{ client_id: number; name: string; plz: string; ort: string }>('kunde', {
    select: ['client_id', 'name', 'plz', 'ort'],
    filters: words.map((word) => contains('suchtext', word)),
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
export async function kundeName(id: string, signal: AbortSignal): Promise<string | null> {
  const [row] = await selectRows<{ name: string }>('kunde', {
    select: ['name'],
    filters: [eq('client_id', id)],
    limit: 1,
    signal,
  })
  return row?.name ?? null
}

export interface Roles {
  readonly system_status: string
  readonly apus_team: boolean
  readonly apus_admin: boolean
}
/** Sends only what differs: base role and flags have separate rules. */
export function useSetRoles(before: Person) {
  const client = useQueryClient()
  const { user_id } = before
  return useMutation({
    mutationFn: async ({ system_status, apus_team, apus_admin }: Roles) => {
      // Flags first: people who give them up must still hold the role that allows it.
      if (apus_team !== before.apus_team || apus_admin !== before.apus_admin)
        await rpc('a_set_user_flags', { user_id, apus_team, apus_admin })
      if (system_status !== before.system_status) await rpc('a_set_system_status', { user_id, system_status })
    },
    // Not awaited: the page re-renders the person, and the result still has to be reported.
    onSettled: () => void client.invalidateQueries({ queryKey: MEMBER }),
  })
}

/** Lets the person audit the books until this day; null: no longer. */
export function useSetAuditor({ user_id }: Person) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (bis: string | null) => rpc('a_set_pruefer', { user_id, bis }),
    onSettled: () => void client.invalidateQueries({ queryKey: MEMBER }),
  })
}

export function useAppStatus({ user_id, username }: Person) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (status: 'aktiv' | 'gesperrt') => rpc('__o_change_app_status', { user_id, username, status }),
    onSettled: () => client.invalidateQueries({ queryKey: MEMBER }),
  })
}
