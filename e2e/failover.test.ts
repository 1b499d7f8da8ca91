// A database server ends under load and Patroni makes the other one the primary: nothing that was confirmed is missing,
// nobody is signed out, and what runs beside the requests goes on. `npm run test:failover` does it ten times.
import { describe, expect, test } from 'vitest'
import { VOLL } from '../test/extent.ts'
import { findPatroni } from '../test/patroni.ts'
import { failover } from './failover.ts'

describe.skipIf(findPatroni() === undefined)('another database server takes over', () => {
  test('nothing is lost and nobody is signed out', { timeout: 600_000 }, async () => {
    const { takeovers, saves, lostSaves, invoices, signedOut, renewals, untold, faults } = await failover(
      VOLL ? ['server', 'machine', 'silent'] : ['server'],
    )
    expect({ lostSaves, signedOut, untold, faults }).toEqual({
      lostSaves: 0,
      signedOut: [],
      untold: 0,
      faults: {},
    })
    expect(invoices).toMatchObject({ lost: 0, gaps: 0, doubles: 0, halves: 0, brokenChains: 0, badFiles: 0 })
    expect(Math.min(saves, renewals, invoices.issued)).toBeGreaterThan(3)
    // While a silent primary is waited for, hardly any read ends at all.
    expect(Math.max(...takeovers.map(({ reads }) => reads.served))).toBeGreaterThan(0)
    expect(Math.max(...takeovers.map(({ firstSaveS }) => firstSaveS))).toBeLessThan(60)
  })
})
