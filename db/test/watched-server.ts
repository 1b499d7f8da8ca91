// A whole server on PostgreSQL with its figures, for the tests that read them.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createOwnerConnection } from '../../server/database/postgres-owner.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName, ISS } from './world.ts'
import { asUser, copyDatabase, dropDatabase } from '../../test/databases.ts'
import { freePort } from '../../test/private-postgres.ts'
import { type Environment, readConfig } from '../../server/config.ts'
import { type Log, silentLog } from '../../server/log.ts'
import { startServer } from '../../server/start.ts'
import { type Family, parseOpenMetrics, type Series } from '../../test/open-metrics.ts'

export interface WatchedServer {
  readonly origin: string
  readonly metrics: string
  /** Of the owner. */
  readonly databaseUrl: string
  /** Headers of what was asked of the sign-in service. */
  readonly askedForKeys: readonly NodeJS.Dict<string | string[]>[]
  token(name: IdentityName): Promise<string>
  scrape(headers?: Record<string, string>): Promise<Family[]>
  stop(): Promise<void>
}

export const seriesOf = (families: readonly Family[]): Series[] => families.flatMap(({ series }) => series)

/** Sums up the series that have these labels. */
export const valueOf = (
  families: readonly Family[],
  name: string,
  labels: Record<string, string> = {},
): number =>
  seriesOf(families)
    .filter(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0)

export async function startWatched(
  schemaUrl: string,
  env: Environment = {},
  log: Log = silentLog,
): Promise<WatchedServer> {
  const url = await copyDatabase(schemaUrl)
  const owner = await createOwnerConnection(url)
  await buildWorld(owner)
  await owner.close()
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keySet = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }],
  })
  const askedForKeys: NodeJS.Dict<string | string[]>[] = []
  const keys = createServer((request, response) => {
    askedForKeys.push(request.headers)
    response.end(keySet)
  }).listen(0, '127.0.0.1')
  await once(keys, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-watched-'))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const config = readConfig({
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: origin,
    METRICS_PORT: String(metricsPort),
    DATA_DIR: folder,
    DATABASE_URL: asUser(url, 'forst_api'),
    DATABASE_OWNER_URL: url,
    BACKUP: 'off',
    AUTH_MODE: 'oidc',
    OIDC_ISSUER: ISS,
    OIDC_JWKS_URI: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`,
    LOG_REQUESTS: 'off',
    ...env,
  })
  const server = await startServer({ config, log, now: () => new Date() })
  const metrics = `http://127.0.0.1:${metricsPort}/metrics`
  const now = Math.floor(Date.now() / 1000)
  return {
    origin,
    metrics,
    databaseUrl: url,
    askedForKeys,
    token: (name) =>
      new SignJWT({ ...claimsOf(name), aud: 'ogf-api', iat: now, exp: now + 3_600 })
        .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
        .sign(privateKey),
    scrape: async (headers = {}) => parseOpenMetrics(await (await fetch(metrics, { headers })).text()),
    async stop() {
      await server.stop()
      keys.close()
      rmSync(folder, { recursive: true, force: true })
      await dropDatabase(url)
    },
  }
}
