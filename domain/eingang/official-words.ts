// German sentences for the official rules. CEN writes its rules in English, KoSIT its own (BR-DE) in German; those
// stay as they are. A family of rules has one sentence; which fields it is about is read from the rule itself.
import { nameOf } from './fault.ts'

export interface RuleFinding {
  readonly rule: string
  readonly level: string
  /** XPath, or the line of the file. */
  readonly location: string
  readonly text: string
}

const MOST_NAMES = 3

const termsIn = (text: string): string[] => [...new Set(text.match(/\bB[TG]-\d{1,3}\b/g) ?? [])]
/** "Rechnungsnummer (BT-1), Rechnungsdatum (BT-2)" */
const namesIn = (text: string): string =>
  termsIn(text)
    .slice(0, MOST_NAMES)
    .map((id) => `${nameOf(id)} (${id})`)
    .join(', ')

export const ruleTerm = ({ text }: RuleFinding): string =>
  termsIn(text).find((id) => id.startsWith('BT-')) ?? termsIn(text)[0] ?? 'BG-0'

/** Steps of a location whose number is that of a line, and between them perhaps their namespace. */
const LINE_STEP =
  /(?:IncludedSupplyChainTradeLineItem|InvoiceLine|CreditNoteLine)(?:\[[^[\]]{0,200}\])?\[(\d{1,9})\]/

/**
 * The line of the invoice by its order, if the rule is about one. A location quotes names of the file, so it is bounded
 * (official.ts), and the pattern looks at each letter a bounded number of times.
 */
export const rulePlace = ({ location }: RuleFinding): string => LINE_STEP.exec(location)?.[1] ?? ''

/** Rules with their own sentence. */
const SENTENCES: Readonly<Record<string, string>> = {
  'BR-27': 'Der Nettopreis eines Artikels ist negativ.',
  'BR-28': 'Der Bruttopreis eines Artikels ist negativ.',
  'BR-29': 'Der Abrechnungszeitraum endet, bevor er beginnt.',
  'BR-30': 'Der Zeitraum einer Position endet, bevor er beginnt.',
  'BR-51': 'Eine Kartennummer steht vollständig in der Rechnung.',
  'BR-CO-03':
    'Der Tag der Steuerentstehung und sein Schlüssel (BT-7, BT-8) stehen beide da; erlaubt ist nur eines.',
  'BR-CO-04': 'Einer Position fehlt die Steuerkategorie (BT-151).',
  'BR-CO-09': 'Eine USt-IdNr. beginnt nicht mit dem Kürzel ihres Landes.',
  'BR-CO-10': 'Die Summe der Positionen (BT-106) stimmt nicht mit den einzelnen Positionen überein.',
  'BR-CO-11': 'Die Summe der Nachlässe (BT-107) stimmt nicht mit den einzelnen Nachlässen überein.',
  'BR-CO-12': 'Die Summe der Zuschläge (BT-108) stimmt nicht mit den einzelnen Zuschlägen überein.',
  'BR-CO-13':
    'Das Netto (BT-109) ist nicht die Summe der Positionen abzüglich Nachlässen, zuzüglich Zuschlägen.',
  'BR-CO-14': 'Die Umsatzsteuer (BT-110) ist nicht die Summe der Steuerbeträge je Satz.',
  'BR-CO-15': 'Das Brutto (BT-112) ist nicht Netto und Umsatzsteuer zusammen.',
  'BR-CO-16':
    'Der Zahlbetrag (BT-115) ist nicht das Brutto abzüglich der Anzahlungen, zuzüglich der Rundung.',
  'BR-CO-17': 'Ein Steuerbetrag (BT-117) stimmt nicht mit Nettobetrag mal Steuersatz überein.',
  'BR-CO-18': 'Die Aufstellung der Umsatzsteuer je Satz (BG-23) fehlt.',
  'BR-CO-19': 'Der Abrechnungszeitraum hat weder Anfang noch Ende.',
  'BR-CO-20': 'Der Zeitraum einer Position hat weder Anfang noch Ende.',
  'BR-CO-25': 'Fälligkeit und Zahlungsbedingungen (BT-9, BT-20) fehlen beide.',
  'BR-CO-26': 'Der Verkäufer hat weder USt-IdNr. noch eine andere Kennung (BT-29, BT-30, BT-31).',
  XSD: 'Der Aufbau der Datei entspricht nicht dem amtlichen Schema.',
}
const CATEGORIES: Readonly<Record<string, string>> = {
  S: 'S',
  Z: 'Z',
  E: 'E',
  AE: 'AE',
  IC: 'K',
  G: 'G',
  O: 'O',
  AF: 'L',
  IG: 'L',
  AG: 'M',
  IP: 'M',
}

/** In each tax category but B (split payment) the rules have the same numbers (EN 16931-1, 6.4.3). */
function categorySentence(category: string, number: number): string {
  if (number === 1)
    return `Die Zusammenfassung der Steuerkategorie ${category} (BG-23) fehlt oder ist nicht eindeutig.`
  if (number <= 4)
    return `Zur Steuerkategorie ${category} fehlt eine Steuernummer oder USt-IdNr., oder es steht eine zu viel da.`
  if (number <= 7) return `Ein Steuersatz passt nicht zur Steuerkategorie ${category}.`
  if (number === 8)
    return `Der Nettobetrag der Steuerkategorie ${category} (BT-116) stimmt nicht mit den Positionen überein.`
  if (number === 9) return `Der Steuerbetrag der Steuerkategorie ${category} (BT-117) ist falsch.`
  if (number === 10)
    return (
      `Der Grund der Steuerbefreiung (BT-120, BT-121) fehlt bei Steuerkategorie ${category}, ` +
      'oder er gehört nicht dorthin.'
    )
  return `Die Rechnung enthält nicht, was bei Steuerkategorie ${category} dazugehört.`
}

/** KoSIT writes German. */
const isGerman = (text: string): boolean =>
  /\b(?:muss|müssen|soll|sollen|sollte|darf|dürfen|wenn|nicht)\b/i.test(text)

function familySentence(rule: string, text: string): string {
  const names = namesIn(text)
  if (rule.startsWith('BR-DEC-')) return `Ein Betrag hat mehr als zwei Nachkommastellen: ${names || rule}.`
  if (rule.startsWith('BR-CL-'))
    return `Ein Schlüssel steht nicht in der amtlichen Codeliste (Regel ${rule}).`
  if (/^(?:UBL|CII)-/.test(rule))
    return `Die Datei verwendet ein Element anders, als die Norm es vorsieht (Regel ${rule}).`
  if (/^BR-(?:CO-)?\d+$/.test(rule) && names !== '') return `Eine Pflichtangabe fehlt: ${names}.`
  return names === ''
    ? `Eine amtliche Regel ist nicht eingehalten (Regel ${rule}).`
    : `Eine amtliche Regel ist nicht eingehalten: ${names}.`
}

export function ruleText({ rule, text }: RuleFinding): string {
  const own = SENTENCES[rule]
  if (own !== undefined) return own
  const [, code = '', number = ''] = /^BR-([A-Z]{1,2})-(\d+)$/.exec(rule) ?? []
  const category = CATEGORIES[code]
  if (category !== undefined) return categorySentence(category, Number(number))
  const words = text.replace(/^\[[^\]]+\]\s*-?\s*/, '')
  return isGerman(words) ? words : familySentence(rule, text)
}
