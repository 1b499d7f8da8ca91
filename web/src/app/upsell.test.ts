import { describe, expect, test } from 'vitest'
import type { HqRecord } from '#contract/hq.ts'
import { type Role, ROLES } from '#domain/roles.ts'
import { showUpsell, type Upsell } from './upsell.ts'

const hq = (idHQ: number, fb_enabled = true) => ({ idHQ, fb_enabled }) as HqRecord
const ONE = [hq(11)]
const RUNNING = [{ hqid: 11, zustand: 'aktiv' }] as const

/** By first role, for people with a headquarters and no subscription. */
const EXPECTED: Readonly<Record<Role, Upsell | null>> = {
  ogf_init: null,
  ogf_standard: { lead: true, idHQ: 11 },
  ogf_team: null,
  ogf_admin: null,
  ogf_fb_admin: { lead: false, idHQ: 11 },
  multiple_fb: { lead: true, idHQ: 11 },
  inactive_fb: { lead: true, idHQ: 11 },
  kundenadmin: { lead: false, idHQ: 11 },
  appuser: { lead: true, idHQ: 11 },
  appuser_admin: { lead: false, idHQ: 11 },
  apus_team: { lead: true, idHQ: 11 },
  apus_admin: { lead: false, idHQ: 11 },
  admin: { lead: false, idHQ: 11 },
  pruefer: null,
}

describe('with a headquarters that has no subscription', () => {
  for (const role of ROLES)
    test(`${role}: ${JSON.stringify(EXPECTED[role])}`, () =>
      expect(showUpsell({ roles: [role], hqs: ONE }, [])).toEqual(EXPECTED[role]))

  test('the first role decides whether anything is offered', () => {
    expect(showUpsell({ roles: ['ogf_standard', 'ogf_admin'], hqs: ONE }, [])).toEqual({
      lead: false,
      idHQ: 11,
    })
    expect(showUpsell({ roles: ['ogf_init', 'ogf_standard'], hqs: ONE }, [])).toBeNull()
  })
  test('an admin of a headquarters is offered it without the lead text', () =>
    expect(showUpsell({ roles: ['ogf_standard', 'ogf_fb_admin'], hqs: ONE }, [])).toEqual({
      lead: false,
      idHQ: 11,
    }))
})

describe('nothing is offered', () => {
  const standard = { roles: ['ogf_standard'] as const, hqs: ONE }
  test('for a headquarters that is not released: nobody could act on it', () =>
    expect(showUpsell({ ...standard, hqs: [hq(11, false)] }, [])).toBeNull())
  test('without a headquarters', () => expect(showUpsell({ ...standard, hqs: [] }, [])).toBeNull())
  test('while a subscription runs', () => expect(showUpsell(standard, RUNNING)).toBeNull())
  test('while a cancelled one still runs', () =>
    expect(showUpsell(standard, [{ hqid: 11, zustand: 'gekuendigt' }])).toBeNull())
  test('without a role', () => expect(showUpsell({ roles: [], hqs: [] }, [])).toBeNull())
})

describe('it is offered again', () => {
  test('once the subscription has ended', () =>
    expect(showUpsell({ roles: ['ogf_standard'], hqs: ONE }, [{ hqid: 11, zustand: 'beendet' }])).toEqual({
      lead: true,
      idHQ: 11,
    }))
  test('for the second headquarters, when only the first has one', () =>
    expect(showUpsell({ roles: ['ogf_standard', 'multiple_fb'], hqs: [hq(11), hq(12)] }, RUNNING)).toEqual({
      lead: true,
      idHQ: 12,
    }))
  test('when only a foreign headquarters has one', () =>
    expect(showUpsell({ roles: ['ogf_standard'], hqs: ONE }, [{ hqid: 99, zustand: 'aktiv' }])).toEqual({
      lead: true,
      idHQ: 11,
    }))
})
