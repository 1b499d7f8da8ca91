// How well a place was measured, in words.
import { FIX } from '#domain/habitat/choices.ts'
import type { MeasuredFix } from '#domain/gnss/fix.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import { choiceName } from '../../record/declared.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

/** Below a metre in centimetres. */
export const accuracyText = (metres: number): string =>
  metres < 1 ? t('{n} cm', { n: formatNumber(metres * 100, metres < 0.1 ? 1 : 0) }) : meterText(metres)

const nameOf = choiceName(FIX)
/** The kind of solution, and whether the accuracy is only estimated. */
export const fixText = (type: MeasuredFix, estimated: boolean): string =>
  estimated ? t('{fix}, Genauigkeit geschätzt', { fix: nameOf(type) }) : nameOf(type)
