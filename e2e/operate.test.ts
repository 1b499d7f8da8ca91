// The operator's commands, as typed: dump, restore, move between the engines and back, new demo password.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../test/postgres.ts'
import { type RunningApp, startApp, temporaryFolder } from './app.ts'
import { demoPassword, emailOf } from './browser.ts'
import { tryToSignIn } from './http-sign-in.ts'

const ROOT = join(import.meta.dirname, '..')

function operate(dataDir: string, words: readonly string[], env: Record<string, string> = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'scripts/operate.ts'), ...words],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: tmpdir(), DATA_DIR: dataDir, ...env },
      timeout: 300_000,
      input,
    },
  )
  return { status, output: stdout + stderr }
}

describe('commands of the operator', () => {
  const dataDir = temporaryFolder()
  const file = join(temporaryFolder(), 'eins.dump')
  let first: RunningApp
  let database: TestDatabase | null = null

  beforeAll(async () => {
    first = await startApp({ dataDir })
    if (postgresUrl() !== null) {
      database = await createTestDatabase()
      const admin = new pg.Client({ connectionString: database.url })
      await admin.connect()
      await admin.query('create extension postgis')
      await admin.end()
    }
  }, 240_000)
  afterAll(async () => {
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(join(file, '..'), { recursive: true, force: true })
  })

  test('while the server runs its folder is left alone, and the command says so', async () => {
    const { status, output } = operate(dataDir, ['dump', file])
    expect(status).toBe(1)
    expect(output).toContain('wird schon von einem laufenden Forstkontor benutzt')
    expect(await first.stop()).toBe(0)
  })

  test('a dump says what is in it, and only its owner can read it', () => {
    const { status, output } = operate(dataDir, ['dump', file])
    expect(output).toMatch(/Gesichert aus der eingebauten Datenbank in \S+: \d{4,} Zeilen in \d+ Tabellen/)
    expect(status).toBe(0)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(operate(dataDir, ['dump', file]).output).toContain('gibt es schon')
  })

  test('restored into an empty folder everything is there again, and a second time is refused', () => {
    const target = temporaryFolder()
    const restored = operate(target, ['restore', file])
    expect(restored.output).toMatch(/Eingespielt in .*: \d{4,} Zeilen .* alle Prüfsummen stimmen/)
    expect(restored.status).toBe(0)
    // Anchors of the books from before do not count from here on.
    expect(readFileSync(join(target, 'anker', 'buecher.jsonl'), 'utf8')).toContain(
      '"art":"wiederhergestellt"',
    )
    const again = operate(target, ['restore', file])
    expect(again.output).toContain('enthält schon Daten')
    expect(again.status).toBe(1)
    rmSync(target, { recursive: true, force: true })
  }, 600_000)

  test.skipIf(postgresUrl() === null)(
    'moved to PostgreSQL and back, with equal checksums, the source untouched',
    async () => {
      const url = database?.url ?? ''
      // Its password is in no list of processes then.
      const there = operate(dataDir, ['move', '--to', '-'], {}, `${url}\n`)
      expect(there.output).toMatch(
        /Umgezogen von der eingebauten Datenbank .* nach PostgreSQL .*alle Prüfsummen stimmen/,
      )
      const target = temporaryFolder()
      const back = operate(target, ['move', '--from', url])
      expect(back.output).toMatch(
        /Umgezogen von PostgreSQL .* nach der eingebauten Datenbank .*alle Prüfsummen stimmen/,
      )
      expect(readdirSync(join(target, 'sicherungen'))).toHaveLength(1)
      expect(operate(dataDir, ['move']).output).toContain('Bitte genau eine Seite nennen')
      expect(operate(dataDir, ['move', '--to', '-']).output).toContain('stand keine Adresse')
      rmSync(target, { recursive: true, force: true })
    },
    600_000,
  )

  test('a damaged dump is refused and leaves nothing behind', () => {
    const target = temporaryFolder()
    const broken = operate(target, ['restore', join(ROOT, 'package.json')])
    expect(broken.status).toBe(1)
    expect(broken.output.trim().length).toBeGreaterThan(20)
    expect(broken.output).not.toContain('    at ')
    rmSync(target, { recursive: true, force: true })
  })

  test('a new demo password is printed once, works, and the old one does not', async () => {
    const made = operate(dataDir, ['demo-password'])
    const password = /Neues Passwort für alle Demozugänge: (\S+)/.exec(made.output)?.[1]
    expect(password).toMatch(/^[a-z2-9-]{19}$/)
    const old = demoPassword(first)
    expect(password).not.toBe(old)
    const again = await startApp({ dataDir })
    expect(again.output()).toContain('npm run demo-password')
    expect(again.output()).not.toContain('Passwort für alle: ')
    const attempt = (word: string) => tryToSignIn(again.origin, emailOf('ogf_admin'), word)
    expect((await attempt(old)).returned).toBeNull()
    expect((await attempt(password ?? '')).returned).not.toBeNull()
    await again.stop()
  })

  test('a provider that is replaced has to be named, and the one that is set up is not let go', () => {
    const issuer = 'http://localhost:1/realms/forst'
    const words = (...more: string[]) =>
      operate(dataDir, ['rebind', ...more], { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer })
    expect(words().output).toMatch(
      /Bitte den bisherigen Anmeldedienst nennen: npm run rebind -- <adresse>\n\S/,
    )
    expect(words(issuer)).toMatchObject({
      status: 1,
      output: expect.stringContaining('Seine Konten bleiben'),
    })
    expect(words('https://niemand.example')).toMatchObject({
      status: 1,
      output: expect.stringContaining('ist niemand gebunden'),
    })
  })

  test('a word that is no command is told with those that are', () =>
    expect(operate(dataDir, ['sichern']).output).toContain('Es gibt: dump, restore, note-restore, move'))
})
