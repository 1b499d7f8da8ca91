import { describe, expect, test } from 'vitest'
import cases from './mahnung.cases.json' with { type: 'json' }
import { isOverdue, type Mahnung, type MahnLevel, type OpenRechnung } from './mahnung.ts'
import { mahnClaim, nextMahnung, nextMahnungDay } from './mahnung.oracle.ts'

const rechnung = (part: Partial<OpenRechnung> = {}): OpenRechnung => ({
  faellig: '2026-03-13',
  offen: '119.00',
  mahnungen: [],
  ...part,
})
const level = (nr: 1 | 2 | 3, datum: string, dueDay: string, fee = '0.00'): Mahnung => ({
  stufe: nr,
  datum,
  faellig: dueDay,
  gebuehr: fee,
})

describe('when an invoice is overdue', () => {
  for (const [why, part, today, expected] of [
    ['the day it is due', {}, '2026-03-13', false],
    ['the day after', {}, '2026-03-14', true],
    ['paid', { offen: '0.00' }, '2026-04-01', false],
    ['overpaid', { offen: '-1.00' }, '2026-04-01', false],
    ['without a due day', { faellig: null }, '2026-04-01', false],
  ] as const)
    test(why, () => expect(isOverdue(rechnung(part), today)).toBe(expected))
})

test.each(cases)('first day of the next stage: $why', ({ faellig, stufe, frist, kulanz, ab }) => {
  const mahnungen = frist === null ? [] : [level(stufe as MahnLevel, '2026-01-01', frist)]
  expect(nextMahnungDay({ faellig, mahnungen }, kulanz)).toBe(ab)
})

describe('what is next', () => {
  test('nothing before the days of grace are over', () => {
    expect(nextMahnung(rechnung(), '2026-03-13')).toBeNull()
    expect(nextMahnung(rechnung(), '2026-03-16')).toBeNull()
    expect(nextMahnung(rechnung(), '2026-03-17')).not.toBeNull()
  })
  test('first a reminder without a fee; ten days, over the weekend to Monday', () =>
    expect(nextMahnung(rechnung(), '2026-03-18')).toEqual({
      stufe: 1,
      faellig: '2026-03-30',
      gebuehr: '0.00',
      claim: '119.00',
      tage: 5,
    }))
  test('then a demand, once the reminder has run out', () => {
    const reminded = rechnung({ mahnungen: [level(1, '2026-03-18', '2026-03-30')] })
    expect(nextMahnung(reminded, '2026-04-02')).toBeNull()
    expect(nextMahnung(reminded, '2026-04-03')).toEqual({
      stufe: 2,
      faellig: '2026-04-13',
      gebuehr: '5.00',
      claim: '124.00',
      tage: 21,
    })
  })
  test('the last one adds up all fees, in whatever order they come', () =>
    expect(
      nextMahnung(
        rechnung({
          mahnungen: [level(2, '2026-04-03', '2026-04-13', '5.00'), level(1, '2026-03-18', '2026-03-30')],
        }),
        '2026-04-20',
      ),
    ).toEqual({
      stufe: 3,
      faellig: '2026-04-30',
      gebuehr: '10.00',
      claim: '134.00',
      tage: 38,
    }))
  test('after the last nothing more is proposed', () =>
    expect(
      nextMahnung(rechnung({ mahnungen: [level(3, '2026-04-20', '2026-04-30', '10.00')] }), '2026-12-31'),
    ).toBeNull())
  test('paid in the meantime', () =>
    expect(
      nextMahnung(
        rechnung({ offen: '0.00', mahnungen: [level(1, '2026-03-18', '2026-03-30')] }),
        '2026-05-01',
      ),
    ).toBeNull())
  test('paid in part: the rest is asked for', () =>
    expect(nextMahnung(rechnung({ offen: '19.00' }), '2026-03-20')!.claim).toBe('19.00'))
  test('a house with rules of its own', () =>
    expect(
      nextMahnung(rechnung(), '2026-03-14', { gebuehren: ['2.5', '5', '7.5'], graceDays: 0, frist: 7 }),
    ).toEqual({
      stufe: 1,
      faellig: '2026-03-23',
      gebuehr: '2.50',
      claim: '121.50',
      tage: 1,
    }))
})
test('fees are added exactly', () =>
  expect(mahnClaim('0.10', [{ gebuehr: '0.20' }, { gebuehr: '0.00' }], '0.40')).toBe('0.70'))
