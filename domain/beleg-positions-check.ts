// Check of the lines of a document and of its sums, which are recomputed to the cent: the official rules
// accept a tax that is off by 0.99.

import type { Beleg, BelegPosition, BelegTax, BelegSums } from './beleg.ts'
import { type Findings, isBlank, isERechnung } from './beleg-fault.ts'
import { unitCode } from './units.ts'
import { type Decimal, decimal, formatAmount, isEqual, parseDecimal, sign } from './geld.ts'
import { computeBeleg, isCounted, belegBasisOf, taxOf } from './rechnung.ts'
import { addDays, germanDay, isDay } from './day.ts'
import { rateKind } from './tax-rates.ts'

const HUNDRED = decimal('100')
const REVERSE_CHARGE_WORDS = /steuerschuldnerschaft des leistungsempfängers|reverse[\s-]charge/i
function decimalFault(text: string, places: number): boolean {
  const value = parseDecimal(text)
  return value === null || value.decimals > places
}
export function percentFault(text: string): boolean {
  const value = parseDecimal(text)
  return (
    value === null ||
    value.decimals > 2 ||
    value.wert < 0n ||
    HUNDRED.wert * 10n ** BigInt(value.decimals) < value.wert
  )
}

/** A discount in per cent; below zero it is a surcharge. */
export const discountFault = (text: string): boolean => percentFault(text.trim().replace(/^-/, ''))

const nameOf = (position: BelegPosition, index: number): string =>
  position.art === 'ueberschrift'
    ? `Überschrift ${position.nr || index + 1}`
    : `Position ${position.nr || index + 1}`

/** False if the line's numbers cannot be used for calculation. */
function checkNumbers(
  beleg: Beleg,
  position: BelegPosition,
  at: string,
  name: string,
  found: Findings,
): boolean {
  let right = true
  const wrong = (field: string, code: string, text: string): void => {
    right = false
    found.fehler(`${at}.${field}`, code, text)
  }
  if (decimalFault(position.anzahl, 3))
    wrong(
      'anzahl',
      'anzahl_zahl',
      `${name}: Die Menge ist keine Zahl mit höchstens drei Nachkommastellen. Bitte berichtigen.`,
    )
  else if (sign(decimal(position.anzahl)) === 0)
    found.hint(
      `${at}.anzahl`,
      'anzahl_null',
      `${name}: Die Menge ist 0. Bitte eintragen oder die Zeile löschen.`,
    )
  if (decimalFault(position.ep, 4))
    wrong(
      'ep',
      'ep_zahl',
      `${name}: Der Einzelpreis ist keine Zahl mit höchstens vier Nachkommastellen. Bitte berichtigen.`,
    )
  else if (isERechnung(beleg) && sign(decimal(position.ep)) < 0)
    found.hint(
      `${at}.ep`,
      'ep_negativ',
      `${name}: In der E-Rechnung darf der Einzelpreis nicht negativ sein; ` +
        'dort wird stattdessen die Menge negativ. Bitte gleich so eintragen.',
    )
  if (discountFault(position.rabatt_prozent))
    wrong(
      'rabatt_prozent',
      'rabatt_prozent',
      `${name}: Der Rabatt liegt zwischen −100 und 100 %, mit Minus ist er ein Zuschlag. Bitte berichtigen.`,
    )
  if (percentFault(position.ust_satz))
    wrong('ust_satz', 'ust_satz', `${name}: Der Steuersatz liegt zwischen 0 und 100 %. Bitte auswählen.`)
  return right
}

/** § 27 (1) UStG: the rate is that of the day on which the supply ends. */
const dayOfSupply = (beleg: Beleg, { le_date, le_date_bis }: BelegPosition): string =>
  le_date_bis ?? le_date ?? beleg.le_date_bis ?? beleg.le_date ?? beleg.datum

/**
 * A document states tax for all of its lines or for none. On the other side of a change of § 19 UStG that would be
 * tax on an exempt supply, which is owed all the same (§ 14c (1) UStG), or none on a taxed one (UStAE 19.5).
 */
function checkSmallBusiness(
  beleg: Beleg,
  position: BelegPosition,
  at: string,
  name: string,
  found: Findings,
): void {
  const { kleinunternehmer_von: from = '', kleinunternehmer_bis: to = '9999-12-31' } = beleg.lieferant
  const day = dayOfSupply(beleg, position)
  if (beleg.art === 'angebot' || !isDay(day) || (from <= day && day <= to)) return
  const change = day < from ? from : addDays(to, 1)
  found.fehler(
    `${at}.le_date`,
    'kleinunternehmer_wechsel',
    `${name}: Zwischen dieser Leistung (${germanDay(day)}) und den übrigen liegt ein Wechsel bei § 19 UStG ` +
      `(ab ${germanDay(change)}). Eine Rechnung weist für alle Positionen Steuer aus oder für keine. ` +
      'Bitte diese Position auf eine eigene Rechnung setzen.',
  )
}

