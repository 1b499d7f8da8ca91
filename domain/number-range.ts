// Numbers of invoices and offers: the pattern of a range and its expansion. SQL expands it the same way at
// issue; both are tested with number-range.cases.json.

/**
 * leer · lang: more than 40 · rand: blanks at an edge · zeichen: control characters · zahl: no {N…} or two ·
 * jahr: numbers that restart each year need {JJJJ} or {JJ}, otherwise they would repeat · klammer: anything
 * else in braces, the year twice or after the number.
 */
export type MusterFault = 'leer' | 'lang' | 'rand' | 'zeichen' | 'zahl' | 'jahr' | 'klammer'

const SHAPE = /^[^{}]*(?:\{(?:JJJJ|JJ)\}[^{}]*)?\{N{1,9}\}[^{}]*$/

export function musterFault(muster: string, isYearly: boolean): MusterFault | null {
  if (muster === '') return 'leer'
  if ([...muster].length > 40) return 'lang'
  if (/[\u0001-\u001F\u007F]/.test(muster)) return 'zeichen'
  if (/^ | $/.test(muster)) return 'rand'
  if (muster.match(/\{N{1,9}\}/g)?.length !== 1) return 'zahl'
  if (!SHAPE.test(muster)) return 'klammer'
  return isYearly && !muster.includes('{JJ') ? 'jahr' : null
}

/**
 * "RE-{JJJJ}-{NNNN}", 2026 and 17 give RE-2026-0017; a number with more digits than places keeps them all.
 */
export const fillMuster = (muster: string, year: number, number: number): string =>
  muster
    .replace('{JJJJ}', () => String(year).padStart(4, '0'))
    .replace('{JJ}', () => String(year % 100).padStart(2, '0'))
    .replace(/\{(N{1,9})\}/, (_whole, places: string) => String(number).padStart(places.length, '0'))

export interface Counter {
  readonly jaehrlich: boolean
  /** Year of the last number assigned, null before the first. */
  readonly jahr: number | null
  readonly naechste: number
}

/** The next number in a year. A range that does not restart each year just continues. */
export function nextNumber({ jaehrlich, jahr, naechste }: Counter, year: number): number {
  return jaehrlich && jahr !== null && year !== jahr ? 1 : naechste
}
