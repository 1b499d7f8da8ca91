import { describe, expect, test } from 'vitest'
import type { KarteTree } from './karte-labels.ts'
import { barOf, drawKarten, MOST_SHEETS } from './report-karte.ts'

const tree = (
  east: number,
  north: number,
  treeNumber: string,
  sign: KarteTree['zeichen'] = 'baum',
): KarteTree => ({
  ort: [400_000 + east, 5_700_000 + north],
  nummer: treeNumber,
  zeichen: sign,
})
const quadrat = [
  [
    [400_000, 5_700_000],
    [401_000, 5_700_000],
    [401_000, 5_700_700],
    [400_000, 5_700_700],
  ],
] as const

describe('a map', () => {
  test('of nothing is none', () => expect(drawKarten([], [])).toBeNull())
  test('shows a kilometre at a round scale, as wide as it can be', () => {
    const { overview, sheetList } = drawKarten(
      [quadrat],
      [tree(100, 100, '1'), tree(900, 600, 'H 2', 'anwaerter')],
    )!
    expect([overview.quer, overview.scale, overview.baeume, overview.unnumbered]).toEqual([true, 7_500, 2, 0])
    expect(sheetList).toEqual([])
    const [one, two] = ['1', 'H 2'].map((text) => overview.texte.find((entry) => entry.text === text)!)
    // 800 m to the east and 500 m to the north at 1 : 7,500.
    expect(two!.x - one!.x).toBeCloseTo(106.67, 1)
    expect(one!.y - two!.y).toBeCloseTo(66.67, 1)
    expect(overview.svg.match(/<circle/g)).toHaveLength(2)
  })
  test('of one tree alone is not infinitely large', () =>
    expect(drawKarten([], [tree(0, 0, '7')])!.overview.scale).toBe(500))
  test('is not made small by a tree that somebody put into another county', () => {
    const near = Array.from({ length: 5 }, (_, at) => tree(at * 150, at * 100, String(at)))
    const { overview, ausserhalb } = drawKarten([quadrat], [...near, tree(-60_000, 9_000, '99')])!
    expect([overview.scale, overview.baeume, ausserhalb]).toEqual([
      drawKarten([quadrat], near)!.overview.scale,
      5,
      1,
    ])
    // All of them are elsewhere, so they are what is shown.
    const far = drawKarten([quadrat], [tree(-60_000, 9_000, '99')])!
    expect([far.overview.baeume, far.ausserhalb]).toEqual([1, 0])
  })
  test('of a choice is as large as the choice asks for', () => {
    const few = [tree(100, 100, '1'), tree(140, 120, '2')]
    expect(drawKarten([quadrat], few, false)!.overview.scale).toBeLessThan(
      drawKarten([quadrat], few)!.overview.scale,
    )
  })
  test('bears coordinates at its frame and a north', () => {
    const words = drawKarten([quadrat], [])!.overview.texte.map(({ text }) => text)
    expect(words).toEqual(expect.arrayContaining(['400.500', '5.700.500', 'N']))
  })
  test('has a number for each tree on one of its sheets where one sheet has no room for all', () => {
    // 600 trees ten metres apart.
    const trees = Array.from({ length: 600 }, (_, at) =>
      tree((at % 30) * 10, Math.floor(at / 30) * 10, String(1000 + at)),
    )
    const { overview, sheetList } = drawKarten([quadrat], trees)!
    expect(overview.unnumbered).toBeGreaterThan(100)
    expect(sheetList.length).toBeGreaterThan(1)
    const said = new Set(sheetList.flatMap(({ texte }) => texte.map(({ text }) => text)))
    expect(trees.filter(({ nummer }) => !said.has(nummer))).toEqual([])
    expect(overview.texte.filter(({ text }) => text.startsWith('Blatt '))).toHaveLength(sheetList.length)
    for (const singleSheet of sheetList) expect(singleSheet.scale).toBeLessThan(overview.scale)
  })
  test('ends, however many trees stand in one place', () => {
    const trees = Array.from({ length: 2_000 }, (_, at) => tree(at % 3, 0, String(at)))
    expect(drawKarten([], trees)!.sheetList.length).toBeLessThanOrEqual(MOST_SHEETS)
  })
  test('draws numbers that do not lie on each other', () => {
    const trees = Array.from({ length: 200 }, (_, at) =>
      tree((at * 37) % 991, (at * 53) % 683, String(at + 1)),
    )
    const { texte } = drawKarten([quadrat], trees)!.overview
    const boxes = texte
      .filter(({ groesse }) => groesse === 5.6)
      .map(({ x, y, text, anker }) => {
        const w = text.length
        const left = anker === 'links' ? x : anker === 'rechts' ? x - w : x - w / 2
        return { left, right: left + w, top: y - 0.9, bottom: y + 0.9 }
      })
    const meet = boxes.flatMap((a, at) =>
      boxes
        .slice(at + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    )
    expect(meet).toEqual([])
  })
})

test('the bar of a scale is 40 to 80 mm long and stands for a round length', () => {
  expect(barOf(5_000)).toEqual({ laenge: 80, meter: 400 })
  expect(barOf(7_500)).toEqual({ laenge: (400 * 1000) / 7_500, meter: 400 })
  for (const scale of [500, 1_000, 2_500, 25_000, 300_000]) {
    const { laenge, meter } = barOf(scale)
    expect(laenge).toBeGreaterThanOrEqual(26)
    expect(laenge).toBeLessThanOrEqual(80)
    expect(String(meter)).toMatch(/^[124]0*$/)
  }
})
