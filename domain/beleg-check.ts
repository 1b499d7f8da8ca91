// Finds what is wrong with a document before it is issued: everything that § 14 UStG and the chosen format
// require, reported here with the field and the next step rather than by the recipient's portal. The official
// rules accept wrong check digits, a missing due date and a tax that is off by 0.99; this check does not. At
// issue, SQL checks again by the same rules (books.beleg_faults); both sides are tested with
// beleg-check.cases.json.

import { isInvoiceKind } from './abschlag.ts'
import type { Beleg, BelegPosition } from './beleg.ts'
import {
  type BelegFault,
  type Collected,
  collect,
  type Findings,
  isBlank,
  isERechnung,
} from './beleg-fault.ts'
import { checkParties } from './beleg-parties-check.ts'
import { checkPlace } from './beleg-place-check.ts'
import { checkPositions, discountFault, percentFault } from './beleg-positions-check.ts'
import { checkReference } from './beleg-reference-check.ts'
import { missingGlyphs } from './printable.ts'
import { compare, type Decimal, decimal, formatEuro, parseDecimal, sign } from './geld.ts'
import { isCounted } from './rechnung.ts'
import { addMonths, daysBetween, germanDay, isDay } from './day.ts'

/** § 33 UStDV, gross. */
const SMALL_AMOUNT = decimal('250.00')

/** Longest texts: the limits of the columns. */
export const TEXT_LENGTHS: Readonly<Record<string, number>> = {
  nummer: 60,
  bearbeiter: 100,
  anrede: 500,
  anschreiben: 10000,
  zuerl: 10000,
  rabatt_grund: 200,
  name: 200,
  name_zusatz: 200,
  strasse: 200,
  plz: 12,
  ort: 200,
  steuernummer: 40,
  ust_id: 15,
  ansprechpartner: 100,
  telefon: 40,
  mail: 254,
  webseite: 200,
  bank: 100,
  kontoinhaber: 70,
  iban: 34,
  bic: 11,
  fusszeile: 1000,
  aufbewahrung: 500,
  leitweg_id: 46,
  bestellnummer: 100,
  kaeufer_ref: 100,
  projekt_nr: 100,
  vertrag_nr: 100,
  vergabe_nr: 100,
  objekt_nr: 100,
  bez: 500,
  einheit: 20,
  erl: 5000,
  erl_titel: 200,
  steuergrund: 200,
}
const POSITION_TEXTS = [
  'bez',
  'einheit',
  'erl',
  'erl_titel',
  'steuergrund',
] as const satisfies readonly (keyof BelegPosition)[]

