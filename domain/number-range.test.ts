import { describe, expect, test } from 'vitest'
import cases from './number-range.cases.json' with { type: 'json' }
import { fillMuster, musterFault, nextNumber } from './number-range.ts'

describe('patterns', () => {
  for (const { why, muster, jaehrlich, fault } of cases.muster)
    test(why, () => expect(musterFault(muster, jaehrlich)).toBe(fault))
})
describe('numbers', () => {
  for (const { why, muster, jahr, zahl, nummer } of cases.nummern)
    test(why, () => {
      expect(musterFault(muster, false)).toBeNull()
      expect(fillMuster(muster, jahr, zahl)).toBe(nummer)
    })
})
describe('the next of a range', () => {
  for (const { why, jaehrlich, jahr, naechste, in: year, zahl } of cases.zaehler)
    test(why, () => expect(nextNumber({ jaehrlich, jahr, naechste }, year)).toBe(zahl))
})
