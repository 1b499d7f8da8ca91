import { describe, expect, test } from 'vitest'
import cases from './country.cases.json' with { type: 'json' }
import {
  countryLine,
  countryList,
  isCountry,
  isPostcode,
  normalizePostcode,
  parseCountry,
  placeLine,
  placeLines,
  postcodeExample,
} from './countries.ts'

describe('postcodes', () => {
  for (const { why, land, plz, valid, set } of cases)
    test(why, () => {
      expect(isPostcode(land, plz)).toBe(valid)
      if (set !== undefined) expect(normalizePostcode(land, plz)).toBe(set)
    })
  test('every example is right and written as the product writes it', () => {
    for (const { code } of countryList()) {
      const example = postcodeExample(code)
      if (example === null) continue
      expect([code, isPostcode(code, example), normalizePostcode(code, example)]).toEqual([
        code,
        true,
        example,
      ])
    }
  })
})

test('addresses as each country writes them', () => {
  const lines = (land: string, plz: string, ort: string) => [
    ...placeLines({ land, plz, ort }),
    countryLine(land),
  ]
  expect(lines('DE', '01067', 'Dresden')).toEqual(['01067 Dresden', ''])
  expect(lines('AT', '1010', 'Wien')).toEqual(['1010 Wien', 'ÖSTERREICH'])
  expect(lines('CH', '8001', 'Zürich')).toEqual(['8001 Zürich', 'SCHWEIZ'])
  expect(lines('NL', '1012ab', 'Amsterdam')).toEqual(['1012 AB\u00A0 Amsterdam', 'NIEDERLANDE'])
  expect(lines('IT', '39100', 'Bozen BZ')).toEqual(['39100 Bozen BZ', 'ITALIEN'])
  expect(lines('PL', '00-950', 'Warszawa')).toEqual(['00-950 Warszawa', 'POLEN'])
  expect(lines('CZ', '11000', 'Praha 1')).toEqual(['110 00 Praha 1', 'TSCHECHIEN'])
  expect(lines('GB', 'sw1a1aa', 'London')).toEqual(['London', 'SW1A 1AA', 'VEREINIGTES KÖNIGREICH'])
  expect(lines('US', '10001', 'New York NY')).toEqual(['New York NY 10001', 'VEREINIGTE STAATEN'])
  expect(lines('HK', '', 'Kowloon')).toEqual(['Kowloon', 'SONDERVERWALTUNGSREGION HONGKONG'])
  expect(placeLine({ land: 'GI', plz: ' ', ort: 'Gibraltar' })).toBe('Gibraltar')
  expect(lines('LV', '1010', 'Rīga')).toEqual(['Rīga, LV-1010', 'LETTLAND'])
})

test('a country is read from its code, its name or its old sign', () => {
  expect(['AT', 'at', 'Österreich', ' Schweiz ', 'A', 'USA', 'Deutschland'].map(parseCountry)).toEqual([
    'AT',
    'AT',
    'AT',
    'CH',
    'AT',
    'US',
    'DE',
  ])
  expect(['', 'ZZ', 'Bayern', 'constructor'].map(parseCountry)).toEqual([null, null, null, null])
  expect([isCountry('XI'), isCountry('EL'), isCountry('GR')]).toEqual([false, false, true])
})
test('a list of countries begins with the neighbours and has each once', () => {
  const codes = countryList().map(({ code }) => code)
  expect(codes.slice(0, 4)).toEqual(['DE', 'AT', 'CH', 'BE'])
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toHaveLength(249)
})
