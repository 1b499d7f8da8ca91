// How answers are cached: shown at once and refetched in the background.
import { QueryClient } from '@tanstack/react-query'
import { mayRetry, retryDelayMs, tellWaiting } from './patience.ts'

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
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
