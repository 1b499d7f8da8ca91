// Queries and mutations for programs that are notified of events, and for the log.
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  ChangedWebhook,
  DeliveryState,
  MadeWebhook,
  NewWebhook,
  WebhookTest,
} from '#contract/webhook.ts'
import { ApiError } from '../../data/api-error.ts'
import { callGeneral } from '../../data/client.ts'
import { rpc } from '../../data/rpc.ts'
import { t } from '../../ui/text.ts'

const ALL = ['webhooks'] as const
/** Deliveries that wait are looked at again. */
const AGAIN_MS = 5_000

export const receiversQuery = queryOptions({
  queryKey: [...ALL, 'list'],
  queryFn: ({ signal }) => rpc('a_get_webhooks', {}, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.some(({ wartend, pause }) => Number(wartend) > 0 && pause === null) === true
      ? AGAIN_MS
      : false,
})

export interface LogFilter {
  /** Null: of all receivers. */
  readonly webhook: number | null
  readonly nur: DeliveryState | ''
}
const PAGE = 100
export const logQuery = ({ webhook, nur }: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...ALL, 'log', webhook, nur],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ signal, pageParam }) =>
      rpc(
        'a_get_zustellungen',
        {
          ...(webhook !== null && { webhook }),
          ...(nur !== '' && { nur }),
          ...(pageParam !== undefined && { vor: pageParam }),
        },
        { signal },
      ),
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.some(({ zustand }) => zustand === 'wartet') === true ? AGAIN_MS : false,
  })

function useChange<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ALL }) })
}
export const useMakeReceiver = () =>
  useChange((wanted: NewWebhook) =>
    callGeneral<MadeWebhook>('POST', 'webhooks', { body: wanted, quiet: true }),
  )
export const useUpdateReceiver = () =>
  useChange(({ id, ...changed }: ChangedWebhook & { id: number }) =>
    callGeneral<{ version: number }>('PUT', `webhooks/${id}`, { body: changed, quiet: true }),
  )
export const useRenewSecret = () =>
  useChange((id: number) => callGeneral<MadeWebhook>('POST', `webhooks/${id}/geheimnis`, { body: {} }))
export const useTestReceiver = () =>
  useChange((id: number) =>
    callGeneral<WebhookTest>('POST', `webhooks/${id}/test`, { body: {}, quiet: true }),
  )
export const usePauseReceiver = () =>
  useChange((wanted: { id: number; pause: boolean }) => rpc('a_pause_webhook', wanted))
export const useDeleteReceiver = () => useChange((id: number) => rpc('a_delete_webhook', { id }))
export const useRepeat = () => useChange((id: number) => rpc('a_repeat_zustellung', { id }))

export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : t('Das hat nicht geklappt')
