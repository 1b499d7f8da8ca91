import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { RESERVED_PATHS } from '#contract/server-paths.ts'
import { ConfigFault, type Environment, readConfig } from './config.ts'
import { SETTINGS, settingsTable } from './settings.ts'

const ROOT = join(import.meta.dirname, '..')
const OPERATED: Environment = {
  DATABASE_URL: 'postgres://forst:geheim@db/forst',
  PUBLIC_ORIGIN: 'https://forst.example',
}

function faultsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults
    throw error
  }
  return []
}

test('without any setting it is a trial on this machine only', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    trial: true,
    HOST: '127.0.0.1',
    PORT: 3000,
    PUBLIC_ORIGIN: 'http://localhost:3000',
    SECOND_FACTOR: 'off',
  })
  expect(config.OIDC_ISSUER).toBe('http://localhost:3000/realms/master')
  expect(config.BACKUP_DIR).toBe(resolve('data/sicherungen'))
})
test('a database address or NODE_ENV=production ends the trial', () => {
  expect(readConfig(OPERATED)).toMatchObject({ trial: false, HOST: '0.0.0.0', SECOND_FACTOR: 'provider' })
  expect(readConfig({ NODE_ENV: 'production' })).toMatchObject({
    trial: false,
    production: true,
    DATABASE_URL: undefined,
  })
})
test('the origin follows the port', () =>
  expect(readConfig({ PORT: '4010' }).PUBLIC_ORIGIN).toBe('http://localhost:4010'))
test('an empty variable counts as not set', () =>
  expect(readConfig({ PORT: '', APP_TITLE: '  ' })).toMatchObject({ PORT: 3000, APP_TITLE: 'Forstkontor' }))
test('the settings cannot be changed afterwards', () => {
  const config = readConfig({})
  expect(Object.isFrozen(config)).toBe(true)
  expect(Object.isFrozen(config.OIDC_ALGS)).toBe(true)
})
test('a bucket needs its name and its keys, in one of two ways', () => {
  const bucket = { FILES_S3_ENDPOINT: 'https://s3.forst.example', FILES_S3_BUCKET: 'wald' }
  const keys = { FILES_S3_ACCESS_KEY: 'a', FILES_S3_SECRET_KEY: 'b' }
  for (const right of [
    { ...bucket, ...keys },
    { ...bucket, FILES_S3_KEYS_FILE: '/run/secrets/s3' },
  ])
    expect(faultsOf(right)).toEqual([])
  for (const [wrong, said] of [
    [bucket, 'entweder'],
    [{ ...bucket, FILES_S3_ACCESS_KEY: 'a' }, 'entweder'],
    [{ ...bucket, ...keys, FILES_S3_KEYS_FILE: '/x' }, 'entweder'],
    [{ FILES_S3_ENDPOINT: 'https://s3.forst.example', ...keys }, 'FILES_S3_BUCKET fehlt'],
    [{ ...keys }, 'FILES_S3_ENDPOINT fehlt'],
    [{ ...bucket, ...keys, FILES_S3_PREFIX: '../andere' }, 'Schrägstrich'],
    [{ ...bucket, ...keys, FILES_S3_BUCKET: 'Wald & Flur' }, 'kein Name eines Buckets'],
    [{ FILES_PLACE: 'bucket+folder' }, 'FILES_PLACE nennt einen Bucket'],
    [{ ...bucket, ...keys, FILES_PLACE: 'folder+folder' }, 'FILES_PLACE'],
    [{ FILES_S3_BUKET: 'wald' }, 'keine bekannte Einstellung'],
  ] as const)
    expect(faultsOf(wrong), JSON.stringify(wrong)).toEqual([expect.stringContaining(said)])
})
test('all faults are told at once', () =>
  expect(faultsOf({ PORT: 'achtzig', AUTH_MODE: 'ldap', MAX_ROWS: '0', OIDC_ALGS: 'RS256,none' })).toEqual([
    'PORT muss eine ganze Zahl von 1 bis 65535 sein, nicht „achtzig“',
    'MAX_ROWS muss eine ganze Zahl von 1 bis 1000000 sein, nicht „0“',
    'AUTH_MODE muss embedded oder oidc sein, nicht „ldap“',
    expect.stringContaining('OIDC_ALGS muss RS256'),
  ]))

