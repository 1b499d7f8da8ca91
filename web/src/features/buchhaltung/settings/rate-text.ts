import { decimal, formatGerman } from '#domain/geld.ts'

/** "19.00" → 19 */
export const rateText = (ust_satz: string): string => formatGerman(decimal(ust_satz))
