// Tells people what runs out: vouchers and terms (rechte.melde_ablaeufe). A task of the upkeep: it may run as often as one likes, nobody is told twice.
import type { OwnerConnection } from '#server/database/database.ts'

/** The calendar of the people who read it, whatever the server's clock is set to. */
export const dayOf = (moment: Date): string =>
  moment.toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })

export const tellExpiry = {
  name: 'notices of what runs out',
  /** Within a transaction as forst_betrieb. */
  async run(owner: OwnerConnection, now: Date): Promise<number> {
    const { rows } = await owner.query<{ told: number }>('select rechte.melde_ablaeufe($1::date) as told', [
      dayOf(now),
    ])
    return Number(rows[0]?.told ?? 0)
  },
}
