// How objects are drawn: the same on the map, in the legend and on paper. Kinds differ by their shape, surveyed and assumed by line and filling, so that nothing hangs on a colour alone.
import type { ObjectKind, SurveyedWord } from '#contract/kataster-tile.ts'

export const COLOURS: Readonly<Record<SurveyedWord, string>> = {
  ja: '#0b5cad',
  nein: '#b03a06',
  offen: '#4b5563',
}
/** Around everything: maps lie on aerial pictures and on paper. */
export const EDGE = '#ffffff'
export const CHOSEN = '#ffd400'
export const CLUSTER_COLOR = '#14401f'

/** Lengths of dash and gap; none: drawn through. */
export const DASH: Readonly<Record<SurveyedWord, readonly number[]>> = { ja: [], nein: [7, 5], offen: [2, 4] }
export const LINE_WIDTH = 2.5

/** Corners around the middle, y downwards, for a size of 1; a circle has none. */
export const CORNERS: Readonly<
  Record<Exclude<ObjectKind, 'draenage'>, readonly (readonly [number, number])[] | 'kreis'>
> = {
  ausmuendung: [
    [0, -1],
    [0.95, 0.75],
    [-0.95, 0.75],
  ],
  schacht: 'kreis',
  schlucker: [
    [-0.8, -0.8],
    [0.8, -0.8],
    [0.8, 0.8],
    [-0.8, 0.8],
  ],
  einlauf: [
    [0, -1.05],
    [1.05, 0],
    [0, 1.05],
    [-1.05, 0],
  ],
}
/** Half the size of a sign, in pixels. */
export const SIGN_SIZE = 6
