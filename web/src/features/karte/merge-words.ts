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
      return t('nach Norden')
    case 'no':
      return t('nach Nordosten')
    case 'o':
      return t('nach Osten')
    case 'so':
      return t('nach Südosten')
    case 's':
      return t('nach Süden')
    case 'sw':
      return t('nach Südwesten')
    case 'w':
      return t('nach Westen')
    case 'nw':
      return t('nach Nordwesten')
  }
}

/** Below two pixels of what was measured nobody sees a seam. */
const fineOf = ({ aufloesung }: Measured): number => Math.max(0.1, 2 * aufloesung)
const lengthOf = ({ ost, nord }: Pick<Measured, 'ost' | 'nord'>): number => Math.hypot(ost, nord)
export const fits = (seam: Measured): boolean => lengthOf(seam) <= fineOf(seam)

const metres = (value: number): string => t('{n} m', { n: formatNumber(value, value < 10 ? 2 : 1) })

/** "0,42 m nach Nordosten". */
export function offsetText(seam: Measured): string {
  if (fits(seam)) return t('passt auf {n}', { n: metres(fineOf(seam)) })
  return `${metres(lengthOf(seam))} ${directionName(compassOf(seam.ost, seam.nord))}`
}
/** Nothing to correct: in no part of the seam. */
export const isGood = (seam: Measured): boolean => fits(seam) && alongText(seam) === null
export const seamTone = (seam: KarteSeam): Tone =>
  seam.art === 'unsicher' ? 'neutral' : isGood(seam) ? 'success' : 'warning'

export function doubtText(doubt: SeamDoubt): string {
  switch (doubt) {
    case 'ohne_ueberlappung':
      return t('Die Blätter stoßen nur aneinander: Ohne Überlappung lässt sich die Naht nicht messen.')
    case 'zu_schmal':
      return t('Die Überlappung ist zu schmal, um die Naht zu messen.')
    case 'wenig_gezeichnet':
      return t('In der Überlappung ist zu wenig gezeichnet. Bitte vergleichen Sie die Blätter im Ausschnitt.')
    case 'mehrdeutig':
      return t(
        'Schraffuren oder parallele Linien passen an mehreren Stellen. Bitte vergleichen Sie die Blätter im ' +
          'Ausschnitt.',
      )
    case 'ungleich':
      return t(
        'Die Zeichnungen passen in der Überlappung nirgends zueinander. Bitte prüfen Sie die Passpunkte beider ' +
          'Blätter.',
      )
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
  return t(
    'Der Versatz ändert sich entlang der Naht um {n}: Ein Blatt ist vermutlich verdreht oder verzogen.',
    {
      n: metres(widest),
    },
  )
}

/** A correlation and no share of what is right, for those who want to know how sure it is. */
export const trustText = (seam: Measured): string =>
  t('Korrelation {n} %', { n: Math.round(seam.vertrauen * 100) })
