import { describe, expect, test } from 'vitest'
import { accountList } from './account-lines.ts'
import {
  checkLieferant,
  FIELDS,
  type Lieferant,
  type LieferantValues,
  recordOf,
  tidied,
  fieldValuesOf,
} from './lieferant-form.ts'

const GOOD: LieferantValues = {
  ...recordOf(null),
  name: 'Vermessung Probe GmbH',
  strasse: 'Lindenweg 3',
  plz: '17033',
  ort: 'Neubrandenburg',
  iban: 'DE02 1203 0000 0000 2020 51',
  bic: 'BYLADEM1001',
  skonto_tage: '10',
  skonto_prozent: '2',
  datev_erloeskonten: 'S 19.00 = 8400\nS 7.00 = 8300',
  datev_bankkonto: '1200',
  datev_debitor_sammel: '10000',
  datev_skontokonten: 'S 19.00 = 8736',
}
describe('the supplier’s form', () => {
  test('begins with the defaults and asks for name and address', () =>
    expect(Object.keys(checkLieferant(recordOf(null)))).toEqual(['name', 'strasse', 'plz', 'ort']))
  test('takes what is right', () => expect(checkLieferant(GOOD)).toEqual({}))
  test.each<[keyof LieferantValues, string]>([
    ['iban', 'DE02 1203 0000 0000 2020 52'],
    ['bic', 'COBA'],
    ['ust_id', 'DE123456789'],
    ['steuernummer', '12'],
    ['mail', 'a@b'],
    ['plz', '1703'],
    ['land', 'de'],
    ['zahlungsziel', '366'],
    ['angebot_tage', '0'],
    ['ust_satz', '19.5'],
    ['mahngebuehr_2', '-1'],
    ['mahn_kulanz', '91'],
    ['mahn_frist', '0'],
    ['skonto_tage', ''],
    ['skonto_prozent', '0'],
    ['datev_kontenlaenge', '9'],
    ['datev_berater', '12345678'],
    ['datev_mandant', 'x'],
    ['datev_debitor_von', '9999'],
    ['datev_erloeskonten', 'S 19.00 8400'],
    ['datev_erloeskonten', 'S 19.00 = 84000'],
    ['datev_skontokonten', 'S 19.00'],
    ['datev_bankkonto', '0120'],
    ['datev_bankkonto', '12000'],
    ['datev_debitor_sammel', '1000'],
    ['fusszeile', 'x'.repeat(1001)],
    ['kontoinhaber', 'x\u0007y'],
  ])('%s: %s is told at its field', (field, value) =>
    expect(Object.keys(checkLieferant({ ...GOOD, [field]: value }))).toEqual([field]),
  )
  test('sends what changed, in the shape of the table', () => {
    const stored: Lieferant = {
      ...(recordOf(null) as unknown as Lieferant),
      skonto: [
        { tage: 14, prozent: '1.00' },
        { tage: 30, prozent: '0.50' },
      ],
    }
    const all = tidied({ ...GOOD, iban: ' de02120300000000202051 ', mahngebuehr_3: '1.234,5' })
    expect(
      fieldValuesOf(
        { iban: all.iban, mahngebuehr_3: all.mahngebuehr_3, skonto_tage: '10', ort: 'x', ust_satz: '7,5' },
        { ...all, ust_satz: '7,5' },
        stored,
      ),
    ).toEqual({
      ort: 'x',
      iban: 'DE02120300000000202051',
      ust_satz: 7.5,
      mahngebuehren: ['0.00', '5.00', '1234.50'],
      skonto: [
        { tage: 10, prozent: '2.00' },
        { tage: 30, prozent: '0.50' },
      ],
    })
    expect(fieldValuesOf({ datev_erloeskonten: all.datev_erloeskonten }, all, null)).toEqual({
      datev_erloeskonten: { 'S 19.00': '8400', 'S 7.00': '8300' },
    })
    expect(fieldValuesOf({ skonto_tage: '' }, { ...all, skonto_tage: '', skonto_prozent: '' }, null)).toEqual(
      { skonto: [] },
    )
  })
  test.each([
    ['19 % = 8400', 'S 19.00'],
    ['7=8300', 'S 7.00'],
    ['s 19,5 : 8400', 'S 19.50'],
    ['AE = 8337', 'AE 0.00'],
    ['e 0 = 8100', 'E 0.00'],
    ['19 % = 8000 bu 3', 'S 19.00'],
  ])('an account typed as %j is that of %s', (line, key) => {
    const all = tidied({ ...GOOD, datev_erloeskonten: line })
    expect(checkLieferant({ ...GOOD, datev_erloeskonten: line })).toEqual({})
    expect(Object.keys(fieldValuesOf({ datev_erloeskonten: line }, all, null).datev_erloeskonten!)).toEqual([
      key,
    ])
    // Tidying is idempotent.
    expect(tidied(all).datev_erloeskonten).toBe(all.datev_erloeskonten)
  })
  test('a tax key is stored beside its account and shown as it was typed', () => {
    const all = tidied({ ...GOOD, datev_erloeskonten: '7 = 8000/2\n19 % = 8400' })
    expect(all.datev_erloeskonten).toBe('S 19.00 = 8400\nS 7.00 = 8000 BU 2')
    const { datev_erloeskonten } = fieldValuesOf({ datev_erloeskonten: '' }, all, null)
    expect(datev_erloeskonten).toEqual({ 'S 19.00': '8400', 'S 7.00': { konto: '8000', bu: '2' } })
    expect(accountList(datev_erloeskonten!)).toBe(all.datev_erloeskonten)
  })
  test.each(['0 % = 8100', '19 % = 8400 BU', 'S = 8400', '= 8400', '119 % = 8400', 'Z 19 = 8400'])(
    '%j says not which tax it is',
    (line) =>
      expect(Object.keys(checkLieferant({ ...GOOD, datev_erloeskonten: line }))).toEqual([
        'datev_erloeskonten',
      ]),
  )
  test.each([
    ['3400 = ohne', { '3400': '' }],
    ['4900:94\n\n3123=Ohne', { '4900': '94', '3123': '' }],
    ['4900 = BU 506', { '4900': '506' }],
  ])('accounts of expenses typed as %j', (typed, stored) => {
    const all = tidied({ ...GOOD, datev_aufwandskonten: typed })
    expect(checkLieferant(all)).toEqual({})
    expect(fieldValuesOf({ datev_aufwandskonten: '' }, all, null)).toEqual({ datev_aufwandskonten: stored })
    expect(tidied(all).datev_aufwandskonten).toBe(all.datev_aufwandskonten)
  })
  test.each(['3400', '3400 = ', '340 = 9', '0400 = 9', '3400 = 12345', '3400 = neun'])(
    '%j is no account with its key',
    (line) =>
      expect(Object.keys(checkLieferant({ ...GOOD, datev_aufwandskonten: line }))).toEqual([
        'datev_aufwandskonten',
      ]),
  )
  test('every field is sent by something', () => {
    const all = tidied(GOOD)
    for (const field of FIELDS)
      expect(Object.keys(fieldValuesOf({ [field]: all[field] }, all, null)), field).toHaveLength(1)
  })
})
