// The Umsatzsteuer-Voranmeldung (form USt 1 A): numbers of its figures by year, and which of them a part of a
// document belongs to. Numbers of another year are another entry of FORMS.
import type { TaxCategory } from '../beleg.ts'
import { type InputTaxKind, isOwnTax } from '../eingang/input-tax.ts'
import type { Place } from '../supply-place.ts'
import type { TaxArea } from '../tax-area.ts'
import { rateKind } from '../tax-rates.ts'

/** eingang: tax that we owe as the recipient; vorsteuer: tax that we deduct, which has no base. */
export type KennzahlGroup = 'steuerpflichtig' | 'steuerfrei' | 'ergaenzend' | 'eingang' | 'vorsteuer'
export interface Kennzahl {
  /** Number of the base; for input tax, which has no base on the form, that of the tax. */
  readonly nr: string
  /** Number of the tax, where people enter it. */
  readonly steuer?: string
  readonly group: KennzahlGroup
  /** As on the form. */
  readonly name: string
  /** Where the form computes the tax from the base itself. */
  readonly satz?: string
}
export interface Form {
  readonly source: string
  readonly kennzahlen: readonly Kennzahl[]
}

export const FORMS: Readonly<Record<string, Form>> = {
  '2026': {
    source:
      'BMF-Schreiben vom 29.12.2025, III C 3 - S 7344/00039/007/036: Vordruck USt 1 A, ' +
      'Umsatzsteuer-Voranmeldung 2026',
    kennzahlen: [
      {
        nr: '81',
        group: 'steuerpflichtig',
        name: 'Steuerpflichtige Umsätze zum Steuersatz von 19 %',
        satz: '19.00',
      },
      {
        nr: '86',
        group: 'steuerpflichtig',
        name: 'Steuerpflichtige Umsätze zum Steuersatz von 7 %',
        satz: '7.00',
      },
      {
        nr: '35',
        steuer: '36',
        group: 'steuerpflichtig',
        name: 'Steuerpflichtige Umsätze zu anderen Steuersätzen',
      },
      {
        nr: '41',
        group: 'steuerfrei',
        name: 'Innergemeinschaftliche Lieferungen an Abnehmer mit USt-IdNr. (§ 4 Nr. 1 Buchst. b UStG)',
      },
      {
        nr: '43',
        group: 'steuerfrei',
        name:
          'Weitere steuerfreie Umsätze mit Vorsteuerabzug ' +
          '(zum Beispiel Ausfuhrlieferungen, § 4 Nr. 2 bis 7 UStG)',
      },
      {
        nr: '48',
        group: 'steuerfrei',
        name: 'Steuerfreie Umsätze ohne Vorsteuerabzug (zum Beispiel § 4 Nr. 8 bis 29 UStG)',
      },
      {
        nr: '42',
        group: 'ergaenzend',
        name: 'Lieferungen des ersten Abnehmers bei innergemeinschaftlichen Dreiecksgeschäften (§ 25b UStG)',
      },
      {
        nr: '60',
        group: 'ergaenzend',
        name: 'Steuerpflichtige Umsätze, für die der Leistungsempfänger die Steuer schuldet (§ 13b Abs. 5 UStG)',
      },
      {
        nr: '21',
        group: 'ergaenzend',
        name: 'Nicht steuerbare sonstige Leistungen an Unternehmer in der EU (§ 18b Satz 1 Nr. 2 UStG)',
      },
      {
        nr: '45',
        group: 'ergaenzend',
        name: 'Übrige nicht steuerbare Umsätze (Leistungsort nicht im Inland)',
      },
      {
        nr: '89',
        group: 'eingang',
        name: 'Innergemeinschaftliche Erwerbe zum Steuersatz von 19 %',
        satz: '19.00',
      },
      {
        nr: '93',
        group: 'eingang',
        name: 'Innergemeinschaftliche Erwerbe zum Steuersatz von 7 %',
        satz: '7.00',
      },
      {
        nr: '46',
        steuer: '47',
        group: 'eingang',
        name: 'Leistungen eines Unternehmers aus der übrigen EU (§ 13b Abs. 1 UStG)',
      },
      {
        nr: '84',
        steuer: '85',
        group: 'eingang',
        name: 'Andere Leistungen (§ 13b Abs. 2 Nr. 1, 2, 4 bis 12 UStG)',
      },
      { nr: '66', group: 'vorsteuer', name: 'Vorsteuer aus Rechnungen von anderen Unternehmern' },
      { nr: '61', group: 'vorsteuer', name: 'Vorsteuer aus innergemeinschaftlichem Erwerb' },
      { nr: '67', group: 'vorsteuer', name: 'Vorsteuer aus Leistungen nach § 13b UStG' },
    ],
  },
}