const REFUSED: readonly (readonly [why: string, env: Environment, fault: RegExp])[] = [
  ['the trial is never reachable from elsewhere', { HOST: '0.0.0.0' }, /^HOST gilt nicht im Probebetrieb/],
  [
    'the trial has a local address',
    { PUBLIC_ORIGIN: 'https://forst.example' },
    /^PUBLIC_ORIGIN muss im Probebetrieb/,
  ],
  [
    'in operation passwords travel encrypted',
    { ...OPERATED, PUBLIC_ORIGIN: 'http://forst.example' },
    /^PUBLIC_ORIGIN muss im Betrieb mit https/,
  ],
  [
    'the origin has no path',
    { ...OPERATED, PUBLIC_ORIGIN: 'https://forst.example/app' },
    /^PUBLIC_ORIGIN darf keinen Pfad/,
  ],
  ['another provider needs its address', { ...OPERATED, AUTH_MODE: 'oidc' }, /^OIDC_ISSUER fehlt/],
  [
    'another provider is encrypted',
    { ...OPERATED, AUTH_MODE: 'oidc', OIDC_ISSUER: 'http://id.example/realms/ogf' },
    /^OIDC_ISSUER muss mit https/,
  ],
  [
    'an issuer without the mode would be ignored',
    { ...OPERATED, OIDC_ISSUER: 'https://id.example/realms/ogf' },
    /^OIDC_ISSUER gilt nur/,
  ],
  ['mails need a sender', { SMTP_URL: 'smtp://mail.example' }, /^MAIL_FROM fehlt/],
  ['an owner without a login', { DATABASE_OWNER_URL: 'postgres://o@db/forst' }, /^DATABASE_URL fehlt/],
  ['a database must be named', { DATABASE_URL: 'postgres://db' }, /^DATABASE_URL nennt keine Datenbank/],
  ['base paths must differ', { DATA_API_BASE: '/api', GENERAL_API_BASE: '/api/v1' }, /überschneiden sich/],
  // A base path has no full stop in any case.
  ...RESERVED_PATHS.filter((path) => !path.includes('.')).flatMap((path): [string, Environment, RegExp][] => [
    [`a base path is not ${path}`, { DATA_API_BASE: path }, /schon vergeben/],
    [`a base path is not below ${path}`, { GENERAL_API_BASE: `${path}/v1` }, /schon vergeben/],
  ]),
  ['a base path is a path', { DATA_API_BASE: '/' }, /^DATA_API_BASE muss ein Pfad/],
  [
    'a mistyped name is not silently ignored',
    { OIDC_CLIENTID: 'x' },
    /^OIDC_CLIENTID ist keine bekannte Einstellung/,
  ],
  ['a time has two digits', { BACKUP_AT: '2:30' }, /^BACKUP_AT muss eine Uhrzeit/],
  ['a proxy is an address', { TRUST_PROXY: 'loopback, alle' }, /^TRUST_PROXY muss loopback/],
  [
    'NODE_ENV has three values',
    { NODE_ENV: 'prod' },
    /^NODE_ENV muss production oder development oder test sein, nicht „prod“/,
  ],
  ['NODE_ENV is written small', { NODE_ENV: 'Production' }, /^NODE_ENV muss production/],
  [
    'a mistyped database would be a trial',
    { DATABASE_URI: 'postgres://db/forst' },
    /^DATABASE_URI .* Gemeint ist wohl DATABASE_URL$/,
  ],
  [
    'a mistyped mail server would be none',
    { SMTP_ULR: 'smtp://mail' },
    /^SMTP_ULR .* Gemeint ist wohl SMTP_URL$/,
  ],
  ['a number has no unit', { GRACE_S: '5s' }, /^GRACE_S muss eine ganze Zahl von 0 bis 600 sein, nicht „5s“/],
  ['a number is not negative', { DRAIN_S: '-1' }, /^DRAIN_S muss eine ganze Zahl/],
  ['a number has no places', { UPLOAD_LIMIT_MB: '1.5' }, /^UPLOAD_LIMIT_MB muss eine ganze Zahl/],
  ['a number is not written otherwise', { PORT: '0x50' }, /^PORT muss eine ganze Zahl/],
  ['a number has no quotes', { PORT: '"3000"' }, /^PORT muss eine ganze Zahl/],
  ['a switch is on or off', { BACKUP: 'false' }, /^BACKUP muss on oder off sein, nicht „false“/],
  ['a day has 24 hours', { BACKUP_AT: '25:00' }, /^BACKUP_AT muss eine Uhrzeit/],
  ['an hour has 60 minutes', { BACKUP_AT: '02:60' }, /^BACKUP_AT muss eine Uhrzeit/],
  [
    'the origin has no path even in the trial',
    { PUBLIC_ORIGIN: 'http://localhost:3000/forst' },
    /^PUBLIC_ORIGIN darf keinen Pfad/,
  ],
  [
    'the origin has no query',
    { PUBLIC_ORIGIN: 'http://localhost:3000?a=b' },
    /^PUBLIC_ORIGIN darf keinen Pfad/,
  ],
  [
    'the origin has a scheme',
    { PUBLIC_ORIGIN: 'localhost:3000' },
    /^PUBLIC_ORIGIN ist keine vollständige Adresse/,
  ],
  [
    'an address is written out',
    { MANUAL_URL: 'https:forst.example' },
    /^MANUAL_URL ist keine vollständige Adresse/,
  ],
  [
    'a mailbox is one of IMAP',
    { EINGANG_IMAP_URL: 'https://a:b@mail.example' },
    /^EINGANG_IMAP_URL muss mit imaps:/,
  ],
  [
    'a mailbox names user and password',
    { EINGANG_IMAP_URL: 'imaps://mail.example' },
    /^EINGANG_IMAP_URL nennt nicht Nutzer, Passwort und Rechner/,
  ],
  [
    'mails are moved out of their folder',
    { EINGANG_IMAP_URL: 'imaps://a:b@mail.example', EINGANG_IMAP_DONE: 'inbox' },
    /^EINGANG_IMAP_DONE und EINGANG_IMAP_REFUSED müssen andere Ordner sein/,
  ],
  [
    'a folder of rules has its scenarios',
    { EINGANG_RULES_DIR: '/gibt/es/nicht' },
    /^EINGANG_RULES_DIR ist kein Ordner, in dem scenarios\.xml liegt/,
  ],
  ['mails go by SMTP', { SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@b.de' }, /^SMTP_URL muss mit smtp/],
  [
    'mails go to a machine',
    { SMTP_URL: 'smtp://', MAIL_FROM: 'a@b.de' },
    /^SMTP_URL (?:nennt keinen Rechner|ist keine vollständige)/,
  ],
  [
    'a mail server has a scheme',
    { SMTP_URL: 'mail.example:587', MAIL_FROM: 'a@b.de' },
    /^SMTP_URL ist keine vollständige Adresse/,
  ],
  ['a database is somewhere', { DATABASE_URL: 'postgres:///forst' }, /^DATABASE_URL nennt keinen Rechner/],
  ['a database is PostgreSQL', { DATABASE_URL: 'mysql://db/forst' }, /^DATABASE_URL muss mit postgres/],
  [
    'a host has no port',
    { ...OPERATED, HOST: '0.0.0.0:3000' },
    /^HOST muss ein Rechner oder eine Netzadresse ohne Port/,
  ],
  ['a host has no scheme', { ...OPERATED, HOST: 'http://forst' }, /^HOST muss ein Rechner/],
  ['a network has so many bits', { TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY muss loopback/],
  ['a list names something', { OIDC_ALGS: ' , ' }, /^OIDC_ALGS ist eine leere Liste/],
  ['the sign-in asks for itself', { OIDC_SCOPE: 'email profile' }, /^OIDC_SCOPE muss das Wort openid/],
  [
    'a bucket is not an address',
    { ...OPERATED, FILES_S3_ENDPOINT: 's3.forst.example' },
    /^FILES_S3_ENDPOINT ist keine vollständige/,
  ],
]
for (const [why, env, fault] of REFUSED)
  test(why, () => expect(faultsOf(env)).toEqual([expect.stringMatching(fault)]))

test('no fault repeats a password', () =>
  expect(faultsOf({ DATABASE_URL: 'db//forst:geheim@rechner' }).join()).not.toContain('geheim'))

test('the table in README.md is the table in the code', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  expect(readme).toContain(settingsTable())
})
test('every setting says what it is for', () => {
  for (const [name, setting] of Object.entries(SETTINGS))
    expect(setting.meaning.length, name).toBeGreaterThan(10)
})
