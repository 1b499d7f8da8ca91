// What drafts of invoices and offers share: where the supply is taxed, and the buyer's numbers.
import type { BelegMore } from '#contract/buchhaltung.ts'
import type { Beleg, BelegReferences } from '#domain/beleg.ts'
import { countryList, countryName } from '#domain/countries.ts'
import { placeCategories, placeReason } from '#domain/place-of-supply.ts'
import { type Place, PLACES } from '#domain/supply-place.ts'
import { taxOf } from '#domain/rechnung.ts'
import { type Fact, fact } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import type { FieldDef } from './draft-fields.ts'
import { parseLines, positionBasis, printLines } from './position/line.ts'

export type MoreField = keyof BelegMore
export const REFERENCES = ['kaeufer_ref', 'projekt_nr', 'vertrag_nr', 'vergabe_nr', 'objekt_nr'] as const
const REFERENCE = { kind: 'zeile', longest: 100, leer: null } as const

export const MORE_FIELDS: Readonly<Record<MoreField, FieldDef>> = {
  leistungsort: { art: { kind: 'wahl', werte: PLACES }, label: () => t('Ort der Leistung') },
  leistungsland: {
    art: { kind: 'wahl', werte: countryList().map(({ code }) => code) },
    label: () => t('Land des Grundstücks'),
  },
  kaeufer_ref: { art: REFERENCE, label: () => t('Referenz des Kunden') },
  projekt_nr: { art: REFERENCE, label: () => t('Projektnummer') },
  vertrag_nr: { art: REFERENCE, label: () => t('Vertragsnummer') },
  vergabe_nr: { art: REFERENCE, label: () => t('Vergabe- oder Losnummer') },
  objekt_nr: { art: REFERENCE, label: () => t('Objektnummer') },
}
/** Fields of the document that have another name in the form. */
export const MORE_NAMES: Readonly<Record<string, MoreField>> = Object.fromEntries(
  REFERENCES.map((field) => [`verweise.${field}`, field]),
)

export function placeText(place: Place): string {
  switch (place) {
    case 'grundstueck_inland':
      return t('Grundstück in Deutschland')
    case 'grundstueck_ausland':
      return t('Grundstück im Ausland')
    case 'kein_grundstueck':
      return t('ohne Bezug zu einem Grundstück')
  }
}

type Wert = (field: MoreField) => string | number | null
/** The place as the document has it; nothing: the customer's. */
export function placeOf(wert: Wert): Pick<Beleg, 'leistungsort' | 'leistungsland'> {
  const place = wert('leistungsort') as Place | null
  if (place === null) return {}
  const abroad = place === 'grundstueck_ausland'
  return { leistungsort: place, leistungsland: abroad ? (wert('leistungsland') as string | null) : null }
}
/** Null: the customer's, where he has one. */
export type TypedReferences = Readonly<Record<keyof BelegReferences, string | null>>
export const referencesOf = (wert: Wert): TypedReferences =>
  Object.fromEntries(REFERENCES.map((field) => [field, wert(field)])) as TypedReferences

/** The customer has two of them. */
const OF_KUNDE: readonly string[] = ['kaeufer_ref', 'vertrag_nr']
export function effectiveReferences(typed: TypedReferences, base: BelegReferences = {}): BelegReferences {
  return Object.fromEntries(
    REFERENCES.map((field) => [
      field,
      typed[field] ?? (OF_KUNDE.includes(field) ? base[field] : '') ?? '',
    ]).filter(([, text]) => text !== ''),
  )
}

/** Of a document on its page: only what it has. */
export function moreFacts({
  leistungsort = null,
  leistungsland = null,
  verweise = {},
}: Pick<Beleg, 'leistungsort' | 'leistungsland' | 'verweise'>): Fact[] {
  const place = leistungsort === null ? [] : [placeText(leistungsort)]
  const country = leistungsland === null ? [] : [countryName(leistungsland)]
  return [
    ...(place.length === 0
      ? []
      : [fact(MORE_FIELDS.leistungsort.label(), [...place, ...country].join(', '))]),
    ...REFERENCES.flatMap((field) =>
      verweise[field] === undefined ? [] : [fact(MORE_FIELDS[field].label(), verweise[field])],
    ),
  ]
}

/**
 * The lines with the tax that belongs to the place of supply; lines that may have theirs stay as they are.
 */
export function taxedLines(text: string, beleg: Beleg): string {
  const { leistungsort = null, leistungsland = null, empfaenger, ust_satz } = beleg
  if (leistungsort === null) return text
  const supply = { leistungsort, leistungsland, empfaenger }
  const allowed = placeCategories(supply)
  const [usual = 'S'] = allowed
  return printLines(
    parseLines(text).map((row) => {
      const { kategorie } = taxOf(positionBasis(row), { ust_satz, kleinunternehmer: false })
      if (row.art === 'ueberschrift' || allowed.includes(kategorie)) return row
      const untaxed = usual !== 'S'
      return {
        ...row,
        ust_satz: '',
        kategorie: untaxed ? usual : '',
        steuergrund: untaxed ? placeReason(supply, usual) : '',
      }
    }),
  )
}
