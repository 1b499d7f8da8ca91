// How answers are kept: shown at once, asked again in the background, never past a sign-out.
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const TRANSIENT: ReadonlySet<string> = new Set(['unavailable', 'timeout'])

/** Only reads are repeated, once, and only when the fault may pass by itself. */
export const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 1 && error instanceof ApiError && TRANSIENT.has(error.code)

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 5 * 60_000,
        retry: mayRetry,
        retryDelay: 800,
        networkMode: 'always',
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
