// Response times must not reveal who has an account or whether it is locked: each answer compares one
// password.
import { describe, expect, test } from 'vitest'
import { isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import { headingOf, PASSWORD } from './identity.fixture.ts'

const TRIES = 31
const APART = 1.2
const medianOf = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

describe.skipIf(isMissing('postgres'))('the time of an answer', () => {
  const server = oneServer('postgres', { lockAfter: 1_000, loginRatePerMin: 100_000 })

  /** Addresses by how a wrong password for them is treated. */
  const addresses = async (fail: (email: string) => Promise<unknown>) => {
    const [wrong, locked, disabled, invited] = [
      await server.people.withAccount(),
      await server.people.withAccount(),
      await server.people.withAccount({ enabled: false }),
      await server.people.add(),
    ]
    await server.idp.accounts.inviteUser(invited.email)
    await fail(locked.email)
    await server.engine.owner.query("update idp.sperre set gesperrt_bis = now() + interval '1 hour'")
    return {
      wrong: wrong.email,
      unknown: 'niemand@nirgends.example',
      locked: locked.email,
      disabled: disabled.email,
      invited: invited.email,
    }
  }

  /**
   * At most 20 % apart. Each attempt is compared with the others of its round, so that a busy machine affects all of
   * them; what is left of it goes with more attempts, all of which count.
   */
  async function expectAlike(
    emails: Record<string, string>,
    ask: (email: string) => Promise<unknown>,
  ): Promise<void> {
    const shares = new Map(Object.keys(emails).map((name) => [name, [] as number[]]))
    const spread = (): number => {
      const middles = [...shares.values()].map(medianOf)
      return Math.max(...middles) / Math.min(...middles)
    }
    for (let more = 0; more < 4 && (more === 0 || spread() >= APART); more++)
      for (let nr = 0; nr < TRIES; nr++) {
        const times = new Map<string, number>()
        for (const [name, email] of Object.entries(emails)) {
          const began = performance.now()
          await ask(email)
          times.set(name, performance.now() - began)
        }
        const middle = medianOf([...times.values()])
        for (const [name, time] of times) shares.get(name)?.push(time / middle)
      }
    const middles = Object.fromEntries([...shares].map(([name, all]) => [name, medianOf(all)]))
    expect(spread(), JSON.stringify(middles)).toBeLessThan(APART)
  }

  test('of a sign-in is the same for wrong, unknown, locked, disabled and invited', async () => {
    const browser = server.browser()
    const form = await browser.get(server.client().startAddress())
    const ask = async (email: string) => {
      const answer = await browser.post(form.url, {
        schritt: 'anmelden',
        email,
        passwort: 'falsch falsch falsch',
      })
      expect(headingOf(answer)).toBe('Anmelden')
    }
    const emails = await addresses(ask)
    await expectAlike(emails, ask)
  })
  test('of a change of one’s own password as well', async () => {
    const browser = server.browser()
    const change = (email: string) =>
      browser.post('/anmelden/passwort-aendern', {
        email,
        passwort: 'falsch falsch falsch',
        code: '',
        neu: PASSWORD,
        wiederholt: PASSWORD,
      })
    await expectAlike(await addresses(change), change)
  })
})
