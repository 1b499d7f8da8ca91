import { describe, expect, test } from 'vitest'
import { musterBeleg } from './beleg-sample.ts'
import { formatCents } from './geld.ts'
import { giroCode } from './giro-code.ts'
import { skontoAt, skontoBt20, skontoTiers, skontoText } from './skonto.ts'

const CODE = {
  name: 'Forst & Vermessung GmbH',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'COBADEFFXXX',
  betrag: '3836.53',
  zweck: 'RE-2026-0017',
}

describe('payment code', () => {
  test('as the scheme wants it', () =>
    expect(giroCode(CODE)).toBe(
      'BCD\n002\n1\nSCT\nCOBADEFFXXX\nForst & Vermessung GmbH\nDE89370400440532013000\nEUR3836.53\n\n\nRE-2026-0017',
    ))
  test('without BIC and text', () =>
    expect(giroCode({ ...CODE, bic: '', zweck: ' ' })).toBe(
      'BCD\n002\n1\nSCT\n\nForst & Vermessung GmbH\nDE89370400440532013000\nEUR3836.53',
    ))
  test('a BIC that is none is left out: the IBAN is enough', () =>
    expect(giroCode({ ...CODE, bic: 'COBA' })!.split('\n')[4]).toBe(''))
  for (const [amount, text] of [
    ['0.01', 'EUR0.01'],
    ['1', 'EUR1.00'],
    ['999999999.99', 'EUR999999999.99'],
    ['1000000000.00', null],
    ['0.00', null],
    ['-5.00', null],
    ['0.004', null],
  ] as const)
    test(`${amount} €`, () =>
      expect(giroCode({ ...CODE, betrag: amount })?.split('\n')[7] ?? null).toBe(text))
  test('nothing without a right IBAN or a name', () => {
    expect(giroCode({ ...CODE, iban: 'DE89370400440532013001' })).toBeNull()
    expect(giroCode({ ...CODE, iban: '' })).toBeNull()
    expect(giroCode({ ...CODE, name: ' \n' })).toBeNull()
  })
  test('a line feed in a field does not begin the next one', () =>
    expect(giroCode({ ...CODE, name: 'A\nDE00\r\nEUR1', zweck: 'x\ny' })!.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'COBADEFFXXX',
      'A DE00 EUR1',
      'DE89370400440532013000',
      'EUR3836.53',
      '',
      '',
      'x y',
    ]))
  test('70 signs of name, 140 of text, 331 bytes at most', () => {
    const long = giroCode({ ...CODE, name: 'N'.repeat(80), zweck: 'Z'.repeat(150) })!
    expect(long.split('\n')[5]).toBe('N'.repeat(70))
    expect(long.split('\n')[10]).toBe('Z'.repeat(140))
    for (const sign of ['ä', '€', '🌲']) {
      const wide = giroCode({ ...CODE, name: sign.repeat(80), zweck: sign.repeat(150) })!
      expect(new TextEncoder().encode(wide).length).toBeLessThanOrEqual(331)
      expect(wide.isWellFormed()).toBe(true)
      if (sign !== '🌲') expect([...wide.split('\n')[5]!]).toHaveLength(70)
      expect(new TextEncoder().encode(wide).length).toBeGreaterThan(331 - 8)
    }
  })
})

describe('cash discount', () => {
  test('BT-20: a line per tier by days, point, two places, line feed after the last sign', () => {
    expect(skontoBt20([])).toBe('')
    expect(skontoBt20([{ tage: 10, prozent: '2' }])).toBe('#SKONTO#TAGE=10#PROZENT=2.00#\n')
    expect(
      skontoBt20([
        { tage: 14, prozent: '1.5' },
        { tage: 7, prozent: '3.00' },
      ]),
    ).toBe('#SKONTO#TAGE=7#PROZENT=3.00#\n#SKONTO#TAGE=14#PROZENT=1.50#\n')
  })
  const two = musterBeleg((beleg) => {
    beleg.skonto = [
      { tage: 14, prozent: '1.50' },
      { tage: 10, prozent: '2.00' },
    ]
  })
  test('amounts and last days', () =>
    expect(skontoTiers(two)).toEqual([
      { tage: 10, prozent: '2.00', bis: '2026-03-25', deduction: '76.73', zahlbetrag: '3759.80' },
      { tage: 14, prozent: '1.50', bis: '2026-03-29', deduction: '57.55', zahlbetrag: '3778.98' },
    ]))
  test('for people', () =>
    expect(skontoText(skontoTiers(two)[0]!)).toBe(
      'Bei Zahlung bis 25.03.2026 abzüglich 2\u00A0% Skonto (76,73\u00A0€): 3.759,80\u00A0€',
    ))
  test('what may still be taken on a day', () =>
    expect(
      ['2026-03-15', '2026-03-25', '2026-03-26', '2026-03-29', '2026-03-30'].map((day) =>
        formatCents(skontoAt(two, day)),
      ),
    ).toEqual(['76.73', '76.73', '57.55', '57.55', '0.00']))
  test('half a cent goes up', () =>
    expect(
      skontoTiers({
        datum: '2026-03-15',
        skonto: [{ tage: 1, prozent: '3.00' }],
        summen: { ...two.summen, zahlbetrag: '20.50' },
      })[0]!.deduction,
    ).toBe('0.62'))
  test('nothing to take where nothing is to be paid', () =>
    expect(skontoTiers({ ...two, summen: { ...two.summen, zahlbetrag: '0.00' } })).toEqual([]))
})
