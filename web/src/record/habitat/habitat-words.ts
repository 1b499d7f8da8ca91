// Texts for habitat trees.
import type { HabitatbaumValues, HabitatFinding, HabitatState, InspectionResult } from '#contract/habitat.ts'
import { LOSS, MARK, METHOD, STATE, STATUS } from '#domain/habitat/choices.ts'
import { kindName, HABITAT_SPECIES } from '#domain/habitat/species.ts'
import type { HabitatField } from '#domain/habitat/file.ts'
import { HABITATBAUM_FIELDS, LEVEL_FIELDS } from '#domain/habitatbaum-fields.ts'
import { addressText } from '#domain/bestand.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { choiceName, codesOf, importName, labelsOf } from '../declared.ts'

export const STATES = codesOf(STATE)
export const STATUSES = codesOf(STATUS)
export const MARKS = codesOf(MARK)
export const LOSSES = codesOf(LOSS)
export const stateName = choiceName(STATE)
export const statusName = choiceName(STATUS)
export const markName = choiceName(MARK)
export const methodName = choiceName(METHOD)
export const lossName = choiceName(LOSS)

export const INSPECTIONS = [
  'vorhanden',
  'markierung_fehlt',
  'markierung_erneuert',
  'veraendert',
  'nicht_gefunden',
] as const satisfies readonly InspectionResult[]
/** Findings of the check that no other filter of the list covers. */
export const FINDINGS = [
  'doppelt',
  'ausserhalb',
  'nummer_doppelt',
] as const satisfies readonly HabitatFinding[]

export const stateTone = (state: HabitatState): Tone =>
  state === 'lebend' ? 'success' : state === 'absterbend' ? 'warning' : 'neutral'
export const inspectionName = (result: InspectionResult): string =>
  ({
    vorhanden: t('vorhanden'),
    markierung_fehlt: t('Markierung fehlt'),
    markierung_erneuert: t('Markierung erneuert'),
    veraendert: t('verändert'),
    nicht_gefunden: t('nicht gefunden'),
  })[result]
export const inspectionTone = (result: InspectionResult): Tone =>
  result === 'vorhanden' || result === 'markierung_erneuert'
    ? 'success'
    : result === 'nicht_gefunden'
      ? 'danger'
      : 'warning'
export const findingName = (finding: (typeof FINDINGS)[number]): string =>
  ({
    doppelt: t('näher als 2 m an einem anderen Baum'),
    ausserhalb: t('außerhalb des Forstbetriebs'),
    nummer_doppelt: t('Nummer doppelt vergeben'),
  })[finding]

/** Names of species and structures are defined in both languages in the domain. */
export const isEnglish = (): boolean => globalThis.document?.documentElement.lang === 'en'
export const kindText = (art: string, art_text: string | null): string =>
  kindName(art, art_text, isEnglish() ? 'en' : 'de')
export const speciesOptions = () => {
  const words = HABITAT_SPECIES.map(({ code }) => ({ value: code, label: kindText(code, null) }))
  const rest = words.filter(({ value }) => value === 'sonstige')
  return [
    ...words
      .filter(({ value }) => value !== 'sonstige')
      .toSorted((a, b) => a.label.localeCompare(b.label, 'de')),
    ...rest,
  ]
}

/** 17 · Rotbuche; only the species if the tree has no number. */
export const treeName = ({
  nummer,
  art,
  art_text,
}: Pick<HabitatbaumValues, 'nummer' | 'art' | 'art_text'>): string =>
  nummer === null ? kindText(art, art_text) : t('{nummer} · {art}', { nummer, art: kindText(art, art_text) })

type WithAddress = Pick<HabitatbaumValues, (typeof LEVEL_FIELDS)[number] | 'iSTAND'>
export const addressOf = (tree: WithAddress, levels: readonly string[]): string =>
  addressText({ l: LEVEL_FIELDS.map((field) => tree[field]), s: tree.iSTAND }, levels)

export const meterText = (meter: number): string => t('{n} m', { n: formatNumber(meter, meter < 10 ? 1 : 0) })

const declaredLabel = labelsOf(HABITATBAUM_FIELDS)
export function fieldLabel(field: string, levels: readonly string[] = []): string {
  const at = LEVEL_FIELDS.indexOf(field as (typeof LEVEL_FIELDS)[number])
  if (at >= 0) return levels[at] || t('Ebene {n}', { n: at + 1 })
  switch (field) {
    // Of a check-up.
    case 'datum':
      return t('Datum')
    case 'ergebnis':
      return t('Ergebnis')
    case 'kontrolleur':
      return t('Kontrolliert von')
    default:
      return declaredLabel(field)
  }
}
/** The name of a field among the columns of a file. */
export function importLabel(column: HabitatField, levels: readonly string[]): string {
  const field = HABITATBAUM_FIELDS[column]
  return importName(field) ?? fieldLabel(column, levels)
}
