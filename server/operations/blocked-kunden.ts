// Customers that were blocked because the law wanted their contracts kept: the day after that they go.
import { germanDay, type UpkeepTask } from './upkeep.ts'

export const removeBlocked: UpkeepTask = {
  name: 'gesperrte kunden',
  async run(owner, now) {
    const { rows } = await owner.query<{ gone: number }>(
      'select rechte.gesperrte_entfernen($1::date) as gone',
      [germanDay(now)],
    )
    return rows[0]?.gone ?? 0
  },
}
