import { describe, expect, test } from 'vitest'
import cases from './abschlag.cases.json' with { type: 'json' }
import { advanceLines, isInvoiceKind, restByRate } from './abschlag.ts'
import { negateAbschlag } from './rechnung.oracle.ts'
import { receivedByRate, takenOff } from './abschlag.oracle.ts'
import type { BelegAbschlag, BelegAmount, BelegSums } from './beleg.ts'

const amount = ([category, rate, basis, tax = '0.00']: readonly string[]): BelegAmount => ({
  kategorie: category as BelegAmount['kategorie'],
  satz: rate!,
  basis: basis!,
  steuer: tax,
})
const told = ({ kategorie, satz, basis, steuer }: BelegAmount) => [kategorie, satz, basis, steuer]
const abschlagOf = (taxes: readonly (readonly string[])[]): BelegAbschlag => ({
  id: '7',
  nummer: 'RE-2026-0007',
  datum: '2026-03-01',
  brutto: '357.00',
  gezahlt: '357.00',
  netto: '300.00',
  steuer: '57.00',
  zahlungen: [{ datum: '2026-03-09', betrag: '357.00' }],
  steuern: taxes.map(amount),
})

describe('an advance of so many per cent', () => {
  test.each(cases.prozent)('$why', ({ auftrag, prozent, netto }) => {
    const lines = advanceLines(auftrag.map(amount), prozent)
    expect(lines.map(({ kategorie, satz, basis }) => [kategorie, satz, basis])).toEqual(netto)
  })
})

describe('what a payment is by rate', () => {
  test.each(cases.anteil)('$why', ({ steuern, gezahlt, ergibt }) => {
    expect(receivedByRate(steuern.map(amount), gezahlt).map(told)).toEqual(ergibt)
  })
})

describe('what the final invoice leaves', () => {
  test.each(cases.rest)('$why', ({ steuern, abschlaege, rest }) => {
    const beleg = {
      summen: { steuern: steuern.map(amount) } as unknown as BelegSums,
      abschlaege: abschlaege.map(abschlagOf),
    }
    expect(restByRate(beleg).map(told)).toEqual(rest)
  })
  test('all advances together', () => {
    const one = abschlagOf([['S', '19.00', '300.00', '57.00']])
    expect(takenOff({ abschlaege: [one, one] }).map(told)).toEqual([['S', '19.00', '600.00', '114.00']])
    expect(takenOff({})).toEqual([])
  })
})

test('a Storno of the final invoice gives every advance back', () => {
  const back = negateAbschlag(abschlagOf([['S', '19.00', '300.00', '57.00']]))
  expect(back).toMatchObject({ gezahlt: '-357.00', netto: '-300.00', nummer: 'RE-2026-0007' })
  expect(back.steuern.map(told)).toEqual([['S', '19.00', '-300.00', '-57.00']])
  expect(back.zahlungen).toEqual([{ datum: '2026-03-09', betrag: '-357.00' }])
})

test('which kinds are invoices', () => {
  expect(
    (['rechnung', 'abschlag', 'schluss', 'storno', 'angebot', 'mahnung'] as const).filter(isInvoiceKind),
  ).toEqual(['rechnung', 'abschlag', 'schluss', 'storno'])
})
