// Starting the server, and everything that can go wrong with it.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../test/private-postgres.ts'
import { failingStart, type RunningApp, startApp } from './app.ts'
import { folderMaker } from './folders.ts'

const folder = folderMaker()

/**
 * Limit for an idle machine; on an overloaded one it grows with the load. `npm run bench:start` measures the
 * plain times.
 */
const withinMs = (asked: number): number => asked * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

describe('a trial', () => {
  let app: RunningApp
  beforeAll(async () => {
    app = await startApp({ dataDir: folder() })
  })
  afterAll(() => app.stop())

  test('is ready within 15 seconds on an empty folder', () =>
    expect(app.readyMs).toBeLessThan(withinMs(15_000)))
  test('says in German where it is', () => expect(app.output()).toContain(app.origin))
  test('keeps its secret for itself', () => {
    const secret = join(app.dataDir, 'secrets/idp')
    expect(statSync(secret).mode & 0o777).toBe(0o600)
    expect(app.output()).not.toContain(readFileSync(secret, 'utf8').trim())
  })
  test('cannot be reached from another machine', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)
    if (outside === undefined) return expect(app.output()).not.toContain('0.0.0.0')
    await expect(
      fetch(`http://${outside.address}:${app.port}/healthz`, { signal: AbortSignal.timeout(2000) }),
    ).rejects.toThrow('fetch failed')
  })
  test('a second start on the same folder is turned away and changes nothing', async () => {
    const second = await failingStart({ dataDir: app.dataDir })
    expect(second.code).toBe(1)
    expect(second.output).toMatch(
      /Forstkontor startet nicht: Der Datenordner .* wird schon von einem laufenden Forstkontor benutzt/,
    )
    expect((await fetch(`${app.origin}/healthz`)).status).toBe(200)
  })
  test('a second start on the same port is turned away', async () => {
    const second = await failingStart({ dataDir: folder(), port: app.port })
    expect(second.code).toBe(1)
    expect(second.output).toContain(`Port ${app.port} ist belegt. Läuft Forstkontor schon?`)
  })
})

test('after an orderly end and after kill -9 the next start is ready within 6 seconds', async () => {
  const dataDir = folder()
  const first = await startApp({ dataDir })
  expect(await first.stop()).toBe(0)
  const second = await startApp({ dataDir })
  expect(second.readyMs).toBeLessThan(withinMs(6_000))
  await second.kill()
  const third = await startApp({ dataDir })
  expect(third.readyMs).toBeLessThan(withinMs(6_000))
  expect(await third.stop()).toBe(0)
})

test('the embedded database in operation: a set-up link, no sample data, no demo account, dumps', async () => {
  const app = await startApp({ dataDir: folder(), env: { NODE_ENV: 'production', HOST: '127.0.0.1' } })
  expect(app.output()).toMatch(/\/anmelden\/einrichten\/[\w-]{40,}/)
  expect(app.output()).toContain('auf einen anderen Rechner kopieren')
  expect(app.output()).not.toMatch(/Probebetrieb|Passwort für alle|probe\.forstkontor/)
  expect(await (await fetch(`${app.origin}/config/app.json`)).json()).toMatchObject({ trial: false })
  for (const path of [
    'user/login',
    'user/info?token=admin-token',
    'routes',
    'roles',
    'transaction/list',
    'article/list',
  ])
    expect((await fetch(`${app.origin}/prod-api/vue-element-admin/${path}`)).status, path).toBe(404)
  await app.stop()
})

const REFUSED: readonly (readonly [why: string, env: Record<string, string>, sentence: RegExp])[] = [
  [
    'wrong settings are told all at once',
    { MAX_ROWS: 'viele', AUTH_MODE: 'ldap' },
    /MAX_ROWS muss eine ganze Zahl[\s\S]*AUTH_MODE muss embedded oder oidc/,
  ],
  ['a trial for everybody', { HOST: '0.0.0.0' }, /HOST gilt nicht im Probebetrieb/],
  [
    'a variable that was misspelt',
    { DATABASE_URI: 'postgres://db/forst' },
    /DATABASE_URI ist keine bekannte Einstellung. Gemeint ist wohl DATABASE_URL/,
  ],
  [
    'an environment that there is not',
    { NODE_ENV: 'prod' },
    /NODE_ENV muss production oder development oder test sein/,
  ],
  [
    'folders that cannot be used are told all at once',
    { FILES_DIR: '/dev/null/dateien', BACKUP_DIR: '/dev/null', BACKUP: 'on' },
    new RegExp(
      [
        /Der Ordner der Dateien .* ist kein Ordner: \/dev\/null ist eine Datei \(FILES_DIR\)/,
        /[\s\S]*Der Ordner der Sicherungen .* \(BACKUP_DIR\)/,
      ]
        .map(({ source }) => source)
        .join(''),
    ),
  ],
  [
    'a secret that is not there',
    { IDP_SECRET_FILE: '/nirgends/geheim' },
    /Geheimnis der Anmeldung fehlt: \/nirgends\/geheim/,
  ],
]
for (const [why, env, sentence] of REFUSED) {
  test(`${why}: one German message, exit code 1`, async () => {
    const { code, output } = await failingStart({ dataDir: folder(), env })
    expect(code).toBe(1)
    expect(output).toMatch(/Forstkontor startet nicht: /)
    expect(output).toMatch(sentence)
    expect(output).not.toContain('    at ')
  })
}

test('a database that cannot be reached is named without its password', async () => {
  const port = await freePort()
  const env = { DATABASE_URL: `postgres://forst:geheim-4711@127.0.0.1:${port}/forst` }
  const { code, output } = await failingStart({ dataDir: folder(), env })
  expect(code).toBe(1)
  expect(output).toContain(`Die Datenbank 127.0.0.1:${port}/forst ist nicht erreichbar`)
  expect(output).not.toContain('geheim-4711')
})

test('a data folder that is a file is told in one sentence', async () => {
  const file = join(folder(), 'daten')
  writeFileSync(file, '')
  const { code, output } = await failingStart({ dataDir: file })
  expect(code).toBe(1)
  expect(output).toContain('Der Datenordner')
  expect(existsSync(file)).toBe(true)
})