function checkRate(beleg: Beleg, position: BelegPosition, at: string, name: string, found: Findings): void {
  const { ust_satz } = position
  const day = dayOfSupply(beleg, position)
  const kind = beleg.lieferant.land === 'DE' && isDay(day) ? rateKind(ust_satz, day) : 'fremd'
  // § 14c (1) UStG: who states a tax that is too high owes it.
  if (kind === null)
    found.fehler(
      `${at}.ust_satz`,
      'satz_unbekannt',
      `${name}: ${formatAmount(ust_satz)} % war am ${germanDay(day)} kein deutscher Steuersatz. ` +
        'Bitte Satz oder Leistungsdatum berichtigen.',
    )
  else if (kind === 'forst')
    found.hint(
      `${at}.ust_satz`,
      'satz_ungewoehnlich',
      `${name}: ${formatAmount(ust_satz)} % gilt nur für land- und forstwirtschaftliche Betriebe (§ 24 UStG). ` +
        'Bitte prüfen.',
    )
  else if (kind === 'fremd' && rateKind(ust_satz, day) !== 'allgemein')
    found.hint(
      `${at}.ust_satz`,
      'satz_ungewoehnlich',
      `${name}: ${formatAmount(ust_satz)} % ist kein deutscher Steuersatz. Bitte prüfen.`,
    )
}

function checkTax(beleg: Beleg, position: BelegPosition, at: string, name: string, found: Findings): void {
  const { kategorie, ust_satz, steuergrund } = position
  const due = taxOf(position, {
    ust_satz: beleg.ust_satz,
    kleinunternehmer: beleg.lieferant.kleinunternehmer,
  })
  if (due.kategorie !== kategorie || !isEqual(decimal(due.satz), decimal(ust_satz))) {
    if (beleg.lieferant.kleinunternehmer)
      found.fehler(
        `${at}.kategorie`,
        'kleinunternehmer_steuer',
        `${name}: Kleinunternehmer weisen keine Steuer aus. ` +
          'Bitte den Steuersatz entfernen oder die Einstellungen berichtigen.',
      )
    else
      found.fehler(
        `${at}.ust_satz`,
        'satz_nicht_null',
        `${name}: Steuerfrei und Steuersatz schließen sich aus. ` +
          'Bitte den Satz auf 0 % setzen oder die Kategorie ändern.',
      )
    return
  }
  if (beleg.lieferant.kleinunternehmer) return
  if (kategorie === 'S' && sign(decimal(ust_satz)) === 0)
    found.fehler(
      `${at}.ust_satz`,
      'satz_null',
      `${name}: Zu 0 % gehört eine Steuerkategorie mit Grund. Bitte „steuerfrei“ oder eine andere wählen.`,
    )
  else if (kategorie === 'S') checkRate(beleg, position, at, name, found)
  if ((kategorie === 'E' || kategorie === 'O') && isBlank(steuergrund))
    found.fehler(
      `${at}.steuergrund`,
      'steuergrund_fehlt',
      `${name}: Ohne Steuer muss der Grund genannt werden (z. B. „Steuerfrei nach § 4 Nr. 12 UStG“). ` +
        'Bitte eintragen.',
    )
  // § 14a (1) and (5) UStG: in these words, or in those of Article 226 Nr. 11a of Directive 2006/112/EC.
  if (kategorie === 'AE' && !isBlank(steuergrund) && !REVERSE_CHARGE_WORDS.test(steuergrund))
    found.fehler(
      `${at}.steuergrund`,
      'reverse_charge_hinweis',
      `${name}: Auf der Rechnung müssen die Worte „Steuerschuldnerschaft des Leistungsempfängers“ stehen ` +
        '(§ 14a UStG). Bitte ergänzen Sie den Grund, oder löschen Sie ihn: Dann werden sie automatisch gedruckt.',
    )
}

