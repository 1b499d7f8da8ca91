// Texts for habitat trees.
import type {
  HabitatFinding,
  HabitatStatus,
  HabitatState,
  InspectionResult,
  LocationMethod,
  MarkKind,
  LossReason,
} from '#contract/habitat.ts'
import { kindName, HABITAT_SPECIES } from '#domain/habitat/species.ts'
import { addressText } from '#domain/bestand.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const STATES = [
  'lebend',
  'absterbend',
  'tot_stehend',
  'stumpf',
] as const satisfies readonly HabitatState[]
export const STATUS = ['baum', 'anwaerter'] as const satisfies readonly HabitatStatus[]
export const MARKS = ['welle', 'farbe', 'plakette', 'band', 'sonstige'] as const satisfies readonly MarkKind[]
export const METHODS = [
  'gnss',
  'rtk',
  'karte',
  'luftbild',
  'import',
] as const satisfies readonly LocationMethod[]
export const LOSSES = [
  'windwurf',
  'entnommen',
  'verkehrssicherung',
  'brand',
  'zersetzt',
  'unbekannt',
  'sonstige',
] as const satisfies readonly LossReason[]
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

export const stateName = (zustand: HabitatState): string =>
  ({ lebend: t('lebend'), absterbend: t('absterbend'), tot_stehend: t('tot stehend'), stumpf: t('Stumpf') })[
    zustand
  ]
export const stateTone = (zustand: HabitatState): Tone =>
  zustand === 'lebend' ? 'success' : zustand === 'absterbend' ? 'warning' : 'neutral'
export const statusName = (status: HabitatStatus): string =>
  ({ baum: t('Habitatbaum'), anwaerter: t('Anwärter') })[status]
export const markName = (art: MarkKind): string =>
  ({
    welle: t('Wellenlinie'),
    farbe: t('Farbpunkt'),
    plakette: t('Plakette'),
    band: t('Band'),
    sonstige: t('andere Markierung'),
  })[art]
export const methodName = (method: LocationMethod): string =>
  ({
    gnss: t('GNSS-Empfänger'),
    rtk: t('GNSS mit RTK'),
    karte: t('auf der Karte'),
    luftbild: t('aus dem Luftbild'),
    import: t('importiert'),
  })[method]
export const lossName = (grund: LossReason): string =>
  ({
    windwurf: t('Windwurf'),
    entnommen: t('entnommen'),
    verkehrssicherung: t('Verkehrssicherung'),
    brand: t('Brand'),
    zersetzt: t('zersetzt'),
    unbekannt: t('unbekannt'),
    sonstige: t('anderer Grund'),
  })[grund]
export const inspectionName = (ergebnis: InspectionResult): string =>
  ({
    vorhanden: t('vorhanden'),
    markierung_fehlt: t('Markierung fehlt'),
    markierung_erneuert: t('Markierung erneuert'),
    veraendert: t('verändert'),
    nicht_gefunden: t('nicht gefunden'),
  })[ergebnis]
export const inspectionTone = (ergebnis: InspectionResult): Tone =>
  ergebnis === 'vorhanden' || ergebnis === 'markierung_erneuert'
    ? 'success'
    : ergebnis === 'nicht_gefunden'
      ? 'danger'
      : 'warning'
export const findingName = (befund: (typeof FINDINGS)[number]): string =>
  ({
    doppelt: t('näher als 2 m an einem anderen Baum'),
    ausserhalb: t('außerhalb des Forstbetriebs'),
    nummer_doppelt: t('Nummer doppelt vergeben'),
  })[befund]

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

interface NamedTree {
  readonly nummer: string | null
  readonly art: string
  readonly art_text: string | null
}
/** 17 · Rotbuche; only the species if the tree has no number. */
export const treeName = ({ nummer, art, art_text }: NamedTree): string =>
  nummer === null ? kindText(art, art_text) : t('{nummer} · {art}', { nummer, art: kindText(art, art_text) })

interface WithAddress {
  readonly sLVL01: string | null
  readonly sLVL02: string | null
  readonly sLVL03: string | null
  readonly sLVL04: string | null
  readonly sLVL05: string | null
  readonly iSTAND: number | null
}
export const LEVEL_FIELDS = ['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05'] as const
export const addressOf = (baum: WithAddress, ebenen: readonly string[]): string =>
  addressText({ l: LEVEL_FIELDS.map((feld) => baum[feld]), s: baum.iSTAND }, ebenen)

export const meterText = (meter: number): string => t('{n} m', { n: formatNumber(meter, meter < 10 ? 1 : 0) })

const LABELS: Readonly<Record<string, () => string>> = {
  nummer: () => t('Nummer'),
  art: () => t('Baumart'),
  art_text: () => t('Baumart in Worten'),
  bhd_cm: () => t('BHD'),
  hoehe_m: () => t('Höhe'),
  zustand: () => t('Zustand'),
  status: () => t('Status'),
  strukturen: () => t('Strukturen'),
  markierung_art: () => t('Markierung'),
  markierung_datum: () => t('Markiert am'),
  erfasst_am: () => t('Erfasst am'),
  erfasser: () => t('Erfasst von'),
  lat: () => t('Breite'),
  lon: () => t('Länge'),
  genauigkeit_m: () => t('Genauigkeit'),
  lage_methode: () => t('Lage bestimmt'),
  iSTAND: () => t('Bestandsnummer'),
  bemerkung: () => t('Bemerkung'),
  verlust_datum: () => t('Verloren am'),
  verlust_grund: () => t('Grund des Verlusts'),
  kawm: () => t('Zählt für die Förderung (KAWM)'),
  datum: () => t('Datum'),
  ergebnis: () => t('Ergebnis'),
  kontrolleur: () => t('Kontrolliert von'),
}
export const fieldLabel = (field: string, ebenen: readonly string[] = []): string => {
  const at = LEVEL_FIELDS.indexOf(field as (typeof LEVEL_FIELDS)[number])
  if (at >= 0) return ebenen[at] || t('Ebene {n}', { n: at + 1 })
  return LABELS[field]?.() ?? field
}
