// What the grant requires as forest.kawm calculates it, for tests: both are compared by kawm.cases.json.
import { addMonths, daysBetween } from './day.ts'
import {
  type KawmGap,
  type KawmMissing,
  type KawmResult,
  type KawmState,
  NATURAL_FOREST_FROM_HA,
  TREES_PER_HA,
} from './kawm.ts'

/** Days before the end of the term from which the deadline is reported as near. */
const DEADLINE_SOON_DAYS = 180

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
