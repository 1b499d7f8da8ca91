// Names of the records that a list is filtered by.
import { useQuery } from '@tanstack/react-query'
import type { ListFilter } from './filter-kinds.ts'

/** Null while unknown and for records that do not exist. */
export const useRecordName = (filter: ListFilter<never>, value: string): string | null =>
  useRecordNameQuery(filter, value).data ?? null

export const useRecordNameQuery = (filter: ListFilter<never>, value: string) =>
  useQuery({
    queryKey: ['list', 'record-name', filter.key, value],
    queryFn: ({ signal }) => (filter.kind === 'record' ? filter.name(value, signal) : null),
    enabled: filter.kind === 'record' && value !== '',
    staleTime: 5 * 60_000,
  })
