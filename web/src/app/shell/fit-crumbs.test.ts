import { describe, expect, test } from 'vitest'
import { fitCrumbs, shortened } from './fit-crumbs.ts'

const SIZES = { gap: 20, more: 30 }
const HOME = { width: 130 }
const GROUP = { width: 90 }
const LIST = { width: 70 }
const NAME = { width: 400, named: true as const }
const fit = (room: number, ...widths: { width: number; named?: true }[]) =>
  fitCrumbs(widths, { room, ...SIZES })

describe('which crumbs are shown', () => {
  test('all, where they fit', () => {
    expect(fit(800, HOME, GROUP, LIST, NAME).hidden).toEqual([1, 1])
    expect(fit(200, HOME).hidden).toEqual([1, 1])
  })
  test('a long name is shortened before a crumb gives way, but never below what it needs', () => {
    // 130 + 90 + 70 and three gaps leave 210 of 560.
    expect(fit(560, HOME, GROUP, LIST, NAME)).toEqual({ hidden: [1, 1], most: [130, 90, 70, 210] })
    expect(fit(500, HOME, GROUP, LIST, NAME).hidden).not.toEqual([1, 1])
  })
  test('the middle gives way first, from the left; then the first', () => {
    expect(fit(490, HOME, GROUP, LIST, NAME).hidden).toEqual([1, 2])
    expect(fit(380, HOME, GROUP, LIST, NAME).hidden).toEqual([1, 3])
    expect(fit(300, HOME, GROUP, LIST, NAME).hidden).toEqual([0, 3])
  })
  test('names above the page are shortened to a size that leaves room for others', () =>
    expect(fit(900, HOME, LIST, NAME, { width: 100 }).most[2]).toBe(180))
  test('where there is nearly no room, the page keeps what is left', () =>
    expect(fit(120, HOME, GROUP, NAME)).toEqual({ hidden: [0, 2], most: [130, 90, 70] }))
})

describe('shortened', () => {
  /** Every letter ten wide. */
  const widthOf = (text: string) => [...text].length * 10
  test('what fits stays', () => expect(shortened('Waldhof', 70, widthOf)).toBe('Waldhof'))
  test('in the middle, more of the beginning than of the end', () =>
    expect(shortened('Forstbetrieb Graf von Hohenstein', 160, widthOf)).toBe('Forstbetr…nstein'))
  test('without a space before or after the gap', () =>
    expect(shortened('Waldhof am See', 100, widthOf)).toBe('Waldho…See'))
  test('not to letters: rather nothing, as the heading below says it all', () => {
    expect(shortened('Forstbetrieb', 60, widthOf)).toBe('For…eb')
    expect(shortened('Forstbetrieb', 50, widthOf)).toBe('')
    expect(shortened('Karte', 50, widthOf)).toBe('Karte')
  })
})
