import { describe, expect, test } from 'vitest'
import type { Role } from '#domain/roles.ts'
import type { Session } from '../data/session.ts'
import { mayBuyAbo } from './may-buy-abo.ts'

const HQ = [{ idHQ: 1 }] as unknown as Session['hqs']
const of = (hqs: Session['hqs'], ...roles: Role[]) => mayBuyAbo({ roles, hqs })

describe('who sees their own subscriptions with buttons', () => {
  test('foresters, also before they have a headquarters', () => {
    expect(of(HQ, 'ogf_standard')).toBe(true)
    expect(of([], 'ogf_standard')).toBe(true)
    expect(of(HQ, 'ogf_fb_admin')).toBe(true)
  })
  test('admins with headquarters of their own who may buy', () => {
    expect(of(HQ, 'kundenadmin', 'ogf_fb_admin')).toBe(true)
    expect(of(HQ, 'admin')).toBe(true)
  })
  test('not those who only read', () => {
    expect(of(HQ, 'kundenadmin')).toBe(false)
    expect(of([], 'ogf_admin')).toBe(false)
    expect(of([], 'admin')).toBe(false)
    expect(of([], 'kundenadmin', 'ogf_standard')).toBe(false)
  })
})
