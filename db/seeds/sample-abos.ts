// Subscriptions of the sample's headquarters: most with a module switched on pay for it, some for years, some
// have cancelled.
import { endOf, nettoOf } from '#domain/abo.ts'
import { formatDecimal, parseHundredths } from '#domain/geld.ts'
import type { Random } from './random.ts'
import type { SampleKundeHq } from './sample-rows.ts'

export interface SampleAbo {
  readonly id: number
  readonly client_id: number
  readonly hqid: number
  readonly modul: 'fe' | 'basis_fe' | 'kawm'
  readonly beginn: string
  readonly laufzeit: number
  readonly ende: string
  readonly preis: string
  readonly rabatt: number
  readonly rabatt_monate: number
  readonly netto: string
  readonly ust_satz: number
  readonly zustand: 'aktiv' | 'gekuendigt' | 'beendet'
  readonly gekuendigt_am: string | null
  readonly vorgaenger_id: number | null
  readonly schaltet: boolean
}

const PRICE = { fe: '480.00', basis_fe: '240.00', kawm: '360.00' } as const
const TERM = 12
/** The demo forester's headquarters has none, so that subscribing can be tried. */
const WITHOUT = 1

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

export function makeAbos(
  switches: readonly SampleKundeHq[],
  random: Random,
  day: (offset: number) => string,
): SampleAbo[] {
  const abos: SampleAbo[] = []
  for (const row of switches)
    for (const [moduleName, on] of [
      ['fe', row.fe_enabled],
      ['basis_fe', row.basis_fe_enabled],
      ['kawm', row.kawm_enabled],
    ] as const)
      if (on && random.chance(0.7) && row.hqid !== WITHOUT)
        abos.push(...makeTerms({ row, modul: moduleName, first: abos.length + 1 }, random, day))
  return abos
}

/** The consecutive terms of one subscription, until one reaches beyond today. */
function makeTerms(
  { row, modul, first }: { row: SampleKundeHq; modul: SampleAbo['modul']; first: number },
  random: Random,
  day: (offset: number) => string,
): SampleAbo[] {
  const discount = random.chance(0.25) ? random.pick([5, 10, 12.5, 20, 25]) : 0
  const cancelled = random.chance(0.08)
  const terms: SampleAbo[] = []
  let startDay = day(-random.int(5, 1_000))
  for (;;) {
    const end = endOf(startDay, TERM)
    const last = end >= day(0)
    // The voucher's discount applies to the first term.
    const discountMonths = terms.length === 0 && discount > 0 ? TERM : 0
    const netto = nettoOf({
      preis: parseHundredths(PRICE[modul]),
      laufzeit: TERM,
      rabatt: parseHundredths(discount),
      discountMonths,
    })
    terms.push({
      id: first + terms.length,
      client_id: row.client_id,
      hqid: row.hqid,
      modul,
      beginn: startDay,
      laufzeit: TERM,
      ende: end,
      preis: PRICE[modul],
      rabatt: discountMonths > 0 ? discount : 0,
      rabatt_monate: discountMonths,
      netto: formatDecimal(netto),
      ust_satz: 19,
      zustand: last ? (cancelled ? 'gekuendigt' : 'aktiv') : 'beendet',
      gekuendigt_am: last && cancelled ? `${day(-2)}T09:15:00Z` : null,
      vorgaenger_id: terms.length === 0 ? null : first + terms.length - 1,
      schaltet: true,
    })
    if (last) return terms
    startDay = dayAfter(end)
  }
}
