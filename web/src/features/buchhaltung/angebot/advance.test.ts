import { expect, test } from 'vitest'
import { formatCents } from '#domain/geld.ts'
import {
  changeAmount,
  changePercent,
  checkAdvance,
  deriveAdvance,
  type OrderGroup,
  startAdvance,
} from './advance.ts'

const GROUPS: readonly OrderGroup[] = [
  { kategorie: 'S', satz: '19.00', basis: '10000.00', steuer: '1900.00' },
  { kategorie: 'S', satz: '7.00', basis: '1000.00', steuer: '70.00' },
]
const sent = (values: typeof startAdvance) => checkAdvance(values, deriveAdvance(values, GROUPS))

test('a share fills in the amounts and is sent as a share', () => {
  const values = { ...startAdvance, ...changePercent('12,5', GROUPS) }
  expect(values.amounts).toEqual({ 'netto-S-19.00': '1.250,00', 'netto-S-7.00': '125,00' })
  const advance = deriveAdvance(values, GROUPS)
  expect([advance.netto, advance.steuer, formatCents(advance.brutto)]).toEqual([
    '1375.00',
    '246.25',
    '1621.25',
  ])
  expect(sent(values)).toEqual({ values: { prozent: '12.50', betraege: null, text: '', mehr: false } })
})
test('an amount typed by hand is sent as amounts', () => {
  const share = { ...startAdvance, ...changePercent('10', GROUPS) }
  const values = { ...share, ...changeAmount(share, GROUPS[0]!, '2000') }
  expect(sent(values)).toEqual({
    values: {
      prozent: null,
      betraege: [
        { kategorie: 'S', satz: '19.00', netto: '2000.00' },
        { kategorie: 'S', satz: '7.00', netto: '100.00' },
      ],
      text: '',
      mehr: false,
    },
  })
})
test('nothing and nonsense are faults at their fields', () => {
  expect(sent(startAdvance)).toHaveProperty('faults.prozent')
  expect(sent({ ...startAdvance, prozent: 'viel' })).toHaveProperty('faults.prozent')
  const wrong = { ...startAdvance, ...changeAmount(startAdvance, GROUPS[1]!, 'zehn') }
  const outcome = sent(wrong)
  expect('faults' in outcome && outcome.faults['netto-S-7.00']).toBeTruthy()
})
