// How well a place was measured, in words.
import type { MeasuredFix } from '#domain/gnss/fix.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import { fixName } from '../../record/kataster/kataster-words.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

/** Below a metre in centimetres. */
export const accuracyText = (metres: number): string =>
  metres < 1 ? t('{n} cm', { n: formatNumber(metres * 100, metres < 0.1 ? 1 : 0) }) : meterText(metres)

/** The kind of solution, and whether the accuracy is only estimated. */
export const fixText = (type: MeasuredFix, estimated: boolean): string =>
  estimated ? t('{fix}, Genauigkeit geschätzt', { fix: fixName(type) }) : fixName(type)
