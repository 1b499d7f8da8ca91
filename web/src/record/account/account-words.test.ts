import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventWord, accountState } from './account-words.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

test.each([
  [{ passwort: false, einladung_bis: null }, 'keins'],
  [{ passwort: false, einladung_bis: '2026-11-22T12:00:00Z' }, 'eingeladen'],
  [{ passwort: false, einladung_bis: '2026-11-20T12:00:00Z' }, 'abgelaufen'],
  [{ passwort: true, einladung_bis: null }, 'aktiv'],
  // Invited again despite having a password, and the link was not used.
  [{ passwort: true, einladung_bis: '2026-11-22T12:00:00Z' }, 'aktiv'],
])('%j is %s', (account, stand) => expect(accountState(account, NOW)).toBe(stand))

test('every kind of event that the server writes has German words', () => {
  const source = readFileSync(new URL('../../../../server/identity/events.ts', import.meta.url), 'utf8')
  const kinds = [...(/type EventKind =([\s\S]*?)\n\n/.exec(source)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
    ([, kind]) => kind!,
  )
  expect(kinds.length).toBeGreaterThan(10)
  expect(kinds.filter((kind) => eventWord(kind) === kind)).toEqual([])
})
