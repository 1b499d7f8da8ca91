// How well a survey object's place is known, as its form says it, and what follows from how a point was taken. Pure.
import { isMeasured, worstOf } from '#domain/gnss/fix.ts'
import type { SurveyInputs } from '../../record/kataster/survey-form.ts'
import type { Mean } from './position.ts'

const FIELDS = ['vermessen', 'erfq', 'genauigkeit_cm', 'lage_fix', 'genauigkeit_geschaetzt'] as const
export type Quality = Readonly<Record<(typeof FIELDS)[number], string>>

export const qualityOf = (inputs: SurveyInputs): Quality =>
  Object.fromEntries(FIELDS.map((field) => [field, inputs[field] ?? ''])) as Quality

export const SET_ON_MAP: Quality = {
  vermessen: 'nein',
  erfq: 'Karte',
  genauigkeit_cm: '',
  lage_fix: '',
  genauigkeit_geschaetzt: '',
}
export const qualityOfMean = ({ accuracy, solution }: Pick<Mean, 'accuracy' | 'solution'>): Quality => ({
  vermessen: 'ja',
  erfq: solution?.type === 'rtk_fixed' || solution?.type === 'rtk_float' ? 'GNSS/RTK' : 'GNSS',
  genauigkeit_cm: String(Math.round(accuracy * 1000) / 10).replace('.', ','),
  lage_fix: solution?.type ?? '',
  genauigkeit_geschaetzt: solution === null ? '' : solution.estimated ? 'ja' : 'nein',
})

const centimetres = ({ genauigkeit_cm }: Quality): number =>
  genauigkeit_cm === '' ? Number.NaN : Number(genauigkeit_cm.replace(',', '.'))

/** Of a drain of which one more point is known so well. It is its worst point; what one point lacks, all lack. */
export function worseOf(drain: Quality, point: Quality): Quality {
  const both = [drain, point]
  const said = (field: keyof Quality, value: string) => both.every((one) => one[field] === value)
  const [of, at] = both.map(centimetres) as [number, number]
  const isPointWorse = point.vermessen !== 'ja' || (drain.vermessen === 'ja' && at > of)
  const fixes = both.map(({ lage_fix }) => lage_fix).filter(isMeasured)
  const isAccuracyKnown = !Number.isNaN(of + at)
  return {
    vermessen: said('vermessen', 'ja') ? 'ja' : both.some((one) => one.vermessen === 'nein') ? 'nein' : '',
    erfq: both.every(({ erfq }) => erfq.startsWith('GNSS'))
      ? said('erfq', point.erfq)
        ? point.erfq
        : 'GNSS'
      : (isPointWorse ? point : drain).erfq,
    genauigkeit_cm: !isAccuracyKnown ? '' : (at > of ? point : drain).genauigkeit_cm,
    lage_fix: fixes.length === both.length ? (worstOf(fixes) ?? '') : '',
    genauigkeit_geschaetzt: !isAccuracyKnown
      ? ''
      : both.some((one) => one.genauigkeit_geschaetzt === 'ja')
        ? 'ja'
        : said('genauigkeit_geschaetzt', 'nein')
          ? 'nein'
          : '',
  }
}