/** XML 1.0 cannot contain these, escaped or not. */
const NO_XML = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|` +
    String.raw`[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]`,
)

function checkText(field: string, name: string, text: unknown, found: Findings): void {
  const most = TEXT_LENGTHS[name]
  if (typeof text !== 'string' || most === undefined) return
  // Code points, as PostgreSQL counts characters.
  const length = [...text].length
  if (length > most)
    found.fehler(
      field,
      'zu_lang',
      `Der Text hat ${length} Zeichen, höchstens ${most} sind möglich. Bitte kürzen.`,
    )
  if (NO_XML.test(text))
    found.fehler(
      field,
      'zeichen',
      'Der Text enthält unsichtbare Steuerzeichen. Bitte löschen und neu eintippen.',
    )
}

function checkTexts(beleg: Beleg, found: Findings): void {
  for (const [name, text] of Object.entries(beleg)) checkText(name, name, text, found)
  for (const party of ['lieferant', 'empfaenger'] as const)
    for (const [name, text] of Object.entries(beleg[party])) checkText(`${party}.${name}`, name, text, found)
  for (const [name, text] of Object.entries(beleg.verweise ?? {}))
    checkText(`verweise.${name}`, name, text, found)
  for (const [index, position] of beleg.positionen.entries())
    for (const name of POSITION_TEXTS) checkText(`positionen.${index}.${name}`, name, position[name], found)
}

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
/** Includes the code point, because the character itself usually displays fine on screen. */
const named = (characters: readonly string[]): string =>
  characters
    .slice(0, 5)
    .map((character) => `„${character}“ (${codeOf(character)})`)
    .join(', ') + (characters.length > 5 ? ` und ${characters.length - 5} weitere` : '')

function replaceIt(field: string): string {
  if (field.startsWith('lieferant.'))
    return 'Bitte in den Einstellungen der Buchhaltung ersetzen oder löschen.'
  return /^empfaenger\.(?!bestellnummer)/.test(field)
    ? 'Bitte beim Kunden ersetzen oder löschen.'
    : 'Bitte ersetzen oder löschen.'
}

/** PDF/A does not allow characters without a glyph: a box would be printed. */
function checkGlyphs(beleg: Beleg, found: Collected): void {
  const unusable = new Set(found.faults.filter(({ code }) => code === 'zeichen').map(({ feld }) => feld))
  for (const { feld, position, zeichen } of missingGlyphs(beleg)) {
    const at = position === null ? feld : `positionen.${position}.${feld}`
    if (unusable.has(at)) continue
    found.fehler(
      at,
      'zeichen_druck',
      `Die Schrift der Dokumente kennt ${zeichen.length === 1 ? 'dieses Zeichen' : 'diese Zeichen'} ` +
        `nicht: ${named(zeichen)}. ${replaceIt(feld)}`,
    )
  }
}

function checkDay(field: string, day: string | null, found: Findings): day is string {
  if (day === null) return false
  if (isDay(day)) return true
  found.fehler(field, 'tag', 'Dieses Datum gibt es nicht. Bitte ein anderes auswählen.')
  return false
}

/** § 14 (4) Nr. 6: date of supply. */
function checkSupply(beleg: Beleg, smallAmount: boolean, found: Findings): void {
  const { le_date, le_date_bis, datum } = beleg
  if (le_date === null) {
    // An advance need not know the day of its supply (§ 14 (5) with (4) Nr. 6 UStG), except in the format that
    // asks for one (BR-DE-TMP-32).
    if (beleg.art === 'abschlag' && beleg.format !== 'xrechnung') return
    // Each line may have its own date.
    const counted = beleg.positionen.filter(isCounted)
    if (counted.length > 0 && counted.every((position) => position.le_date !== null)) return
    const say = smallAmount && !isERechnung(beleg) ? found.hint : found.fehler
    say(
      'le_date',
      'le_date_fehlt',
      beleg.art === 'abschlag'
        ? 'Für eine XRechnung fehlt, wann die Leistung voraussichtlich ausgeführt wird. Bitte eintragen.'
        : 'Das Leistungsdatum fehlt (§ 14 UStG). Bitte den Tag oder den ersten Tag des Zeitraums eintragen.',
    )
    return
  }
  if (!checkDay('le_date', le_date, found)) return
  // What is to come is what an advance is for.
  if (beleg.art !== 'abschlag' && isDay(datum) && le_date > datum)
    found.hint(
      'le_date',
      'le_date_nach_datum',
      `Die Leistung (${germanDay(le_date)}) liegt nach dem Rechnungsdatum: Das ist eine Vorausrechnung. Bitte prüfen.`,
    )
  const end = le_date_bis ?? le_date
  if (le_date_bis !== null && checkDay('le_date_bis', le_date_bis, found)) {
    if (le_date_bis < le_date)
      found.fehler(
        'le_date_bis',
        'le_date_bis_vor_le_date',
        `Der Leistungszeitraum endet (${germanDay(le_date_bis)}), bevor er beginnt ` +
          `(${germanDay(le_date)}). Bitte berichtigen.`,
      )
    else if (beleg.art !== 'abschlag' && isDay(datum) && le_date <= datum && le_date_bis > datum)
      found.hint(
        'le_date_bis',
        'le_date_nach_datum',
        `Der Leistungszeitraum endet (${germanDay(le_date_bis)}) nach dem Rechnungsdatum. Bitte prüfen.`,
      )
  }
  const isFinal = beleg.art === 'rechnung' || beleg.art === 'schluss'
  if (isFinal && isDay(datum) && isDay(end) && end >= le_date && datum > addMonths(end, 6))
    found.hint(
      'datum',
      'sechs_monate',
      'Die Leistung liegt mehr als sechs Monate zurück; ' +
        'für Arbeiten an Grundstücken ist die Frist nach § 14 Abs. 2 UStG damit verstrichen. ' +
        'Bitte sofort ausstellen.',
    )
}

function checkDatum(beleg: Beleg, today: string, found: Findings): void {
  if (beleg.datum === '') found.fehler('datum', 'datum_fehlt', 'Das Datum fehlt. Bitte eintragen.')
  else if (checkDay('datum', beleg.datum, found) && beleg.datum > today)
    found.fehler(
      'datum',
      'datum_zukunft',
      `Das Datum liegt in der Zukunft. Bitte spätestens den ${germanDay(today)} eintragen.`,
    )
  if (!beleg.entwurf && beleg.art !== 'mahnung' && isBlank(beleg.nummer))
    found.fehler(
      'nummer',
      'nummer_fehlt',
      'Der ausgestellte Beleg hat keine Nummer. Bitte an den Support wenden.',
    )
}

function checkTerms(beleg: Beleg, payable: Decimal | null, found: Findings): void {
  if (beleg.art === 'angebot') {
    if (beleg.gueltig_bis === null)
      found.hint(
        'gueltig_bis',
        'gueltig_bis_fehlt',
        'Das Angebot hat keine Bindefrist. Bitte eintragen, bis wann es gilt.',
      )
    else if (checkDay('gueltig_bis', beleg.gueltig_bis, found) && beleg.gueltig_bis < beleg.datum)
      found.fehler(
        'gueltig_bis',
        'gueltig_bis_vor_datum',
        'Das Angebot wäre schon abgelaufen. Bitte eine spätere Bindefrist eintragen.',
      )
    return
  }
  if (beleg.faellig === null) {
    if (beleg.art !== 'storno' && beleg.art !== 'korrektur' && payable !== null && sign(payable) > 0)
      found.fehler('faellig', 'faellig_fehlt', 'Die Fälligkeit fehlt. Bitte ein Zahlungsziel eintragen.')
  } else if (checkDay('faellig', beleg.faellig, found) && beleg.faellig < beleg.datum)
    found.fehler(
      'faellig',
      'faellig_vor_datum',
      'Die Fälligkeit liegt vor dem Rechnungsdatum. Bitte das Zahlungsziel berichtigen.',
    )
  checkSkonto(beleg, found)
}

function checkSkonto({ skonto, faellig, datum }: Beleg, found: Findings): void {
  const days = new Set<number>()
  for (const [index, { tage, prozent }] of skonto.entries()) {
    const at = `skonto.${index}`
    if (!Number.isInteger(tage) || tage < 1 || tage > 999)
      found.fehler(`${at}.tage`, 'skonto_tage', 'Die Skontofrist beträgt 1 bis 999 Tage. Bitte berichtigen.')
    else {
      if (days.has(tage))
        found.fehler(
          `${at}.tage`,
          'skonto_doppelt',
          `Für ${tage} Tage sind zwei Skontosätze eingetragen. Bitte einen löschen.`,
        )
      days.add(tage)
      if (faellig !== null && isDay(faellig) && isDay(datum) && daysBetween(datum, faellig) < tage)
        found.hint(
          `${at}.tage`,
          'skonto_nach_faellig',
          'Die Skontofrist endet nach der Fälligkeit. Bitte prüfen.',
        )
    }
    const percent = parseDecimal(prozent)
    if (
      percent === null ||
      percent.decimals > 2 ||
      sign(percent) <= 0 ||
      compare(percent, decimal('100')) >= 0
    )
      found.fehler(
        `${at}.prozent`,
        'skonto_prozent',
        'Der Skontosatz liegt über 0 und unter 100 % und hat höchstens zwei Nachkommastellen. Bitte berichtigen.',
      )
  }
}

function checkDiscount(beleg: Beleg, found: Findings): void {
  if (discountFault(beleg.rabatt_prozent))
    found.fehler(
      'rabatt_prozent',
      'rabatt_prozent',
      'Der Rabatt liegt zwischen −100 und 100 %, mit Minus ist er ein Zuschlag. Bitte berichtigen.',
    )
  else if (sign(decimal(beleg.rabatt_prozent)) !== 0 && isBlank(beleg.rabatt_grund))
    (isERechnung(beleg) ? found.fehler : found.hint)(
      'rabatt_grund',
      'rabatt_grund_fehlt',
      sign(decimal(beleg.rabatt_prozent)) < 0
        ? 'Zum Zuschlag fehlt der Grund für den Beleg. Bitte eintragen (z. B. „Steilhang“).'
        : 'Zum Rabatt fehlt der Grund für den Beleg. Bitte eintragen (z. B. „Treuerabatt“).',
    )
  if (percentFault(beleg.ust_satz))
    found.fehler('ust_satz', 'ust_satz', 'Der Steuersatz liegt zwischen 0 und 100 %. Bitte auswählen.')
}

function checkAmounts(beleg: Beleg, gross: Decimal | null, found: Findings): void {
  const advance = parseDecimal(beleg.summen.anzahlung)
  if (advance === null)
    found.fehler('summen.anzahlung', 'anzahlung_zahl', 'Die Anzahlung ist keine Zahl. Bitte berichtigen.')
  if (gross === null || advance === null || beleg.art === 'storno') return
  if (sign(advance) < 0)
    found.fehler('summen.anzahlung', 'anzahlung_negativ', 'Die Anzahlung ist negativ. Bitte berichtigen.')
  // More received for advances than the work has come to is paid back.
  else if (beleg.art !== 'schluss' && sign(advance) > 0 && compare(advance, gross) > 0)
    found.fehler(
      'summen.anzahlung',
      'anzahlung_zu_hoch',
      `Die Anzahlung ist höher als der Rechnungsbetrag: ${formatEuro(advance)} von ${formatEuro(gross)}. ` +
        'Bitte höchstens den Rechnungsbetrag eintragen.',
    )
  // § 31 (5) UStDV: what takes an invoice back names that invoice, as Storno and correction do.
  if (isInvoiceKind(beleg.art) && beleg.art !== 'korrektur' && sign(gross) < 0)
    found.fehler(
      'summen.brutto',
      'brutto_negativ',
      'Der Rechnungsbetrag ist negativ. Um eine Rechnung zurückzunehmen, bitte sie stornieren.',
    )
  if (beleg.art === 'angebot' && sign(gross) < 0)
    found.fehler(
      'summen.brutto',
      'brutto_negativ',
      'Der Angebotsbetrag ist negativ. Bitte Mengen und Preise prüfen.',
    )
  if (isInvoiceKind(beleg.art) && sign(gross) === 0)
    found.hint('summen.brutto', 'brutto_null', 'Der Rechnungsbetrag ist 0,00 €. Bitte prüfen.')
}

/** § 27 (38) UStG: from 2027 with a turnover of more than 800,000 €, from 2028 for everyone. */
function checkDuty(beleg: Beleg, smallAmount: boolean, found: Findings): void {
  if (beleg.format !== 'pdf' || !isInvoiceKind(beleg.art)) return
  const { empfaenger, lieferant, datum, summen } = beleg
  if (
    smallAmount ||
    empfaenger.ist_privat ||
    empfaenger.land !== 'DE' ||
    lieferant.kleinunternehmer ||
    datum < '2027-01-01'
  )
    return
  if (summen.steuern.every(({ kategorie }) => kategorie === 'E' || kategorie === 'O')) return
  found.hint(
    'format',
    'e_rechnung_pflicht',
    datum < '2028-01-01'
      ? 'Ab 2027 müssen Betriebe mit mehr als 800.000 € Umsatz E-Rechnungen stellen. ' +
          'Bitte prüfen und beim Kunden ZUGFeRD oder XRechnung wählen.'
      : 'Unternehmen müssen eine E-Rechnung bekommen. Bitte beim Kunden ZUGFeRD oder XRechnung wählen.',
  )
}

/** Faults first, then hints; each in the order of the document. `heute`: today's date on the server. */
export function belegFaults(beleg: Beleg, today: string): BelegFault[] {
  const found = collect()
  const gross = parseDecimal(beleg.summen.brutto)
  const smallAmount =
    gross !== null &&
    isInvoiceKind(beleg.art) &&
    // Sentence 3: not where the recipient owes the tax.
    beleg.summen.steuern.every(({ kategorie }) => kategorie !== 'AE') &&
    compare(sign(gross) < 0 ? { ...gross, wert: -gross.wert } : gross, SMALL_AMOUNT) <= 0
  const isInvoice = isInvoiceKind(beleg.art)
  checkDatum(beleg, today, found)
  if (isInvoice) checkSupply(beleg, smallAmount, found)
  checkTerms(beleg, parseDecimal(beleg.summen.zahlbetrag), found)
  checkReference(beleg, found)
  checkParties(beleg, smallAmount, found)
  checkPlace(beleg, found)
  checkDiscount(beleg, found)
  checkAmounts(beleg, gross, found)
  if (beleg.art !== 'mahnung') checkPositions(beleg, found)
  checkDuty(beleg, smallAmount, found)
  checkTexts(beleg, found)
  checkGlyphs(beleg, found)
  return [
    ...found.faults.filter(({ severity }) => severity === 'fehler'),
    ...found.faults.filter(({ severity }) => severity === 'hinweis'),
  ]
}

export const isIssuable = (faults: readonly BelegFault[]): boolean =>
  faults.every(({ severity }) => severity !== 'fehler')
