// Symbols of the objects, the same on the map, in the legend and on paper. Kinds differ in shape, surveyed
// and assumed in line and fill, so that nothing depends on colour alone.
import type { ObjectKind, SurveyedWord } from '#contract/kataster-tile.ts'

export const COLOURS: Readonly<Record<SurveyedWord, string>> = {
  ja: '#0b5cad',
  nein: '#b03a06',
  offen: '#4b5563',
}
/** Rim around everything, because the map is shown over aerial pictures and paper. */
export const EDGE = '#ffffff'
export const CHOSEN = '#ffd400'
export const CLUSTER_COLOR = '#14401f'

/** Lengths of dash and gap; empty for a solid line. */
export const DASH: Readonly<Record<SurveyedWord, readonly number[]>> = { ja: [], nein: [7, 5], offen: [2, 4] }
export const LINE_WIDTH = 2.5

/** Corners around the centre, y downwards, for a size of 1; a circle has none. */
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
/** Half the size of a symbol, in pixels. */
export const SIGN_SIZE = 6
