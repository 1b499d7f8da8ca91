// Klimaangepasstes Waldmanagement (KAWM): what the grant requires of a headquarters and what is missing. Five
// habitat trees or candidates per hectare, marked within two years of the approval; terms of ten and twenty
// years; above 100 ha natural development on five per cent of the area. db/nouns/habitat.sql has the same
// rule; both are tested with kawm.cases.json.
import { addMonths, daysBetween } from './day.ts'

export const TREES_PER_HA = 5
/** Above this area, natural development is mandatory. */
export const NATURAL_FOREST_FROM_HA = 100
/** Days before the end of the term from which the deadline is reported as near. */
export const DEADLINE_SOON_DAYS = 180

export interface KawmState {
  /** The module is switched on. */
  readonly modul: boolean
  /** The headquarters' own grant area counts instead of that of the management plan. */
  readonly eigene: boolean
  /** Hectares with up to four places. */
  readonly flaeche_eigen: number | null
  readonly flaeche_fe: number | null
  /** YYYY-MM-DD */
  readonly bewilligung: string | null
  readonly heute: string
  /** Trees and candidates that count: not lost, and included in the grant. */
  readonly erfasst: number
  /** How many of them are marked. */
  readonly markiert: number
  /** How many of them have no photo. */
  readonly ohne_bild: number
}

export const KAWM_GAPS = [
  'modul_aus',
  'flaeche_fehlt',
  'bewilligung_fehlt',
  'baeume_fehlen',
  'markierung_fehlt',
  'frist_versaeumt',
  'frist_bald',
  'naturwald',
  'ohne_bild',
] as const
export type KawmGap = (typeof KAWM_GAPS)[number]

export interface KawmMissing {
  readonly code: KawmGap
  /** Number of trees or days concerned; null if there is nothing to count. */
  readonly anzahl: number | null
}

export interface KawmResult {
  /** The area that counts, in hectares. */
  readonly flaeche: number | null
  /** Required number of trees. */
  readonly soll: number | null
  /** Trees still to be recorded. */
  readonly fehlend: number | null
  /** Trees still to be marked, recorded or not. */
  readonly fehlend_markiert: number | null
  /** Last day of the term for marking, and days until then: 0 on that day, negative after it. */
  readonly frist: string | null
  readonly tage: number | null
  /** End of the ten years of criteria 1 to 11, and of the twenty years of natural development. */
  readonly bindung_10: string | null
  readonly bindung_20: string | null
  readonly naturwald_pflicht: boolean
  /** Required area of natural development in hectares: five per cent of the area. */
  readonly naturwald_soll: number | null
  readonly fehlt: readonly KawmMissing[]
}

/** Whole ten-thousandths of a hectare, so that five times an area is exact. */
const scaled = (hectares: number): number => Math.round(hectares * 10_000)

/** § 188 BGB: the same date in a later year; 29 February becomes 28 February. */
const yearsLater = (day: string, years: number): string => addMonths(day, 12 * years)

export function kawmOf(stand: KawmState): KawmResult {
  const area = stand.eigene ? stand.flaeche_eigen : stand.flaeche_fe
  const target = area === null ? null : Math.ceil((scaled(area) * TREES_PER_HA) / 10_000)
  const absent = target === null ? null : Math.max(0, target - stand.erfasst)
  const missingMarked = target === null ? null : Math.max(0, target - stand.markiert)
  const deadline = stand.bewilligung === null ? null : yearsLater(stand.bewilligung, 2)
  const dayCount = deadline === null ? null : daysBetween(stand.heute, deadline)
  const required = area !== null && scaled(area) > scaled(NATURAL_FOREST_FROM_HA)
  const isMissing: KawmMissing[] = []
  const missing = (when: boolean, code: KawmGap, quantity: number | null = null) => {
    if (when) isMissing.push({ code, anzahl: quantity })
  }
  // How many of the recorded trees still have to be marked, at most as many as required.
  const toMark = target === null ? 0 : Math.max(0, Math.min(stand.erfasst, target) - stand.markiert)
  const isOpen = missingMarked !== null && missingMarked > 0
  missing(!stand.modul, 'modul_aus')
  missing(area === null || area === 0, 'flaeche_fehlt')
  missing(stand.bewilligung === null, 'bewilligung_fehlt')
  missing(absent !== null && absent > 0, 'baeume_fehlen', absent)
  missing(toMark > 0, 'markierung_fehlt', toMark)
  missing(
    dayCount !== null && dayCount < 0 && isOpen,
    'frist_versaeumt',
    dayCount === null ? null : -dayCount,
  )
  missing(
    dayCount !== null && dayCount >= 0 && dayCount <= DEADLINE_SOON_DAYS && isOpen,
    'frist_bald',
    dayCount,
  )
  missing(required, 'naturwald')
  missing(stand.ohne_bild > 0, 'ohne_bild', stand.ohne_bild)
  return {
    flaeche: area,
    soll: target,
    fehlend: absent,
    fehlend_markiert: missingMarked,
    frist: deadline,
    tage: dayCount,
    bindung_10: stand.bewilligung === null ? null : yearsLater(stand.bewilligung, 10),
    bindung_20: stand.bewilligung === null ? null : yearsLater(stand.bewilligung, 20),
    naturwald_pflicht: required,
    naturwald_soll: area === null ? null : divideRounded(scaled(area) * 5, 100) / 10_000,
    fehlt: isMissing,
  }
}

