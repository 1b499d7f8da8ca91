import { dezimal, formatZahl } from '#domain/geld.ts'

/** "19.00" → 19 */
export const rateText = (ust_satz: string): string => formatZahl(dezimal(ust_satz))
