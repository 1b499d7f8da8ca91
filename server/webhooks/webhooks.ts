// In charge of telling other people's programs what has happened: webhooks, which are sent, and the feed, which is
// asked.
import type { Room } from '#server/room.ts'
import { changesRoutes } from './changes.ts'
import { deliveryJob } from './deliver.ts'
import { webhookRoutes, type WebhookRoutesOptions } from './routes.ts'

export interface WebhooksOptions extends WebhookRoutesOptions {
  /** Between two looks for what is due. */
  readonly everyMs: number
}

/** `feed`: at its own address, beside the general API. */
export function createWebhooksRoom(options: WebhooksOptions) {
  return {
    name: 'webhooks',
    routes: webhookRoutes(options),
    jobs: [deliveryJob(options)],
    feed: { name: 'feed of changes', routes: changesRoutes(options) } satisfies Room,
  } satisfies Room & { feed: Room }
}
