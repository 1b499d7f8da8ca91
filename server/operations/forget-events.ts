// Removes events that are older than what is kept, with the deliveries of webhooks. An upkeep task.
import type { UpkeepTask } from './upkeep.ts'

export const forgetEvents = (days: number): UpkeepTask => ({
  name: 'events that are no longer kept',
  async run(owner) {
    const { rows } = await owner.query<{ gone: string }>('select dispatch.forget_events($1)::text as gone', [
      days,
    ])
    return Number(rows[0]?.gone ?? 0)
  },
})
