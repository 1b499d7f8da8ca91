// Words of received invoices: states, formats, and values of the invoice that are codes, days or numbers.
import type { EingangFormat, EingangListRow } from '#contract/eingang.ts'
import { isDay } from '#domain/day.ts'
import type { InputTaxKind } from '#domain/eingang/input-tax.ts'
import { numberOf } from '#domain/eingang/numbers.ts'
import { formatGerman } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import { UNITS } from '#domain/units.ts'
import type { Tone } from '../../../ui/Display.tsx'
import { formatBytes, formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'

export type Stand = EingangListRow['stand']
export const STANDS: readonly Stand[] = ['neu', 'freigegeben', 'ueberfaellig', 'bezahlt', 'abgelehnt']
export const STAND_TONES: Readonly<Record<Stand, Tone>> = {
  neu: 'info',
  freigegeben: 'warning',
  ueberfaellig: 'danger',
  bezahlt: 'success',
  abgelehnt: 'neutral',
}
export function standText(stand: Stand): string {
  switch (stand) {
    case 'neu':
      return t('neu')
    case 'freigegeben':
      return t('freigegeben')
    case 'ueberfaellig':
      return t('überfällig')
    case 'bezahlt':
      return t('bezahlt')
    case 'abgelehnt':
      return t('abgelehnt')
  }
}

/** What becomes of the tax of a received invoice. */
export function inputTaxText(kind: InputTaxKind): string {
  switch (kind) {
    case 'inland':
      return t('Umsatzsteuer der Rechnung abziehen')
    case 'anzahlung':
      return t('Abschlag: mit der Zahlung abziehen')
    case 'eu_leistung':
      return t('Leistung aus der EU (§ 13b Abs. 1 UStG)')
    case 'andere_leistung':
      return t('Andere Leistung nach § 13b UStG')
    case 'erwerb':
      return t('Ware aus der EU (innergemeinschaftlicher Erwerb)')
    case 'keine':
      return t('keine Vorsteuer')
  }
}

export function formatName(format: EingangFormat): string {
  switch (format) {
    case 'cii':
      return t('E-Rechnung (XML, CII)')
    case 'ubl':
      return t('E-Rechnung (XML, UBL)')
    case 'zugferd':
      return t('E-Rechnung im PDF (ZUGFeRD)')
    case 'pdf':
      return t('PDF ohne E-Rechnung')
  }
}

/** UNTDID 1001: kinds of invoices, as far as they are common. */
function typeName(code: string): string | undefined {
  const names: Readonly<Record<string, string>> = {
    326: t('Teilrechnung'),
    380: t('Rechnung'),
    381: t('Gutschrift'),
    384: t('Korrigierte Rechnung'),
    386: t('Anzahlungsrechnung'),
    389: t('Gutschrift im Sinne des UStG (vom Käufer ausgestellt)'),
    875: t('Teilrechnung (Bau)'),
    876: t('Teilschlussrechnung (Bau)'),
    877: t('Schlussrechnung (Bau)'),
  }
  return names[code]
}
/** UNTDID 4461: means of payment. */
function meansName(code: string): string | undefined {
  const names: Readonly<Record<string, string>> = {
    10: t('bar'),
    30: t('Überweisung'),
    42: t('Überweisung'),
    48: t('Karte'),
    49: t('Lastschrift'),
    57: t('Dauerauftrag'),
    58: t('SEPA-Überweisung'),
    59: t('SEPA-Lastschrift'),
  }
  return names[code]
}
/** UNTDID 5305: tax categories. */
function categoryName(code: string): string | undefined {
  const names: Readonly<Record<string, string>> = {
    S: t('Regelbesteuerung'),
    Z: t('Nullsatz'),
    E: t('steuerfrei'),
    AE: t('Steuerschuldnerschaft des Leistungsempfängers'),
    K: t('innergemeinschaftliche Lieferung'),
    G: t('Ausfuhr'),
    O: t('nicht steuerbar'),
  }
  return names[code]
}

const CATEGORIES = ['BT-95', 'BT-102', 'BT-118', 'BT-151']
const RATES = ['BT-94', 'BT-96', 'BT-101', 'BT-103', 'BT-119', 'BT-138', 'BT-143', 'BT-152']
const NUMBERS = ['BT-129', 'BT-146', 'BT-147', 'BT-148', 'BT-149']
const AMOUNTS = (
  'BT-92 BT-93 BT-99 BT-100 BT-106 BT-107 BT-108 BT-109 BT-110 BT-111 ' +
  'BT-112 BT-113 BT-114 BT-115 BT-116 BT-117 BT-131 BT-136 BT-137 BT-141 BT-142'
).split(' ')

const unitName = (code: string): string | undefined => UNITS.find((unit) => unit.code === code)?.name
const withCode = (code: string, name: string | undefined): string =>
  name === undefined ? code : `${name} (${code})`

/** A value as people read it; what is not what it should be stays as the file says it. */
export function valueText(id: string, text: string): string {
  if (id === 'BT-3') return withCode(text, typeName(text))
  if (id === 'BT-81') return withCode(text, meansName(text))
  if (CATEGORIES.includes(id)) return withCode(text, categoryName(text))
  if (id === 'BT-130' || id === 'BT-150') return withCode(text, unitName(text))
  if (id === 'BT-84' || id === 'BT-91') return formatIban(text)
  if (id === 'BT-125') return formatBytes(Number(text))
  const number = AMOUNTS.includes(id) || RATES.includes(id) || NUMBERS.includes(id) ? numberOf(text) : null
  if (number !== null) {
    const shown = formatGerman(number, { atLeast: AMOUNTS.includes(id) ? 2 : 0 })
    return RATES.includes(id) ? `${shown}\u00A0%` : shown
  }
  return isDay(text) ? formatDate(text) : text
}
