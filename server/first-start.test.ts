import { expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { readConfig } from './config.ts'
import { makePassword, setDemoPassword } from './first-start.ts'
import { passwordFault } from './identity/passwords.ts'
import { welcomeText } from './welcome.ts'

const trial = readConfig({})
const EMBEDDED = { engine: 'embedded', baseMapFault: null } as const
const operated = readConfig({ DATABASE_URL: 'postgres://u@db/f', PUBLIC_ORIGIN: 'https://forst.example' })

test('generated passwords follow the rules and never repeat', () => {
  const made = Array.from({ length: 200 }, makePassword)
  expect(new Set(made).size).toBe(200)
  for (const password of made)
    expect(passwordFault(password, ['Forstkontor', 'probe.forstkontor.example'])).toBeNull()
})
test('all demo accounts get the one password that is answered', async () => {
  const calls: (readonly [readonly string[], string])[] = []
  const password = await setDemoPassword({
    setPasswords: async (emails, text) => void calls.push([emails, text]),
  })
  expect(calls).toEqual([[DEMO_ACCOUNTS.map(({ email }) => email), password]])
})
test('the first start of a trial says how to get in', () => {
  const text = welcomeText(trial, { kind: 'demo', password: 'abcd-efgh' }, EMBEDDED)
  expect(text).toContain('http://localhost:3000')
  expect(text).toContain('Probebetrieb')
  expect(text).toContain('Passwort für alle: abcd-efgh')
  for (const { email, title } of DEMO_ACCOUNTS)
    expect(text).toMatch(new RegExp(`${email.replaceAll('.', '\\.')} +${title.replace(/[()]/g, '\\$&')}`))
})
test('a later start says how to make a new password, and repeats none', () => {
  const text = welcomeText(trial, { kind: 'demo again' }, EMBEDDED)
  expect(text).toContain('npm run demo-password')
  expect(text).not.toContain('Passwort für alle')
})
test('in operation there is a set-up link, no demo account and no trial', () => {
  const text = welcomeText(
    operated,
    { kind: 'set up', link: 'https://forst.example/anmelden/einrichten/x', expires: new Date() },
    { engine: 'postgres', baseMapFault: null },
  )
  expect(text).toContain('https://forst.example/anmelden/einrichten/x')
  expect(text).not.toMatch(/Probebetrieb|probe\.forstkontor/)
})
test('the embedded database in operation asks for copies of its dumps', () =>
  expect(welcomeText(readConfig({ NODE_ENV: 'production' }), { kind: 'accounts' }, EMBEDDED)).toContain(
    'auf einen anderen Rechner kopieren',
  ))
test('a base map that cannot be used is said, with what people see instead', () =>
  expect(
    welcomeText(
      trial,
      { kind: 'demo again' },
      { ...EMBEDDED, baseMapFault: 'Die Hintergrundkarte /k.pmtiles fehlt (BASEMAP_FILE).' },
    ),
  ).toContain('Die Hintergrundkarte /k.pmtiles fehlt (BASEMAP_FILE). Die Karten zeigen bis dahin'))