/** What a day of a line says against the days of the document; planned days of an offer often stay behind. */
function checkDaysTogether(
  beleg: Beleg,
  position: BelegPosition,
  at: string,
  name: string,
  found: Findings,
): void {
  if (beleg.art !== 'rechnung' && beleg.art !== 'schluss') return
  const { le_date, le_date_bis } = position
  const [from, to] = [le_date ?? '', le_date_bis ?? le_date ?? '']
  if (!isCounted(position) || !isDay(from) || !isDay(to)) return
  const [start, end] = [beleg.le_date ?? '', beleg.le_date_bis ?? beleg.le_date ?? '']
  if (isDay(beleg.datum) && to > beleg.datum)
    found.hint(
      `${at}.le_date`,
      'le_date_nach_datum',
      `${name}: Die Leistung (${germanDay(to)}) liegt nach dem Rechnungsdatum. Ist das der geplante Tag? Dann bitte ` +
        'den wirklichen eintragen: Nach ihm richtet sich der Monat der Umsatzsteuer.',
    )
  else if (isDay(start) && isDay(end) && (from < start || to > end))
    found.hint(
      `${at}.le_date`,
      'le_date_ausserhalb',
      `${name}: Das Leistungsdatum (${germanDay(from)}) liegt außerhalb des Leistungszeitraums der Rechnung. ` +
        'Für die Umsatzsteuer zählt der Tag der Position. Bitte prüfen.',
    )
}

function checkLineDays(position: BelegPosition, at: string, name: string, found: Findings): void {
  const { le_date, le_date_bis } = position
  for (const field of ['le_date', 'le_date_bis'] as const) {
    const day = position[field]
    if (day !== null && !isDay(day))
      found.fehler(
        `${at}.${field}`,
        'tag',
        `${name}: Dieses Leistungsdatum gibt es nicht. Bitte berichtigen.`,
      )
  }
  if (le_date_bis !== null && le_date === null)
    found.fehler(
      `${at}.le_date`,
      'le_date_fehlt',
      `${name}: Der Beginn des Leistungszeitraums fehlt. Bitte eintragen.`,
    )
  else if (le_date !== null && le_date_bis !== null && le_date_bis < le_date)
    found.fehler(
      `${at}.le_date_bis`,
      'le_date_bis_vor_le_date',
      `${name}: Der Leistungszeitraum endet (${germanDay(le_date_bis)}), bevor er beginnt ` +
        `(${germanDay(le_date)}). Bitte berichtigen.`,
    )
}

/** False if the sums cannot be recomputed. */
function checkPosition(beleg: Beleg, position: BelegPosition, index: number, found: Findings): boolean {
  const at = `positionen.${index}`
  const name = nameOf(position, index)
  if (isBlank(position.bez))
    found.fehler(
      `${at}.bez`,
      'bez_fehlt',
      `${name}: Die Bezeichnung fehlt. Bitte Art der Leistung eintragen.`,
    )
  if (position.art === 'ueberschrift') return true
  if (isBlank(position.einheit))
    found.hint(
      `${at}.einheit`,
      'einheit_fehlt',
      `${name}: Die Einheit fehlt. Bitte eintragen (Std, ha, km, Stk, psch …).`,
    )
  else if (isERechnung(beleg) && !unitCode(position.einheit).bekannt)
    found.hint(
      `${at}.einheit`,
      'einheit_unbekannt',
      `${name}: Die Einheit „${position.einheit.trim()}“ kennt die E-Rechnung nicht; ` +
        'sie wird als „Einheit“ gesendet. Bitte eine übliche wählen (Std, ha, km, Stk, psch …).',
    )
  checkLineDays(position, at, name, found)
  checkDaysTogether(beleg, position, at, name, found)
  if (!checkNumbers(beleg, position, at, name, found)) return false
  if (isCounted(position)) {
    checkSmallBusiness(beleg, position, at, name, found)
    checkTax(beleg, position, at, name, found)
  }
  return true
}

/** BT-126 must be unique, and people refer to lines by it. */
function checkLineNumbers(beleg: Beleg, found: Findings): void {
  const seen = new Set<string>()
  for (const [index, { nr, art }] of beleg.positionen.entries()) {
    if (nr === '' && art !== 'ueberschrift')
      found.fehler(
        `positionen.${index}.nr`,
        'nr_fehlt',
        'Eine Position hat keine Nummer. Bitte die Positionen neu speichern.',
      )
    else if (nr !== '' && seen.has(nr))
      found.fehler(
        `positionen.${index}.nr`,
        'nr_doppelt',
        `Die Positionsnummer ${nr} gibt es zweimal. Bitte die Positionen neu speichern.`,
      )
    seen.add(nr)
  }
}

