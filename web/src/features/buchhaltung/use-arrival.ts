// Whether all parts of a document's page have their first answer. They are shown together, or each of them would move
// the buttons below it away from under a press.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A part that takes longer is not waited for. */
const LONGEST_MS = 1_500

/** What is asked about this document for the first time, but for its PDF, which moves nothing. */
const isFirst =
  (id: string) =>
  ({ queryKey, state }: Query): boolean =>
    state.data === undefined && queryKey.some((part) => String(part) === id) && !queryKey.includes('pdf')

/** Call it in a component that renders the parts: they ask while they are hidden. */
export function useArrival(id: string): boolean {
  const client = useQueryClient()
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    const predicate = isFirst(id)
    const look = () => {
      if (client.isFetching({ predicate }) === 0) setHere(true)
    }
    const unsubscribe = client.getQueryCache().subscribe(look)
    // All answers may be known from before.
    const timers = [setTimeout(look), setTimeout(() => setHere(true), LONGEST_MS)]
    return () => {
      unsubscribe()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [client, id])
  return isHere
}
