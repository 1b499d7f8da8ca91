// How much of an offer goes into the next invoice: quantities as typed, by line.
import { compare, type Dezimal, dezimal, formatZahl, percentOf, roundTo, sign } from '#domain/geld.ts'
import type { Rest } from '../beleg.data.ts'

export const MENGE = { stellen: 3, vorkomma: 9, negativ: true } as const
export type Mengen = Readonly<Record<number, string>>

/** Above what is left; credits count the other way. */
export const isMore = (wanted: Dezimal, rest: Dezimal): boolean => (sign(rest) < 0 ? compare(wanted, rest) < 0 : compare(wanted, rest) > 0)

const typed = (value: Dezimal): string => (sign(value) === 0 ? '' : formatZahl(value))
const by = (lines: readonly Rest[], of: (line: Rest) => string): Mengen =>
  Object.fromEntries(lines.map((line) => [line.position_id, of(line)]))

export const restMengen = (lines: readonly Rest[]): Mengen => by(lines, ({ rest }) => typed(dezimal(rest)))
export const leereMengen = (lines: readonly Rest[]): Mengen => by(lines, () => '')
/** So much of what was offered, but no more than is left. */
export const anteilMengen = (lines: readonly Rest[], prozent: Dezimal): Mengen =>
  by(lines, ({ anzahl, rest }) => {
    const share = roundTo(percentOf(dezimal(anzahl), prozent), 3)
    return typed(isMore(share, dezimal(rest)) ? dezimal(rest) : share)
  })
