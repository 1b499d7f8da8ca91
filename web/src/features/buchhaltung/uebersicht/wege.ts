// Where each figure of the overview leads: the list with just the rows that it adds up.
import type { AngebotStand } from '#contract/buchhaltung.ts'
import type { CashflowZeile } from '#domain/cashflow.ts'
import { addDays, addMonths } from '#domain/tag.ts'
import { ANGEBOT_SORTE, RECHNUNG_SORTE } from '../sorten.ts'

const WARTET = 'offen,teilbezahlt,ueberfaellig'
const AUSGESTELLT = 'offen,teilbezahlt,bezahlt,ueberfaellig,storniert,storno'

export const monatEnde = (monat: string): string => addDays(addMonths(`${monat}-01`, 1), -1)
/** The same month a year before. */
export const vorjahrVon = (monat: string): string => `${Number(monat.slice(0, 4)) - 1}${monat.slice(4)}`

/** What a list is narrowed to; in the order in which it is written. */
const ofList = (list: string, filters: Readonly<Record<string, string>>): string =>
  `${list}?${Object.entries(filters)
    .map(([key, value]) => `${key}=${value}`)
    .join('&')}`
const rechnungen = (filters: Readonly<Record<string, string>>) => ofList(RECHNUNG_SORTE.list, filters)
const angebote = (filters: Readonly<Record<string, string>>) => ofList(ANGEBOT_SORTE.list, filters)
const prognosen = (filters: Readonly<Record<string, string>>) => ofList('/buchhaltung/prognosen', filters)

export const OFFEN = rechnungen({ stand: WARTET })
export const UEBERFAELLIG = rechnungen({ stand: 'ueberfaellig', sort: 'faellig' })
/** Paid too much, or credits. */
export const ZURUECK = rechnungen({ stand: 'bezahlt', rest: '..-0.01', archiv: 'mit' })
export const ENTWUERFE = rechnungen({ stand: 'entwurf' })
export const AUFTRAEGE = angebote({ stand: 'angenommen,teilabgerechnet' })
export const ANGEBOTE_OFFEN = angebote({ stand: 'versendet' })
export const angeboteIn = (stand: AngebotStand): string => angebote({ stand, archiv: 'mit' })

/** Everything that was issued between two days, put away or not, of all customers or one. */
export const umsatzZwischen = (von: string, bis: string, kunde?: number): string =>
  rechnungen({ stand: AUSGESTELLT, zeit: `${von}..${bis}`, ...(kunde === undefined ? {} : { kunde: String(kunde) }), archiv: 'mit' })
export const umsatzImMonat = (monat: string): string => umsatzZwischen(`${monat}-01`, monatEnde(monat))
export const umsatzImJahr = (jahr: number, kunde?: number): string => umsatzZwischen(`${jahr}-01-01`, `${jahr}-12-31`, kunde)

type Art = 'offen' | 'angenommen' | 'erwartet' | 'einnahmen' | 'ausgaben'
/** What a cell of the forecast is made of. In the part that holds today stands what is late as well. */
export function teilDes(art: Art, { von, bis }: Pick<CashflowZeile, 'von' | 'bis'>, heute: string): string {
  const zeit = `${von}..${bis}`
  switch (art) {
    case 'offen':
      return rechnungen({ stand: WARTET, frist: von <= heute ? `..${bis}` : zeit })
    case 'angenommen':
      return angebote({ stand: 'angenommen,teilabgerechnet', geld: zeit })
    case 'erwartet':
      return angebote({ stand: 'versendet', geld: zeit })
    case 'einnahmen':
      return prognosen({ art: 'Einnahme', zeit })
    case 'ausgaben':
      return prognosen({ art: 'Ausgabe', zeit })
  }
}
