import { decimal, formatGerman } from '#domain/geld.ts'

/** "19.00" → 19 */
export const rateText = (rate: string): string => formatGerman(decimal(rate))
