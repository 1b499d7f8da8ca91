// Removes customers that were blocked while the law required their contracts to be kept: on
// the day after that period.
import { officeDay } from '#server/office-day.ts'
import type { UpkeepTask } from './upkeep.ts'

export const removeBlocked: UpkeepTask = {
  name: 'gesperrte kunden',
  async run(owner, now) {
    const { rows } = await owner.query<{ gone: number }>('select privacy.remove_blocked($1::date) as gone', [
      officeDay(now),
    ])
    return rows[0]?.gone ?? 0
  },
}
