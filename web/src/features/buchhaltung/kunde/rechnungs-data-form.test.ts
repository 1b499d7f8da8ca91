import { describe, expect, test } from 'vitest'
import leitwegCases from '#domain/leitweg.cases.json' with { type: 'json' }
import {
  checkRechnungData,
  FIELDS,
  stillMissing,
  type RechnungsData,
  recordOf,
  tidied,
  type Values,
  fieldValuesOf,
} from './rechnungs-data-form.ts'

const ROW: RechnungsData = {
  client_id: 7,
  rechnungsformat: 'xrechnung',
  syntax: 'cii',
  leitweg_id: '04011000-1234512345-06',
  rechnung_mail: 'a@forst.example',
  ust_id: 'DE136695976',
  ist_privat: false,
  leistungsort: null,
  leistungsland: null,
  kaeufer_ref: '',
  vertrag_nr: '',
  zahlungsziel: 21,
  skonto: [{ tage: 10, prozent: '2.00' }],
  bestellnummer: 'B-7',
  debitor: '10001',
  version: 3,
  geaendert_am: '2026-11-21',
  geaendert_von: 'Petra Pappel',
}
const values = (change: Partial<Values> = {}): Values => {
  const record = recordOf(ROW)
  return { ...(Object.fromEntries(FIELDS.map((field) => [field, record[field]])) as Values), ...change }
}

test('what is stored is right, and unchanged by being read and tidied', () => {
  expect(checkRechnungData(values())).toEqual({})
  expect(tidied(values())).toEqual(values())
  expect(recordOf(ROW)).toMatchObject({ zahlungsziel: '21', skonto: '[["10","2"]]', version: 3 })
})
test('without a row the defaults of the table stand, at version 0', () => {
  expect(recordOf(null)).toMatchObject({
    rechnungsformat: 'zugferd',
    leistungsort: '',
    zahlungsziel: '',
    skonto: '',
    ist_privat: false,
    version: 0,
  })
})
describe('a Leitweg-ID is checked to its last digit', () => {
  test.each(leitwegCases as { text: string; fault: string | null }[])('$text', ({ text, fault }) => {
    const said = checkRechnungData(values({ leitweg_id: text })).leitweg_id
    if (fault === null || fault === 'leer') expect(said).toBeUndefined()
    else expect(said).toMatch(/Leitweg-ID|Prüfziffern/)
  })
})
test.each([
  ['ust_id', 'DE136695977', 'Prüfziffer'],
  ['ust_id', '12', 'So sieht keine'],
  ['kaeufer_ref', 'x'.repeat(101), 'Höchstens 100'],
  ['rechnung_mail', 'forst', 'keine gültige E-Mail'],
  ['bestellnummer', 'x'.repeat(101), 'Höchstens 100'],
  ['zahlungsziel', '366', 'von 0 bis 365'],
  ['zahlungsziel', '1,5', 'von 0 bis 365'],
  ['debitor', '12a', 'Höchstens 9 Ziffern'],
  ['skonto', '[["0","2"]]', 'Tage'],
  ['rechnungsformat', 'fax', 'Liste'],
  ['syntax', 'edifact', 'Liste'],
] as const)('%s %j: %s', (field, value, said) =>
  expect(checkRechnungData(values({ [field]: value }))).toEqual({ [field]: expect.stringContaining(said) }),
)
test('what is typed is tidied: blanks, small letters, leading zeros', () => {
  expect(
    tidied(
      values({
        leitweg_id: ' 04011000-1234512345-06 ',
        ust_id: 'de 136 695 976',
        kaeufer_ref: ' 4711 ',
        leistungsland: 'AT',
        zahlungsziel: ' 007 ',
        skonto: '[["10","2,00"],["",""]]',
      }),
    ),
  ).toMatchObject({
    leitweg_id: '04011000-1234512345-06',
    ust_id: 'DE136695976',
    kaeufer_ref: '4711',
    leistungsland: '',
    zahlungsziel: '7',
    skonto: '[["10","2"]]',
  })
})
test('only what changed travels, in the shape of the columns', () => {
  expect(fieldValuesOf({ zahlungsziel: '', skonto: '' })).toEqual({ zahlungsziel: null, skonto: null })
  expect(fieldValuesOf({ zahlungsziel: '0', skonto: '[]' })).toEqual({ zahlungsziel: 0, skonto: [] })
  expect(fieldValuesOf({ skonto: '[["14","1,5"],["10","2"]]', ist_privat: true })).toEqual({
    ist_privat: true,
    skonto: [
      { tage: 10, prozent: '2.00' },
      { tage: 14, prozent: '1.50' },
    ],
  })
})
test('an XRechnung without a Leitweg-ID is told and may be saved', () => {
  expect(stillMissing(values({ leitweg_id: ' ' }))).toContain('Leitweg-ID')
  expect(checkRechnungData(values({ leitweg_id: '' }))).toEqual({})
  expect([stillMissing(values()), stillMissing(values({ leitweg_id: '', rechnungsformat: 'pdf' }))]).toEqual([
    null,
    null,
  ])
})
