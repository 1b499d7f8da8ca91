import { expect, test } from 'vitest'
import type { Kunde } from '#contract/kunde.ts'
import { chosenOf, isManaging, withRole } from './own-kunden.ts'

const kunde = (client_id: number) => ({ client_id, name: `K${client_id}` }) as Kunde
const OWN = withRole(
  [kunde(1), kunde(2), kunde(3)],
  [
    { client_id: 1, rolle: 'admin' },
    { client_id: 2, rolle: 'nutzer' },
    { client_id: 9, rolle: 'admin' },
  ],
)

test('each customer carries the role of its own link', () =>
  expect(OWN.map(({ rolle }) => rolle)).toEqual(['admin', 'nutzer', null]))
test('who is admin of one customer manages no other', () =>
  expect(OWN.map(isManaging)).toEqual([true, false, false]))
test('the only customer needs no choice, of several the address names one', () => {
  expect(chosenOf(OWN.slice(0, 1), undefined)?.kunde.client_id).toBe(1)
  expect(chosenOf(OWN, undefined)).toBeUndefined()
  expect(chosenOf(OWN, '2')?.kunde.client_id).toBe(2)
  expect(chosenOf(OWN, '7')).toBeUndefined()
  // An address naming another customer must not fall back to the user's own one.
  expect(chosenOf(OWN.slice(0, 1), '7')).toBeUndefined()
})