/** Rounds half up; no value here is negative. */
const divideRounded = (value: number, divisor: number): number =>
  Math.floor((2 * value + divisor) / (2 * divisor))

/** Whether the yearly evidence cannot do without it; the rest is advice. */
export const isDefect = (code: KawmGap): boolean =>
  code !== 'ohne_bild' && code !== 'frist_bald' && code !== 'naturwald'

const count = (n: number | null): string => (n ?? 0).toLocaleString('de-DE')
const trees = (n: number | null): string => (n === 1 ? '1 Baum' : `${count(n)} Bäume`)
const days = (n: number | null): string => (n === 1 ? '1 Tag' : `${n} Tage`)

/** The German sentence, with what needs to be done. */
export function kawmSentence(
  { code, anzahl }: KawmMissing,
  { soll, naturwald_soll, frist }: Pick<KawmResult, 'soll' | 'naturwald_soll' | 'frist'>,
): string {
  const bis = frist === null ? '' : frist.split('-').toReversed().join('.')
  switch (code) {
    case 'modul_aus':
      return 'Das Modul KAWM ist für diesen Betrieb nicht freigeschaltet.'
    case 'flaeche_fehlt':
      return 'Die Förderfläche fehlt. Tragen Sie die Fläche der Forsteinrichtung oder eine eigene Förderfläche ein.'
    case 'bewilligung_fehlt':
      return 'Das Datum der Bewilligung fehlt. Ohne dieses Datum lassen sich die Fristen nicht berechnen.'
    case 'baeume_fehlen':
      return (
        `Es ${anzahl === 1 ? 'fehlt' : 'fehlen'} noch ${trees(anzahl)} bis zum Soll von ${count(soll)} ` +
        'Habitatbäumen und Anwärtern.'
      )
    case 'markierung_fehlt':
      return anzahl === 1
        ? '1 erfasster Baum ist noch zu markieren.'
        : `${count(anzahl)} erfasste Bäume sind noch zu markieren.`
    case 'frist_versaeumt':
      return (
        `Die Frist für die Markierung ist am ${bis} abgelaufen (seit ` +
        `${anzahl === 1 ? '1 Tag' : `${anzahl} Tagen`}).`
      )
    case 'frist_bald':
      return anzahl === 0
        ? 'Die Frist für die Markierung endet heute.'
        : `Bis zum Ende der Frist für die Markierung am ${bis} ${anzahl === 1 ? 'bleibt' : 'bleiben'} ${days(anzahl)}.`
    case 'naturwald':
      return (
        `Ab mehr als ${NATURAL_FOREST_FROM_HA} ha sind 5 % der Fläche ` +
        `(${(naturwald_soll ?? 0).toLocaleString('de-DE', { maximumFractionDigits: 4 })} ha) ` +
        'der natürlichen Entwicklung zu überlassen.'
      )
    case 'ohne_bild':
      return anzahl === 1
        ? '1 Baum hat kein Foto. Fotos erleichtern die Kontrolle vor Ort.'
        : `${count(anzahl)} Bäume haben kein Foto. Fotos erleichtern die Kontrolle vor Ort.`
  }
}
