// Searches the database while the user types: shortly after the last key press, and dropping requests whose
// answer is no longer needed.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SearchKind, Hit } from '#contract/search.ts'
import { rpc } from '../../data/rpc.ts'

const PAUSE_MS = 120
const EACH = 6
/** A single letter matches too much; a single digit may be a number. */
const isWorthAsking = (text: string) => /\d/.test(text) || text.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= 2

export interface Found {
  readonly rows: readonly Hit[]
  readonly waiting: boolean
  readonly error: unknown
  readonly retry: () => void
}

export function useSearch(typed: string, kinds: readonly SearchKind[]): Found {
  const wanted = typed.trim().replaceAll(/\s+/g, ' ')
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const worth = kinds.length > 0 && isWorthAsking(wanted)
  const query = useQuery({
    queryKey: ['suche', asked, ...kinds],
    queryFn: ({ signal }) => rpc('a_suche', { text: asked, arten: kinds, grenze: EACH }, { signal }),
    enabled: worth && isWorthAsking(asked),
    placeholderData: keepPreviousData,
    // Short, because the person may lose access to the results.
    gcTime: 60_000,
    staleTime: 10_000,
    refetchOnWindowFocus: false,
  })
  return {
    rows: worth ? (query.data ?? []) : [],
    waiting: worth && (asked !== wanted || query.isFetching),
    error: worth && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  }
}
