import { expect, test } from 'vitest'
import { createRangeTally } from './usual-range.ts'

test.each([
  ['widths of pipes in centimetres', 'dn', [5, 10, 30], true],
  ['in millimetres', 'dn', [50, 300], false],
  ['depths in centimetres', 'tiefe', [80, 120, 0], true],
  ['in metres', 'tiefe', [0.8, 1.2], false],
  ['trunks in metres', 'bhd_cm', [0.4, 0.9, 1.2], true],
  ['in centimetres, one of them thin', 'bhd_cm', [2, 45], false],
  ['accuracies in metres', 'genauigkeit_cm', [0.02, 0.03], true],
  ['in centimetres', 'genauigkeit_cm', [2, 0.2], false],
  ['nothing but zeros', 'tiefe', [0, 0], false],
  ['nothing', 'tiefe', [], false],
  ['another field', 'baujahr', [5], false],
])('%s', (_, field, values, unusual) => {
  const tally = createRangeTally({ [field]: 'Spalte' })
  for (const value of values) tally.count({ [field]: value, other: 1 })
  tally.count({})
  expect(tally.unusual()).toEqual(unusual ? ['Spalte'] : [])
})
test('columns that are not taken are not looked at', () => {
  const tally = createRangeTally({ material: 'Stoff' })
  tally.count({ dn: 3 })
  expect(tally.unusual()).toEqual([])
})