const sameAmount = (one: string, other: string): boolean => {
  const read: Decimal | null = parseDecimal(one)
  return read !== null && isEqual(read, decimal(other))
}

const SUM_NAMES = {
  positionen: 'Summe der Positionen',
  rabatt: 'Rabatt',
  netto: 'Nettobetrag',
  steuer: 'Umsatzsteuer',
  brutto: 'Bruttobetrag',
  zahlbetrag: 'Zahlbetrag',
} as const
const GROUP_NAMES = {
  positionen: 'Summe',
  rabatt: 'Rabatt',
  basis: 'Bemessungsgrundlage',
  steuer: 'Steuer',
} as const
const groupTitle = ({ kategorie, satz }: BelegTax): string =>
  `Steuergruppe ${kategorie} ${formatAmount(satz)} %`
const AGAIN = 'Bitte den Beleg neu speichern; bleibt der Unterschied, bitte an den Support wenden.'

function checkGroup(has: BelegTax, due: BelegTax, index: number, found: Findings): void {
  const at = `summen.steuern.${index}`
  const name = groupTitle(due)
  if (has.kategorie !== due.kategorie || !sameAmount(has.satz, due.satz)) {
    found.fehler(at, 'steuergruppen', `Die Steuergruppen passen nicht zu den Positionen. ${AGAIN}`)
    return
  }
  if (has.grund !== due.grund)
    found.fehler(
      `${at}.grund`,
      'steuergrund',
      `${name}: Der Grund stimmt nicht mit den Positionen überein. ${AGAIN}`,
    )
  for (const field of ['positionen', 'rabatt', 'basis', 'steuer'] as const)
    if (!sameAmount(has[field], due[field]))
      found.fehler(
        `${at}.${field}`,
        'steuergruppe_falsch',
        `${name}: ${GROUP_NAMES[field]} ist ${has[field]}, richtig wäre ${due[field]}. ${AGAIN}`,
      )
}

function checkSums(has: BelegSums, due: BelegSums, found: Findings): void {
  for (const field of ['positionen', 'rabatt', 'netto', 'steuer', 'brutto', 'zahlbetrag'] as const)
    if (!sameAmount(has[field], due[field]))
      found.fehler(
        `summen.${field}`,
        'summe_falsch',
        `${SUM_NAMES[field]} ist ${has[field]}, richtig wäre ${due[field]}. ${AGAIN}`,
      )
  if (has.steuern.length !== due.steuern.length)
    found.fehler(
      'summen.steuern',
      'steuergruppen',
      `Die Steuergruppen passen nicht zu den Positionen. ${AGAIN}`,
    )
  else
    for (const [index, group] of due.steuern.entries()) checkGroup(has.steuern[index]!, group, index, found)
}

export function checkPositions(beleg: Beleg, found: Findings): void {
  if (
    !beleg.positionen.some((position) =>
      beleg.art === 'angebot' ? position.art !== 'ueberschrift' : isCounted(position),
    )
  )
    found.fehler(
      'positionen',
      'positionen_fehlen',
      'Der Beleg enthält keine Position, die berechnet wird. Bitte mindestens eine eintragen.',
    )
  const readable = beleg.positionen
    .map((position, index) => checkPosition(beleg, position, index, found))
    .every(Boolean)
  checkLineNumbers(beleg, found)
  if (beleg.summen.steuern.some(({ kategorie }) => kategorie === 'O') && beleg.summen.steuern.length > 1)
    (beleg.art === 'angebot' ? found.hint : found.fehler)(
      'summen.steuern',
      'nicht_steuerbar_allein',
      'Nicht steuerbare Leistungen müssen allein auf einer Rechnung stehen. ' +
        'Bitte die übrigen Positionen auf eine eigene Rechnung setzen.',
    )
  if (
    !readable ||
    discountFault(beleg.rabatt_prozent) ||
    percentFault(beleg.ust_satz) ||
    parseDecimal(beleg.summen.anzahlung) === null
  )
    return
  const { summen, zeilen } = computeBeleg(belegBasisOf(beleg))
  for (const [index, row] of zeilen.entries())
    if (!sameAmount(beleg.positionen[index]!.betrag, row.betrag))
      found.fehler(
        `positionen.${index}.betrag`,
        'betrag_falsch',
        `${nameOf(beleg.positionen[index]!, index)}: ` +
          `Der Betrag ist ${beleg.positionen[index]!.betrag}, richtig wäre ${row.betrag}. ${AGAIN}`,
      )
  checkSums(beleg.summen, summen, found)
}
