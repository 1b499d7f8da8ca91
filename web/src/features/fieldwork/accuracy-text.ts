// How well a place was measured, in words.
import type { MeasuredFix } from '#domain/gnss/fix.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import { fixName } from '../../record/kataster/kataster-words.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

/** Below a metre in centimetres. */
export const accuracyText = (metres: number): string =>
  metres < 1 ? t('{n} cm', { n: formatNumber(metres * 100, metres < 0.1 ? 1 : 0) }) : meterText(metres)

/**
 * How exactly a distance from a position of this accuracy is shown: centimetres with RTK, else as it
 * deserves.
 */
const stepOf = (accuracy: number): number =>
  accuracy < 0.1 ? 0.01 : accuracy < 1 ? 0.1 : accuracy < 10 ? 1 : 10

/** A distance from one's own position; both in metres. Nothing is said that the position does not bear out. */
export function distanceText(metres: number, accuracy: number): string {
  const step = stepOf(accuracy)
  const digits = Math.max(0, -Math.log10(step))
  if (metres < step) return t('unter {n} m', { n: formatNumber(step, digits) })
  if (metres >= 1000) return t('{n} km', { n: formatNumber(metres / 1000, 1) })
  return t('{n} m', { n: formatNumber(Math.round(metres / step) * step, digits) })
}

/** The kind of solution, and whether the accuracy is only estimated. */
export const fixText = (type: MeasuredFix, estimated: boolean): string =>
  estimated ? t('{fix}, Genauigkeit geschätzt', { fix: fixName(type) }) : fixName(type)
