import { describe, expect, test } from 'vitest'
import type { MahnListRow } from '#contract/zahlung.ts'
import { MAHN_TEXT } from '#domain/mahnung.ts'
import {
  checkMahnungen,
  claimOf,
  interestOf,
  levelsOf,
  ON,
  requestsOf,
  startMahnungen,
  withBlock,
} from './mahn-form.ts'

const TODAY = '2026-03-13'
const row = (rechnung_id: number, more: Partial<MahnListRow> = {}): MahnListRow => ({
  rechnung_id,
  client_id: 1,
  kunde: 'Forstbetrieb Muster',
  nummer: `RE-2026-000${rechnung_id}`,
  rn_datum: '2026-01-02',
  faellig: '2026-01-16',
  tage: 56,
  offen: '119.00',
  stufe: 0,
  naechste: 1,
  gebuehr: '0.00',
  dran: true,
  ab: '2026-01-20',
  letzte: null,
  gebuehren: '0.00',
  kosten_gezahlt: '0.00',
  frist: 10,
  mail: '',
  privat: false,
  zinsen_ab: '2026-01-17',
  zinsen_fruehestens: '2026-01-17',
  posten: [{ ab: '2000-01-01', offen: '119.00' }],
  pauschale: '0.00',
  einzug: null,
  ...more,
})
const ROWS = [row(1), row(2, { naechste: 2, gebuehr: '5.00', gebuehren: '2.50' })]
const START = startMahnungen(ROWS, TODAY)

describe('reminders', () => {
  test('start with fee and period of the level; the day is a working day', () =>
    expect(START).toMatchObject({
      'gebuehr-1': '0,00',
      'faellig-1': '23.03.2026',
      'gebuehr-2': '5,00',
      'text-1': MAHN_TEXT[1],
      'text-2': MAHN_TEXT[2],
    }))
  test('take a text block in place of the usual text, and below one that was typed', () => {
    expect(withBlock(START, 1, 'Baustein')).toBe('Baustein')
    expect(withBlock({ ...START, 'text-2': 'Wie besprochen\n' }, 2, 'Baustein')).toBe(
      'Wie besprochen\n\nBaustein',
    )
    expect(withBlock({ ...START, 'text-2': ' ' }, 2, 'Baustein')).toBe('Baustein')
  })
  test('have the levels of their rows; past the last one it stays the last', () =>
    expect(levelsOf([...ROWS, row(3, { naechste: null })])).toEqual([1, 2, 3]))
  test('can be written as they start', () => {
    const checked = checkMahnungen(START, ROWS, TODAY)
    expect(checked).toEqual({ values: requestsOf(START, ROWS) })
    expect(requestsOf(START, ROWS)).toMatchObject([
      { stufe: 1, faellig: '2026-03-23', gebuehr: '0.00', text: MAHN_TEXT[1] },
      { stufe: 2, faellig: '2026-03-23', gebuehr: '5.00', text: MAHN_TEXT[2] },
    ])
  })
  test.each([
    ['gebuehr-1', '1,234'],
    ['gebuehr-1', '-5'],
    ['gebuehr-2', ''],
    ['faellig-1', 'morgen'],
    ['faellig-1', '13.03.2026'],
    ['faellig-2', '14.03.2027'],
    ['text-1', ' '],
    ['text-2', 'bis {heute}'],
  ])('%s may not be %j', (name, text) => {
    const checked = checkMahnungen({ ...START, [name]: text }, ROWS, TODAY)
    const faults = 'faults' in checked ? Object.entries(checked.faults) : []
    expect(faults.filter(([, fault]) => fault !== undefined).map(([field]) => field)).toEqual([name])
  })
  test('a text of a level that nobody gets does not matter', () =>
    expect('values' in checkMahnungen({ ...START, 'text-3': '' }, ROWS, TODAY)).toBe(true))
  test('demand neither interest nor lump sum by themselves', () =>
    expect(requestsOf(START, ROWS)).toMatchObject([
      { zinsen_ab: null, pauschale: false },
      { zinsen_ab: null, pauschale: false },
    ]))
  const RATES = [{ ab: '2026-01-01', satz: '1.27', quelle: 'Deutsche Bundesbank' }]
  const WITH = { ...START, 'zinsen-1': ON, 'pauschale-1': ON }
  test('demand both if wanted, and say what is computed', () => {
    expect(requestsOf(WITH, ROWS)[0]).toMatchObject({ zinsen_ab: '2026-01-17', pauschale: true })
    const interest = interestOf(WITH, ROWS[0]!, RATES, TODAY)
    // 119.00 × 10.27 % × 56 / 365
    expect(interest).toMatchObject({ zeilen: [{ tage: 56, satz: '10.27', zinsen: '1.88' }] })
    expect(claimOf(WITH, ROWS[0]!, interest)).toBe('160.88')
  })
  test('name the half-year without a base rate', () =>
    expect(interestOf(WITH, ROWS[0]!, [], TODAY)).toEqual({ fehlt: '2026-01-01' }))
  test.each(['16.01.2026', '14.03.2026', 'bald', ''])('have no interest from %j', (day) =>
    expect(checkMahnungen({ ...WITH, 'zinsen_ab-1': day }, ROWS, TODAY)).toMatchObject({
      faults: { 'zinsen_ab-1': expect.any(String) as string },
    }),
  )
  test('never demand a lump sum from a private person, nor twice', () => {
    for (const more of [{ privat: true }, { pauschale: '40.00' }])
      expect(requestsOf(WITH, [row(1, more)])[0]).toMatchObject({ pauschale: false })
    expect(claimOf(WITH, row(1, { pauschale: '40.00' }))).toBe('159.00')
  })
  test('claim what is open, the fees so far and this one', () => {
    expect(ROWS.map((one) => claimOf(START, one))).toEqual(['119.00', '126.50'])
    expect(claimOf({ ...START, 'gebuehr-1': 'viel' }, ROWS[0]!)).toBeNull()
  })
})
