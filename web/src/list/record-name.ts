// Names of records that a list is filtered by.
import { useQuery } from '@tanstack/react-query'
import type { ListFilter } from './filter-kinds.ts'

/** Null while unknown, and for records that are not there. */
export function useRecordName(filter: ListFilter<never>, value: string): string | null {
  const { data } = useQuery({
    queryKey: ['list', 'record-name', filter.key, value],
    queryFn: ({ signal }) => (filter.kind === 'record' ? filter.name(value, signal) : null),
    enabled: filter.kind === 'record' && value !== '',
    staleTime: 5 * 60_000,
  })
  return data ?? null
}
