// Klimaangepasstes Waldmanagement (KAWM): what the grant requires of a headquarters and what is missing. Five
// habitat trees or candidates per hectare, marked within two years of the approval; terms of ten and twenty
// years; above 100 ha natural development on five per cent of the area. Calculated by forest.kawm and, to compare,
// by kawm.oracle.ts.

export const TREES_PER_HA = 5
/** Above this area, natural development is mandatory. */
export const NATURAL_FOREST_FROM_HA = 100

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
