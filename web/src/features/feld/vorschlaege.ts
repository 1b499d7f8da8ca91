// What is offered first in the capture form: what this holding's trees have most, filled up with what is common anywhere. Pure.
import { HABITAT_ARTEN, type HabitatArt } from '#domain/habitat/arten.ts'
import { strukturOf } from '#domain/habitat/strukturen.ts'
import type { BaumValues } from '../../record/habitat/habitat-form.ts'
import { strukturenOf } from '../../record/habitat/strukturen-text.ts'
import type { Sicht } from './erfassung.ts'
import type { Bestandsmerkmal } from './paket.ts'

const ARTEN: readonly HabitatArt[] = ['bu', 'tei', 'sei', 'es', 'bah', 'hbu']
/** Woodpecker's hole, rot hole, dead branches, bark shelter, polypore, broken trunk, nest, water-filled hole. */
const STRUKTUREN: readonly string[] = ['1.2', '2.2', '7.1', '5.3', '10.1', '6.1', '13.1', '4.1']

function meiste<T extends string>(found: readonly T[], otherwise: readonly T[], most: number): T[] {
  const counts = new Map<T, number>()
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  const first = [...counts].toSorted(([, a], [, b]) => b - a).map(([one]) => one)
  return [...new Set([...first, ...otherwise])].slice(0, most)
}
export const haeufigeArten = (sichten: readonly Sicht[], most = 6): HabitatArt[] =>
  meiste(
    sichten.map(({ werte }) => werte.art).filter((art) => art !== 'sonstige' && HABITAT_ARTEN.some(({ code }) => code === art)),
    ARTEN,
    most,
  )
export const haeufigeStrukturen = (sichten: readonly Sicht[], most = 8): string[] =>
  meiste(
    sichten.flatMap(({ werte }) => strukturenOf(werte.strukturen).map(({ code }) => code)).filter((code) => strukturOf(code) !== undefined),
    STRUKTUREN,
    most,
  )

/** What the next tree has of the last one: who works with the same plates on the same day. */
export const WIEDERHOLT = [
  'markierung_art',
  'markierung_datum',
  'erfasser',
  'erfasst_am',
  'kawm',
  'status',
] as const satisfies readonly (keyof BaumValues)[]
export const naechsterBaum = (leer: BaumValues, letzter: BaumValues): BaumValues => ({
  ...leer,
  ...Object.fromEntries(WIEDERHOLT.map((feld) => [feld, letzter[feld]])),
})

/** The stand's forest address for the form. */
export const adresseVon = ({
  l,
  s,
}: Pick<Bestandsmerkmal, 'l' | 's'>): Pick<BaumValues, 'sLVL01' | 'sLVL02' | 'sLVL03' | 'sLVL04' | 'sLVL05' | 'iSTAND'> => ({
  sLVL01: l[0] ?? '',
  sLVL02: l[1] ?? '',
  sLVL03: l[2] ?? '',
  sLVL04: l[3] ?? '',
  sLVL05: l[4] ?? '',
  iSTAND: s === null ? '' : String(s),
})

const ORT: readonly string[] = ['lat', 'lon', 'genauigkeit_m', 'lage_methode', 'sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05', 'iSTAND']
/** Whether somebody has typed anything: a place that measures itself is nothing to be asked about later. */
export const hatInhalt = (werte: BaumValues, anfang: BaumValues): boolean =>
  (Object.keys(anfang) as (keyof BaumValues)[]).some((feld) => !ORT.includes(feld) && werte[feld] !== anfang[feld])
