// Notifies people of what expires: vouchers, terms and keys for programs (notices.notify_…). An upkeep task: it
// may run any number of times, each person is notified only once.
import type { OwnerConnection } from '#server/database/database.ts'
import { officeDay } from '#server/office-day.ts'

const TELL = 'select notices.notify_expiring($1::date) + notices.notify_ending_keys($1::date) as told'

export const tellExpiry = {
  name: 'notices of what runs out',
  /** In a transaction as forst_betrieb. */
  async run(owner: OwnerConnection, now: Date): Promise<number> {
    const { rows } = await owner.query<{ told: number }>(TELL, [officeDay(now)])
    return Number(rows[0]?.told ?? 0)
  },
}
