import { describe, expect, test } from 'vitest'
import { BUNDESLAENDER } from './bundeslaender.ts'
import { createFarTally, kmFrom, whereaboutsOf } from './far-away.ts'

const row = (nr: number) => ({ schicht: 'baeume', nr, name: `B${nr}` })
const BOX = { west: 12, sued: 53, ost: 13, nord: 54 }

describe('how far', () => {
  test('a place within is not away at all', () => expect(kmFrom(BOX, 12.5, 53.5)).toBe(0))
  test.each([
    [11, 53.5, 66],
    [14, 53.5, 66],
    [12.5, 55, 111],
    [11, 52, 131],
  ])('%d, %d is %i km away', (lon, lat, km) => expect(Math.round(kmFrom(BOX, lon, lat))).toBe(km))
  test('the wrong one of two zones is six degrees away', () => {
    const tally = createFarTally(whereaboutsOf(BOX, 'Bayern'))
    tally.count(12.2, 53.2, row(1))
    tally.count(12.4 - 6, 53.2, row(2))
    tally.count(12.2 - 6, 53.2, row(3))
    expect(tally.result()).toEqual({
      anzahl: 2,
      von: 3,
      km: 386,
      bezug: 'bestand',
      objekte: [
        { ...row(3), km: 386 },
        { ...row(2), km: 373 },
      ],
    })
  })
  test('of many the twenty farthest are named, those as far as each other in the order of the file', () => {
    const tally = createFarTally(whereaboutsOf(BOX, null))
    for (let nr = 1; nr <= 200; nr++) tally.count(nr === 200 ? 5 : 6, 53.5, row(nr))
    const { anzahl, von, objekte } = tally.result()!
    expect([anzahl, von, objekte.map(({ nr }) => nr)]).toEqual([
      200,
      200,
      [200, ...Array.from({ length: 19 }, (_, at) => at + 1)],
    ])
  })
  test('next door is not far', () => {
    const tally = createFarTally(whereaboutsOf(BOX, null))
    tally.count(13.3, 53.5, row(1))
    expect(tally.result()).toBeNull()
  })
})

describe('nothing is known of the customer', () => {
  const found = (places: readonly (readonly [number, number])[], land: string | null = null) => {
    const tally = createFarTally(whereaboutsOf(null, land))
    for (const [at, [lon, lat]] of places.entries()) tally.count(lon, lat, row(at + 1))
    const far = tally.result()
    return far && [far.anzahl, far.von, far.bezug, ...far.objekte.map(({ nr }) => nr)]
  }
  const forest = (count: number) => Array.from({ length: count }, (_, at) => [12 + at / 1000, 53] as const)
  test.each([
    ['a point with a wrong digit', [...forest(9), [17, 53] as const], [1, 10, 'datei', 10]],
    ['the first of four', [[12, 48] as const, ...forest(3)], [1, 4, 'datei', 1]],
    [
      'two of many, one on each side',
      [[3, 53] as const, ...forest(60), [19, 53] as const],
      [2, 62, 'datei', 1, 62],
    ],
    ['three have no middle', [...forest(2), [17, 53] as const], null],
    ['a whole forest together', forest(100), null],
    [
      'two parts of a forest',
      [...forest(5), ...forest(5).map(([lon, lat]) => [lon + 1, lat] as const)],
      null,
    ],
    ['one', [[0, 0] as const], null],
    ['none', [], null],
  ] as const)('%s', (_what, places, wanted) => expect(found(places)).toEqual(wanted))
  test('also within the Land of the address, which is large', () => {
    expect(found([...forest(9), [15, 53]], 'Mecklenburg-Vorpommern')).toEqual([1, 10, 'land', 10])
    expect(found([...forest(9), [13.5, 53.5]], 'Mecklenburg-Vorpommern')).toEqual([1, 10, 'datei', 10])
  })
})

describe('where a customer is', () => {
  test('is where the data are, else in the Land, else unknown', () => {
    expect(whereaboutsOf(BOX, 'Bayern')).toEqual({ art: 'bestand', box: BOX })
    expect(whereaboutsOf(null, 'Bayern')?.art).toBe('land')
    expect(whereaboutsOf(null, null)).toBeNull()
  })
  test('every Land has a box that contains its capital and not the others', () => {
    const capitals: Record<string, [number, number]> = {
      'Baden-Württemberg': [9.18, 48.78],
      Bayern: [11.58, 48.14],
      Berlin: [13.4, 52.52],
      Brandenburg: [13.06, 52.4],
      Bremen: [8.81, 53.08],
      Hamburg: [9.99, 53.55],
      Hessen: [8.24, 50.08],
      'Mecklenburg-Vorpommern': [11.41, 53.63],
      Niedersachsen: [9.73, 52.37],
      'Nordrhein-Westfalen': [6.78, 51.23],
      'Rheinland-Pfalz': [8.27, 50],
      Saarland: [7, 49.23],
      Sachsen: [13.74, 51.05],
      'Sachsen-Anhalt': [11.63, 52.13],
      'Schleswig-Holstein': [10.14, 54.32],
      Thüringen: [11.03, 50.98],
    }
    for (const land of BUNDESLAENDER)
      expect(kmFrom(whereaboutsOf(null, land)!.box, ...capitals[land]!), land).toBe(0)
    expect(kmFrom(whereaboutsOf(null, 'Bayern')!.box, ...capitals['Sachsen']!)).toBeGreaterThan(50)
  })
})
