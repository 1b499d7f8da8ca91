// Texts for seams: how far apart two sheets are, in which direction, or why that cannot be said.
import type { KarteSeam } from '#contract/karte-mosaic.ts'
import type { SeamDoubt } from '#domain/georef/seam.ts'
import { type Compass, compassOf } from '#domain/georef/sheets.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

type Measured = Extract<KarteSeam, { art: 'gemessen' }>

function directionName(compass: Compass): string {
  switch (compass) {
    case 'n':
      return t('nach Nord')
    case 'no':
      return t('nach Nordost')
    case 'o':
      return t('nach Ost')
    case 'so':
      return t('nach Südost')
    case 's':
      return t('nach Süd')
    case 'sw':
      return t('nach Südwest')
    case 'w':
      return t('nach West')
    case 'nw':
      return t('nach Nordwest')
  }
}

/** Below two pixels of what was measured nobody sees a seam. */
const fineOf = ({ aufloesung }: Measured): number => Math.max(0.1, 2 * aufloesung)
const lengthOf = ({ ost, nord }: Pick<Measured, 'ost' | 'nord'>): number => Math.hypot(ost, nord)
export const fits = (seam: Measured): boolean => lengthOf(seam) <= fineOf(seam)

const metres = (value: number): string => t('{n} m', { n: formatNumber(value, value < 10 ? 2 : 1) })

/** "0,42 m nach Nordost". */
export function offsetText(seam: Measured): string {
  if (fits(seam)) return t('passt auf {n}', { n: metres(fineOf(seam)) })
  return `${metres(lengthOf(seam))} ${directionName(compassOf(seam.ost, seam.nord))}`
}
export const seamTone = (seam: KarteSeam): Tone =>
  seam.art === 'unsicher' ? 'neutral' : fits(seam) ? 'success' : 'warning'

export function doubtText(doubt: SeamDoubt): string {
  switch (doubt) {
    case 'ohne_ueberlappung':
      return t('Die Blätter stoßen nur aneinander: Ohne Überlappung lässt sich die Naht nicht messen.')
    case 'zu_schmal':
      return t('Die Überlappung ist zu schmal, um die Naht zu messen.')
    case 'wenig_gezeichnet':
      return t('In der Überlappung ist zu wenig gezeichnet.')
    case 'mehrdeutig':
      return t('Schraffuren oder gleichlaufende Linien passen an mehreren Stellen zueinander.')
    case 'ungleich':
      return t('Was in der Überlappung gezeichnet ist, stimmt auf beiden Blättern nicht überein.')
  }
}

/** How it changes along the seam, if it does: a sheet that is turned or bent. */
export function alongText(seam: Measured): string | null {
  const parts = seam.teile.filter((part) => part !== null)
  if (parts.length < 2) return null
  const widest = Math.max(
    ...parts.flatMap((a) => parts.map((b) => Math.hypot(a.ost - b.ost, a.nord - b.nord))),
  )
  if (widest <= 2 * fineOf(seam)) return null
  const lengths = parts.map(lengthOf)
  return t('Entlang der Naht {von} bis {bis}: Ein Blatt ist vermutlich verdreht oder verzogen.', {
    von: metres(Math.min(...lengths)),
    bis: metres(Math.max(...lengths)),
  })
}

/** Percent of agreement, for those who want to know how sure it is. */
export const trustText = (seam: Measured): string =>
  t('Übereinstimmung {n} %', { n: Math.round(seam.vertrauen * 100) })
