// Notifies people of what expires: vouchers and terms (notices.notify_expiring). An upkeep task: it may run any
// number of times, each person is notified only once.
import type { OwnerConnection } from '#server/database/database.ts'

/** The date in Germany, whatever time zone the server is set to. */
export const dayOf = (moment: Date): string =>
  moment.toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })

export const tellExpiry = {
  name: 'notices of what runs out',
  /** In a transaction as forst_betrieb. */
  async run(owner: OwnerConnection, now: Date): Promise<number> {
    const { rows } = await owner.query<{ told: number }>('select notices.notify_expiring($1::date) as told', [
      dayOf(now),
    ])
    return Number(rows[0]?.told ?? 0)
  },
}
