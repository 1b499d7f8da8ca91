// A preview of a draft as typed but not saved: accepts what may come from the browser, and nothing else.
// Parties come from the database, sums are recalculated, and it stays a draft.
import type { Beleg, BelegPosition, BelegSkonto, PositionKind, TaxCategory } from '#domain/beleg.ts'
import { computeBeleg } from '#domain/rechnung.ts'

const MOST_LINES = 1_000
const LONGEST = 10_000
const DECIMAL = /^-?\d{1,12}(?:\.\d{1,4})?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const KINDS: ReadonlySet<unknown> = new Set<PositionKind>([
  'position',
  'optional',
  'alternativ',
  'ueberschrift',
])
const CATEGORIES: ReadonlySet<unknown> = new Set<TaxCategory>(['S', 'E', 'AE', 'O'])

type Given = Readonly<Record<string, unknown>>
class UnfitError extends Error {}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
function fit<T>(value: unknown, is: (value: unknown) => boolean): T {
  if (!is(value)) throw new UnfitError()
  return value as T
}
const text = (value: unknown): string => fit(value, (one) => typeof one === 'string' && one.length <= LONGEST)
const decimal = (value: unknown): string => fit(value, (one) => typeof one === 'string' && DECIMAL.test(one))
const day = (value: unknown): string =>
  fit(value, (one) => typeof one === 'string' && DAY.test(one) && !Number.isNaN(Date.parse(one)))
const dayOrNot = (value: unknown): string | null =>
  value === null || value === undefined ? null : day(value)

function positionOf(value: unknown, at: number): BelegPosition {
  const p = fit<Given>(value, isObject)
  return {
    id: '',
    lfd_nr: at + 1,
    nr: '',
    betrag: '0.00',
    art: fit(p['art'], (one) => KINDS.has(one)),
    bez: text(p['bez']),
    erl_titel: text(p['erl_titel']),
    erl: text(p['erl']),
    erl_on: p['erl_on'] === true,
    anzahl: decimal(p['anzahl']),
    einheit: text(p['einheit']),
    ep: decimal(p['ep']),
    rabatt_prozent: decimal(p['rabatt_prozent']),
    ust_satz: decimal(p['ust_satz']),
    kategorie: fit(p['kategorie'], (one) => CATEGORIES.has(one)),
    steuergrund: text(p['steuergrund']),
    le_date: dayOrNot(p['le_date']),
    le_date_bis: dayOrNot(p['le_date_bis']),
    gewaehlt: p['gewaehlt'] === true,
  }
}

const skontoOf = (value: unknown): BelegSkonto => {
  const tier = fit<Given>(value, isObject)
  return {
    tage: fit(tier['tage'], (one) => Number.isInteger(one) && Number(one) > 0 && Number(one) < 1_000),
    prozent: decimal(tier['prozent']),
  }
}
const listOf = <T>(value: unknown, most: number, each: (one: unknown, at: number) => T): T[] =>
  fit<unknown[]>(value, (one) => Array.isArray(one) && one.length <= most).map(each)

/**
 * `base`: the saved draft; `given`: a Beleg as the browser has calculated it. Null if it is not a valid one.
 */
export function typedBeleg(base: Beleg, given: Given): Beleg | null {
  try {
    const ustRate = decimal(given['ust_satz'])
    const discountPercent = decimal(given['rabatt_prozent'])
    const positions = listOf(given['positionen'], MOST_LINES, positionOf)
    const sums = fit<Given>(given['summen'], isObject)
    const computed = computeBeleg({
      positionen: positions,
      rabatt_prozent: discountPercent,
      ust_satz: ustRate,
      anzahlung: decimal(sums['anzahlung']),
      kleinunternehmer: base.lieferant.kleinunternehmer,
    })
    return {
      ...base,
      entwurf: true,
      datum: day(given['datum']),
      le_date: dayOrNot(given['le_date']),
      le_date_bis: dayOrNot(given['le_date_bis']),
      faellig: dayOrNot(given['faellig']),
      gueltig_bis: dayOrNot(given['gueltig_bis']),
      bearbeiter: text(given['bearbeiter']),
      anrede: text(given['anrede']),
      anschreiben: text(given['anschreiben']),
      zuerl: text(given['zuerl']),
      ust_satz: ustRate,
      rabatt_prozent: discountPercent,
      rabatt_grund: text(given['rabatt_grund']),
      skonto: listOf(given['skonto'], 5, skontoOf),
      positionen: positions.map((position, at) => ({ ...position, ...computed.zeilen[at] })),
      summen: computed.summen,
    }
  } catch (error) {
    if (error instanceof UnfitError) return null
    throw error
  }
}
