// Names of the people in a history; its links refer to them by id.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { oneOf } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { nameOf } from '../../record/person/person-words.ts'
import { MEMBER } from '../../members/members.data.ts'

interface Named {
  readonly user_id: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly username: string
}
export const peopleNames = (ids: readonly number[]) =>
  queryOptions({
    queryKey: [...MEMBER, 'names', ids],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, string>> => {
      const rows = await selectRows<Named>('benutzer', {
        select: ['user_id', 'first_name', 'last_name', 'username'],
        filters: [oneOf('user_id', ids)],
        signal,
      })
      return new Map(rows.map((row) => [row.user_id, nameOf(row)]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export const kundenNames = (ids: readonly number[]) =>
  queryOptions({
    queryKey: [...MEMBER, 'kunden-names', ids],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, string>> => {
      const rows = await selectRows<{ client_id: number; name: string }>('kunde', {
        select: ['client_id', 'name'],
        filters: [oneOf('client_id', ids)],
        signal,
      })
      return new Map(rows.map((row) => [row.client_id, row.name]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
