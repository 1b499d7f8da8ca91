// State of the installation, for the provider's admins.
import { queryOptions } from '@tanstack/react-query'
import type { Betrieb } from '#contract/betrieb.ts'
import { callGeneral } from '../data/client.ts'

export const betriebQuery = queryOptions({
  queryKey: ['betrieb'],
  // Longer than usual: each answer checks the database, the folder and the last dump.
  queryFn: ({ signal }) => callGeneral<Betrieb>('GET', 'betrieb', { signal, timeoutMs: 15_000 }),
  refetchInterval: 60_000,
})
