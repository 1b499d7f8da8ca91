import { expect, test } from 'vitest'
import cases from '#domain/beleg-check.cases.json' with { type: 'json' }
import { BY_RULE } from './rule-texts.ts'

test('there is a sentence for everything that the server refuses to issue', () => {
  const codes = cases
    .filter((one) => !('columns' in one))
    .flatMap(({ faults }) => faults.map((named) => named.split(' ')[1]!))
  expect(codes.length).toBeGreaterThan(60)
  expect(codes.filter((code) => BY_RULE[code] === undefined)).toEqual([])
})
