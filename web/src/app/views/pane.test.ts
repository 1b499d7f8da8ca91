import { describe, expect, test } from 'vitest'
import { afterNavigation, afterWheel, placeMenu } from './pane.ts'

const pane = (scrollLeft: number) => ({ scrollLeft, width: 300, scrollWidth: 1000 })

describe('wheel', () => {
  test('one notch down moves 30 px to the right, up to the left', () => {
    expect(afterWheel(pane(100), 120)).toBe(130)
    expect(afterWheel(pane(100), -120)).toBe(70)
    expect(afterWheel(pane(100), 3, 1)).toBe(130)
  })
  test('never past the ends', () => {
    expect(afterWheel(pane(690), 120)).toBe(700)
    expect(afterWheel(pane(10), -120)).toBe(0)
  })
  test('it belongs to the page when nothing overflows, and when it moves sideways', () => {
    expect(afterWheel({ scrollLeft: 0, width: 300, scrollWidth: 300 }, 120)).toBeNull()
    expect(afterWheel(pane(100), 0)).toBeNull()
  })
})

describe('after a navigation', () => {
  /** Ten tabs of 96 px with gaps of 4 px. */
  const tabs = Array.from({ length: 10 }, (_, at) => ({ left: at * 100, width: 96 }))
  test('the first tab: to the start; the last: to the end', () => {
    expect(afterNavigation(pane(400), tabs, 0)).toBe(0)
    expect(afterNavigation(pane(0), tabs, 9)).toBe(700)
  })
  test('the next one out of sight is brought to the right edge', () =>
    expect(afterNavigation(pane(0), tabs, 4)).toBe(596 + 4 - 300))
  test('the previous one out of sight is brought to the left edge', () =>
    expect(afterNavigation(pane(500), tabs, 4)).toBe(300 - 4))
  test('with both neighbours in sight nothing moves', () =>
    expect(afterNavigation({ scrollLeft: 290, width: 320, scrollWidth: 1000 }, tabs, 4)).toBe(290))
  test('nothing overflows, or the open page has no tab', () => {
    expect(afterNavigation({ scrollLeft: 0, width: 1200, scrollWidth: 1200 }, tabs, 5)).toBe(0)
    expect(afterNavigation(pane(200), tabs, -1)).toBe(0)
  })
})

describe('menu', () => {
  const bar = { left: 210, width: 1000 }
  const menu = { width: 100, height: 130 }
  const room = { width: 1280, height: 800 }
  test('15 px right of the pointer, at its height', () =>
    expect(placeMenu({ x: 400, y: 70 }, bar, menu, room)).toEqual({ left: 415, top: 70 }))
  test('at most 105 px before the end of the bar', () =>
    expect(placeMenu({ x: 1200, y: 70 }, bar, menu, room).left).toBe(210 + 1000 - 105))
  test('a wide menu stays inside the window, and so does one at the lower and the left edge', () => {
    expect(
      placeMenu({ x: 1200, y: 790 }, { left: 210, width: 1070 }, { width: 200, height: 130 }, room),
    ).toEqual({ left: 1072, top: 662 })
    expect(placeMenu({ x: 2, y: 2 }, { left: 0, width: 80 }, menu, { width: 320, height: 500 })).toEqual({
      left: 8,
      top: 8,
    })
  })
})
