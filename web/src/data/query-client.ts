// How answers are cached: shown at once and refetched in the background.
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { mayRetry, retryDelayMs, tellWaiting } from './patience.ts'

export function makeQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({ onSettled: () => leaveNothingFresh(client) }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 5 * 60_000,
        retry: mayRetry,
        retryDelay: (_failures, error) => {
          tellWaiting(error)
          return retryDelayMs(error)
        },
        networkMode: 'always',
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}

/**
 * A change shows in figures of other pages too, as a tree does in the grant of its holding: whatever is not on the
 * screen is asked for again when it is shown next. What is on the screen is refreshed by the change itself, and
 * answers without an end of their freshness never change.
 */
const leaveNothingFresh = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({
    type: 'inactive',
    refetchType: 'none',
    predicate: ({ options }) => (options as { staleTime?: unknown }).staleTime !== Number.POSITIVE_INFINITY,
  })
