// Where toasts appear: in the first corner where they cover nothing that they may speak of. Pure.

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
export type Corner = 'top' | 'bottom' | 'bottom-left'
export const CORNERS: readonly Corner[] = ['top', 'bottom', 'bottom-left']

const coveredArea = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))

export const covers = (a: Box, b: Box): boolean => coveredArea(a, b) > 0

/** The first corner that covers none of the subjects; otherwise the one that covers least of them. */
export function cornerFor(boxAt: (corner: Corner) => Box, subjects: readonly Box[]): Corner {
  const covered = CORNERS.map((corner) => ({
    corner,
    area: subjects.reduce((sum, subject) => sum + coveredArea(boxAt(corner), subject), 0),
  }))
  return covered.reduce((best, next) => (next.area < best.area ? next : best)).corner
}
