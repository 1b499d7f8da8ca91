// Scroll and menu positions of the tabs bar, as pure functions.

/** Gap between a tab and the edge it is aligned to. */
export const TAB_SPACING = 4
const WHEEL_DIVISOR = 4
/** Wheel units per line: a notch of three lines counts 120, as in older browsers. */
const PER_DELTA = 40

export interface Extent {
  readonly left: number
  readonly width: number
}
export interface Pane {
  readonly scrollLeft: number
  readonly width: number
  readonly scrollWidth: number
}

/**
 * Scroll offset after a wheel event; down scrolls right. Null if nothing overflows and the wheel should
 * scroll the page. `deltaMode` 1 counts lines, three per notch.
 */
export function afterWheel(pane: Pane, deltaY: number, deltaMode = 0): number | null {
  if (pane.scrollWidth <= pane.width || deltaY === 0) return null
  const delta = deltaMode === 1 ? deltaY * PER_DELTA : deltaY
  const wanted = pane.scrollLeft + delta / WHEEL_DIVISOR
  return Math.max(0, Math.min(wanted, pane.scrollWidth - pane.width))
}

/**
 * Scroll offset after a navigation: the first and last tab are aligned to their edge; for others both
 * neighbours are kept visible.
 */
export function afterNavigation(pane: Pane, tabs: readonly Extent[], at: number): number {
  const most = Math.max(0, pane.scrollWidth - pane.width)
  if (most === 0 || at <= 0) return 0
  if (at >= tabs.length - 1) return most
  const previous = tabs[at - 1]!
  const next = tabs[at + 1]!
  const rightEdge = next.left + next.width + TAB_SPACING
  const leftEdge = previous.left - TAB_SPACING
  const wanted =
    rightEdge > pane.scrollLeft + pane.width ? rightEdge - pane.width : Math.min(leftEdge, pane.scrollLeft)
  return Math.max(0, Math.min(wanted, most))
}

const MENU_MIN_WIDTH = 105
const MENU_MARGIN = 15
const WINDOW_EDGE = 8

export interface MenuPlace {
  readonly left: number
  readonly top: number
}
/**
 * Menu position: 15 px right of the pointer, at most 105 px before the right end of the bar, and entirely
 * inside the window.
 */
export function placeMenu(
  pointer: { x: number; y: number },
  bar: Extent,
  menu: { width: number; height: number },
  windowSize: { width: number; height: number },
): MenuPlace {
  const wanted = bar.left + Math.min(pointer.x - bar.left + MENU_MARGIN, bar.width - MENU_MIN_WIDTH)
  const inside = (value: number, size: number, room: number) =>
    Math.max(WINDOW_EDGE, Math.min(value, room - size - WINDOW_EDGE))
  return {
    left: inside(wanted, menu.width, windowSize.width),
    top: inside(pointer.y, menu.height, windowSize.height),
  }
}
