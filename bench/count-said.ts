// How a list writes the number of its rows, for benches that wait for it.
import { MOST_COUNTED } from '../web/src/list/table-source.ts'

const inGerman = (count: number): string => count.toLocaleString('de-DE')

/** Beyond what a list counts: that there are more. */
export const countSaid = (rows: number): string =>
  rows > MOST_COUNTED ? `mehr als ${inGerman(MOST_COUNTED)}` : inGerman(rows)
