// Where each figure of the overview leads: the list with exactly the rows it adds up.
import type { AngebotState } from '#contract/buchhaltung.ts'
import type { CashflowRow } from '#domain/cashflow.ts'
import { addDays, addMonths } from '#domain/day.ts'
import { ANGEBOT_KIND, RECHNUNG_KIND } from '../beleg-kinds.ts'

const WAITING = 'offen,teilbezahlt,ueberfaellig'
const ISSUED = 'offen,teilbezahlt,bezahlt,ueberfaellig,storniert,storno,korrigiert,korrektur'

export const monthEnd = (month: string): string => addDays(addMonths(`${month}-01`, 1), -1)
/** The same month one year earlier. */
export const yearBefore = (month: string): string => `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`

/** The address of a filtered list; filters keep their order. */
const ofList = (list: string, filters: Readonly<Record<string, string>>): string =>
  `${list}?${Object.entries(filters)
    .map(([key, value]) => `${key}=${value}`)
    .join('&')}`
const rechnungen = (filters: Readonly<Record<string, string>>) => ofList(RECHNUNG_KIND.list, filters)
const angebote = (filters: Readonly<Record<string, string>>) => ofList(ANGEBOT_KIND.list, filters)
const prognosen = (filters: Readonly<Record<string, string>>) => ofList('/buchhaltung/prognosen', filters)

export const OPEN = rechnungen({ stand: WAITING })
export const OVERDUE = rechnungen({ stand: 'ueberfaellig', sort: 'faellig' })
/** Paid too much, or paid and then corrected or cancelled. */
export const TO_REPAY = rechnungen({ stand: 'bezahlt,storniert', rest: '..-0.01', archiv: 'mit' })
export const DRAFTS = rechnungen({ stand: 'entwurf' })
export const ORDERS = angebote({ stand: 'angenommen,teilabgerechnet' })
export const OPEN_ANGEBOTE = angebote({ stand: 'versendet' })
export const angeboteIn = (stand: AngebotState): string => angebote({ stand, archiv: 'mit' })

/** Everything issued between two days, archived or not, of all customers or one. */
export const umsatzBetween = (from: string, bis: string, kunde?: number): string =>
  rechnungen({
    stand: ISSUED,
    zeit: `${from}..${bis}`,
    ...(kunde === undefined ? {} : { kunde: String(kunde) }),
    archiv: 'mit',
  })
export const umsatzInMonth = (month: string): string => umsatzBetween(`${month}-01`, monthEnd(month))
export const umsatzInYear = (year: number, kunde?: number): string =>
  umsatzBetween(`${year}-01-01`, `${year}-12-31`, kunde)

type Kind = 'offen' | 'zurueck' | 'angenommen' | 'wiederkehrend' | 'erwartet' | 'einnahmen' | 'ausgaben'
/** The rows behind a cell of the forecast. The period with today also includes overdue ones. */
export function cellAddress(
  art: Kind,
  { von, bis }: Pick<CashflowRow, 'von' | 'bis'>,
  today: string,
): string {
  const time = `${von}..${bis}`
  switch (art) {
    case 'offen':
      return rechnungen({ stand: WAITING, frist: von <= today ? `..${bis}` : time })
    case 'zurueck':
      return TO_REPAY
    case 'angenommen':
      return angebote({ stand: 'angenommen,teilabgerechnet', geld: time })
    case 'wiederkehrend':
      return '/buchhaltung/rechnungen/wiederkehrend'
    case 'erwartet':
      return angebote({ stand: 'versendet', geld: time })
    case 'einnahmen':
      return prognosen({ art: 'Einnahme', zeit: time })
    case 'ausgaben':
      return prognosen({ art: 'Ausgabe', zeit: time })
  }
}
