import { describe, expect, test } from 'vitest'
import { musterBeleg } from '#domain/beleg-sample.ts'
import type { Rest } from '../beleg.data.ts'
import { changeShare, checkBilling, deriveBilling, shareFault, startBilling } from './billing.ts'

const SAMPLE = musterBeleg()
const BELEG = {
  ...SAMPLE,
  rabatt_prozent: '0',
  ust_satz: '19',
  lieferant: { ...SAMPLE.lieferant, kleinunternehmer: false },
  positionen: [1, 2].map((id) => ({
    ...SAMPLE.positionen[0]!,
    id: String(id),
    art: 'optional' as const,
    anzahl: '10',
    ep: '10.00',
    rabatt_prozent: '0',
    ust_satz: '19',
  })),
}
const line = (position_id: number, rest: string): Rest => ({
  position_id,
  lfd_nr: position_id,
  bez: `Zeile ${position_id}`,
  einheit: 'ha',
  ep: '10.00',
  anzahl: '10',
  abgerechnet: '0',
  in_entwuerfen: '0',
  rest,
})
const REST = [line(1, '6'), line(2, '3.5')]
const START = startBilling(REST)
const check = (values: typeof START) => checkBilling(values, deriveBilling(values.quantities, REST, BELEG))

describe('billing an offer', () => {
  test('starts with all that is left; every line counts, whatever it was in the offer', () => {
    const { picked, summen, lines, isOver } = deriveBilling(START.quantities, REST, BELEG)
    expect(picked).toEqual([
      { position_id: 1, anzahl: '6.000' },
      { position_id: 2, anzahl: '3.500' },
    ])
    expect([summen.netto, summen.brutto, isOver]).toEqual(['95.00', '113.05', false])
    expect(lines.map(({ amount }) => amount)).toEqual(['60,00', '35,00'])
  })
  test('leaves out lines without a quantity', () => {
    const { picked, lines } = deriveBilling({ 1: ' ', 2: '0' }, REST, BELEG)
    expect([picked, lines.map(({ fault }) => fault)]).toEqual([[], [null, null]])
  })
  test('fills in a readable share and leaves the quantities alone otherwise', () => {
    expect(changeShare('50', REST)).toEqual({ share: '50', quantities: { 1: '5', 2: '3,5' } })
    expect(changeShare('viel', REST)).toEqual({ share: 'viel' })
    expect([shareFault(''), shareFault('50'), typeof shareFault('viel')]).toEqual([
      undefined,
      undefined,
      'string',
    ])
  })
})

describe('what is sent', () => {
  const faulty = (change: Partial<typeof START>): string[] => {
    const checked = check({ ...START, ...change })
    if ('values' in checked) return []
    return Object.entries(checked.faults).flatMap(([name, text]) => (text === undefined ? [] : [name]))
  }
  test('quantities and the day of the service', () =>
    expect(check({ ...START, serviceDay: '1.2.2026' })).toEqual({
      values: {
        positionen: [
          { position_id: 1, anzahl: '6.000' },
          { position_id: 2, anzahl: '3.500' },
        ],
        le_date: '2026-02-01',
        mehr: false,
      },
    }))
  test('nothing without a quantity', () =>
    expect(faulty({ quantities: { 1: '', 2: '' } })).toEqual(['positionen']))
  test('no quantity that is no number', () =>
    expect(faulty({ quantities: { 1: 'viel', 2: '1' } })).toEqual(['menge-1']))
  test('no wrong day', () => expect(faulty({ serviceDay: 'gestern' })).toEqual(['serviceDay']))
  test('more than is left only on purpose', () => {
    expect(faulty({ quantities: { 1: '7', 2: '1' } })).toEqual(['mehr'])
    expect(faulty({ quantities: { 1: '7', 2: '1' }, mehr: true })).toEqual([])
  })
})
