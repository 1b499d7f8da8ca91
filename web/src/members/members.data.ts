// Reads a customer's people and changes their links. Every change is a database procedure that checks
// permissions itself.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Kunde } from '#contract/kunde.ts'
import type { AddedUser, TeamOfClient } from '#contract/rpc.ts'
import { contains, eq, or } from '../data/addresses.ts'
import { selectPage, selectRows } from '../data/rows.ts'
import { rpc } from '../data/rpc.ts'
import type { Option } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import { KUNDE_LISTS, kundeKey } from '../record/kunde/kunde-record.data.ts'
import { SUMMARIES } from '../record/summary/summary.data.ts'
import type { Membership } from './may-do.ts'
import { nameOf } from '../record/person/person-words.ts'
import type { Role } from './member-words.ts'

/** The fields of a customer that its people list needs. */
export type MembersKunde = Pick<Kunde, 'client_id' | 'name' | 'kataster_status'>

export const membersKey = (client_id: number | string) => ['members', String(client_id)] as const
/** Common prefix of the query keys for lists and records of people. */
export const MEMBER = ['mitglied'] as const

export async function fetchMembers(client_id: number, signal: AbortSignal): Promise<Membership[]> {
  const [people, may] = await Promise.all([
    rpc('a_get_appusers_from_client', { client_id }, { signal }),
    rpc('a_get_verwaltbar', { client_id }, { signal }),
  ])
  const manageable = new Set(may.filter(({ verwaltbar }) => verwaltbar).map(({ user_id }) => user_id))
  return people.map((person) => ({ ...person, verwaltbar: manageable.has(person.user_id) }))
}

export const team = (client_id: number | string) =>
  queryOptions({
    queryKey: [...membersKey(client_id), 'team'],
    queryFn: ({ signal }): Promise<TeamOfClient[]> =>
      rpc('a_get_apus_team_from_client', { client_id }, { signal }),
  })

interface Found {
  readonly user_id: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly username: string
  readonly email: string
}
const FOUND = ['user_id', 'first_name', 'last_name', 'username', 'email'] as const
const personText = (person: Found): string =>
  t('{name} · {email}', { name: nameOf(person), email: person.email })

/** Finds people by part of their name or email address, among those the caller may see. */
export const findPerson =
  (who: 'everybody' | 'team') =>
  async (text: string, signal: AbortSignal): Promise<Option[]> => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)
    const { rows } = await selectPage<Found>('benutzer', {
      select: FOUND,
      filters: [
        ...words.map((word) => contains('suchtext', word)),
        ...(who === 'team'
          ? [or(eq('apus_team', true), eq('apus_admin', true))]
          : [eq('apus_team', false), eq('apus_admin', false)]),
      ],
      order: [{ column: 'user_id' }],
      limit: 8,
      count: 'none',
      signal,
    })
    return rows.map((person) => ({ value: String(person.user_id), label: personText(person) }))
  }
export async function personName(id: string, signal: AbortSignal): Promise<string | null> {
  const [person] = await selectRows<Found>('benutzer', {
    select: FOUND,
    filters: [eq('user_id', id)],
    limit: 1,
    signal,
  })
  return person ? personText(person) : null
}

/**
 * After any change to a link, invalidates the customer's people, history and numbers, and the person's data.
 */
export function tellOthers(client: QueryClient, client_id: number | string) {
  void client.invalidateQueries({ queryKey: membersKey(client_id) })
  void client.invalidateQueries({ queryKey: MEMBER })
  void client.invalidateQueries({ queryKey: [...kundeKey(String(client_id)), 'people'] })
  void client.invalidateQueries({ queryKey: [...kundeKey(String(client_id)), 'verlauf'] })
  void client.invalidateQueries({ queryKey: KUNDE_LISTS })
  void client.invalidateQueries({ queryKey: SUMMARIES })
}

export type Change =
  | { readonly kind: 'rolle'; readonly user_id: number; readonly rolle: Role }
  | { readonly kind: 'kataster'; readonly user_id: number; readonly on: boolean }
  | {
      readonly kind: 'app'
      readonly user_id: number
      readonly username: string
      readonly status: 'aktiv' | 'gesperrt'
    }
  | { readonly kind: 'remove'; readonly user_id: number }

function send(client_id: number, change: Change): Promise<null> {
  const { user_id } = change
  switch (change.kind) {
    case 'rolle':
      return rpc('a_set_kunde_rolle', { user_id, client_id, rolle: change.rolle })
    case 'kataster':
      // One procedure both adds a person and sets the flag of an existing link.
      return rpc('a_add_user_to_client', { user_id, client_id, kataster_enabled: change.on })
    case 'app':
      return rpc('__o_change_app_status', { user_id, username: change.username, status: change.status })
    case 'remove':
      return rpc('a_remove_user_from_client', { user_id, client_id })
  }
}
export function useChangeMember() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ client_id, change }: { client_id: number; change: Change }) => send(client_id, change),
    onSettled: (_answer, _error, { client_id }) => tellOthers(client, client_id),
  })
}

export interface Joining {
  readonly client_id: number
  readonly user_id: number
  readonly kataster: boolean
  readonly rolle: Role
}
/** Adds an existing person to the customer. */
export function useJoin() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ client_id, user_id, kataster, rolle }: Joining) =>
      rpc('a_add_user_to_client', { user_id, client_id, kataster_enabled: kataster, rolle }),
    onSettled: (_answer, _error, { client_id }) => tellOthers(client, client_id),
  })
}

export interface NewMember {
  readonly mail: string
  readonly first_name: string
  readonly last_name: string
  readonly kataster: boolean
  readonly rolle: Role
}
/** Creates a person linked to the customer. */
export function useAddMember(client_id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ mail, first_name, last_name, kataster, rolle }: NewMember): Promise<AddedUser> =>
      rpc('a_add_user', {
        mail,
        first_name: first_name === '' ? null : first_name,
        last_name: last_name === '' ? null : last_name,
        kataster_enabled: kataster,
        apus_team: false,
        apus_admin: false,
        client_id,
        rolle,
      }),
    onSettled: () => tellOthers(client, client_id),
  })
}

/** Whether the label is taken, by a namesake or by the same person. Only the provider's admins may ask. */
export const labelTaken = (db_role: string) =>
  queryOptions({
    queryKey: [...MEMBER, 'label', db_role],
    queryFn: ({ signal }) => rpc('a_get_user_exists', { db_role }, { signal }),
    enabled: db_role !== '',
    staleTime: 5_000,
  })