/**
 * Why a part belongs to no figure: a small business (§ 19 (1) UStG) declares nothing, average rates of farms and
 * forest owners (§ 24 (1) sentence 3) leave no tax to pay, and some reasons do not say which exemption it is.
 */
export type NoKennzahl = 'kleinunternehmer' | 'durchschnitt' | 'unklar' | 'kein_umsatz'

/** What decides; `eu`: the buyer has a VAT id of another state of the EU. */
export interface TaxedPart {
  readonly kategorie: TaxCategory
  readonly satz: string
  readonly grund: string
  readonly le_date: string
  readonly kleinunternehmer: boolean
  /** Where the buyer is. */
  readonly gebiet: TaxArea
  readonly eu: boolean
  /** Where the supply is; null: nobody has decided. */
  readonly leistungsort: Place | null
}

const EXEMPTION = /§\s*4\s*(?:Nr\.|Nummer|Nr)\s*(\d{1,2})\s*(?:Buchst\.|Buchstabe)?\s*([ab])?\b/i

/** By the number of § 4 UStG that the reason names; it names none, or several: nobody knows. */
function exemption(reason: string): string | null {
  const named = reason.match(new RegExp(EXEMPTION.source, 'gi')) ?? []
  const found = new Set(named.map(exemptionOf))
  const [only = null] = found
  return found.size === 1 ? only : null
}
function exemptionOf(text: string): string | null {
  const [, digits = '0', letter = ''] = EXEMPTION.exec(text) ?? []
  const number = Number(digits)
  // § 4 Nr. 1: a exports, b supplies within the EU.
  if (number === 1) return letter.toLowerCase() === 'b' ? '41' : letter === '' ? null : '43'
  if (number >= 2 && number <= 7) return '43'
  return number >= 8 && number <= 29 ? '48' : null
}

/** A document without a place of supply says by its reason whether it is about one abroad. */
const isAtHome = ({ leistungsort, gebiet, grund }: TaxedPart): boolean =>
  leistungsort === 'grundstueck_inland' ||
  (leistungsort !== 'grundstueck_ausland' &&
    gebiet === 'inland' &&
    (leistungsort !== null || !/ausland|§\s*3a\b/i.test(grund)))

/** The number of the figure that the base of a part belongs to, or why there is none (NoKennzahl). */
export function kennzahlOf(part: TaxedPart): string {
  const { kategorie, satz, grund, le_date, gebiet, eu, leistungsort } = part
  if (part.kleinunternehmer) return 'kleinunternehmer'
  switch (kategorie) {
    case 'S':
      if (rateKind(satz, le_date) === 'forst') return 'durchschnitt'
      return satz === '19.00' ? '81' : satz === '7.00' ? '86' : '35'
    case 'E':
      return exemption(grund) ?? 'unklar'
    case 'AE':
      if (/§\s*25b\b/.test(grund)) return '42'
      // § 3a (3) Nr. 1 UStG: where the land is; § 18b is about § 3a (2) only.
      if (leistungsort === 'grundstueck_inland') return '60'
      if (leistungsort === 'grundstueck_ausland') return '45'
      // § 3a (2) UStG: taxed where the buyer is; within the EU the buyer's VAT id proves a business.
      if (eu) return '21'
      return gebiet === 'inland' ? '60' : '45'
    case 'O':
      // What is supplied abroad; the rest is no turnover at all, such as damages (UStAE 1.3).
      return isAtHome(part) ? 'kein_umsatz' : '45'
  }
}

/** What decides about a received invoice. */
export interface InputTaxed {
  readonly vorsteuer: Exclude<InputTaxKind, 'keine'>
  readonly satz: string
}
/** The number of the figure that the tax which we owe belongs to; null: we owe none. */
export function owedKennzahlOf({ vorsteuer, satz }: InputTaxed): string | null {
  switch (vorsteuer) {
    case 'inland':
    case 'anzahlung':
      return null
    case 'eu_leistung':
      return '46'
    case 'andere_leistung':
      return '84'
    case 'erwerb':
      return satz === '7.00' ? '93' : '89'
  }
}
/** The number of the figure that the deducted tax belongs to. */
export function deductedKennzahlOf({ vorsteuer }: InputTaxed): string {
  if (isOwnTax(vorsteuer)) return '66'
  return vorsteuer === 'erwerb' ? '61' : '67'
}
