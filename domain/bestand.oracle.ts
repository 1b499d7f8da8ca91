// The order of addresses as the database sorts them, for tests.
import { type Address, compareTexts } from './bestand.ts'

export function compareAddresses(a: Address, b: Address): number {
  for (let at = 0; at < 5; at++) {
    const order = compareTexts(a.l[at] ?? null, b.l[at] ?? null)
    if (order !== 0) return order
  }
  return (a.s ?? -1) - (b.s ?? -1)
}
