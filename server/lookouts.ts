// Who watches the server: metrics and traces. Their libraries are loaded only where a setting asks for them.
import type { TracesOptions } from './traces/open-traces.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigFault } from './config.ts'
import { observeDatabase } from './observed-database.ts'
import type { OpenedDatabase } from './open-database.ts'
import type { Log } from './log.ts'
import type { House } from './room.ts'

export interface Lookouts {
  /** Hooks on every request, before all others. */
  readonly installs: readonly ((app: FastifyInstance) => void)[]
  /** The database as those who watch see it. */
  over(opened: OpenedDatabase): OpenedDatabase
}

const NOBODY: Lookouts = { installs: [], over: (opened) => opened }

const versionOf = (): string =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string })
    .version

export interface LookoutOptions {
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
}

export async function openLookouts(options: LookoutOptions, house: House): Promise<Lookouts> {
  const { config } = options
  if (config.METRICS_PORT === undefined && tracesSettings(config) === null) return NOBODY
  const version = versionOf()
  const metrics = await metricsOf(options, version)
  const traces = await tracesOf(options, version)
  if (metrics !== null) house.addGround('metrics', () => metrics.close())
  if (traces !== null) house.addGround('traces', () => traces.close())
  return {
    installs: [metrics, traces].flatMap((lookout) => (lookout === null ? [] : [lookout.watch])),
    over(opened) {
      metrics?.attach(opened.asOwner)
      return observeDatabase(opened)
    },
  }
}

async function metricsOf({ config, now }: LookoutOptions, version: string) {
  const port = config.METRICS_PORT
  if (port === undefined) return null
  const { openMetrics } = await import('./metrics/open-metrics.ts')
  const engine = config.DATABASE_URL === undefined ? 'embedded' : 'postgres'
  const folders = { data: config.DATA_DIR, files: config.FILES_DIR, dumps: config.BACKUP_DIR }
  const { METRICS_HOST: host, METRICS_KEY: key } = config
  const dumps = config.BACKUP
  return openMetrics({ host, port, key, version, engine, folders, dumps, now }).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'PortFault' ? new ConfigFault([error.message]) : error
  })
}

async function tracesOf({ config, log }: LookoutOptions, version: string) {
  const settings = tracesSettings(config)
  if (settings === null) return null
  if (config.unheeded.length > 0)
    log.warn('variables of OpenTelemetry that this server does not heed', {
      names: config.unheeded.join(' '),
    })
  const { openTraces } = await import('./traces/open-traces.ts')
  return openTraces({
    ...settings,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    ownServices: ownServices(config),
    version,
    log,
  })
}

/** Where traces go and what they say of this server, by the rules of OpenTelemetry; null: there are none. */
export function tracesSettings(config: Config): Pick<TracesOptions, 'url' | 'resource'> | null {
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT
  const url =
    config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base === undefined ? undefined : `${base.replace(/\/$/, '')}/v1/traces`)
  if (url === undefined || config.OTEL_SDK_DISABLED === 'true') return null
  const attributes = attributesOf(config.OTEL_RESOURCE_ATTRIBUTES ?? '')
  const name = config.OTEL_SERVICE_NAME ?? attributes['service.name'] ?? 'forstkontor'
  return { url, resource: { ...attributes, 'service.name': name } }
}

function attributesOf(pairs: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const pair of pairs.split(',')) {
    const at = pair.indexOf('=')
    if (at > 0) attributes[pair.slice(0, at).trim()] = decoded(pair.slice(at + 1).trim())
  }
  return attributes
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Services of the operator, which may learn of a trace; other houses' map services may not. */
function ownServices({ FILES_S3_ENDPOINT, OIDC_ISSUER, OIDC_JWKS_URI, AUTH_MODE }: Config): string[] {
  const addresses = [FILES_S3_ENDPOINT, ...(AUTH_MODE === 'oidc' ? [OIDC_ISSUER, OIDC_JWKS_URI] : [])]
  return addresses.flatMap((address) => (address === undefined ? [] : [new URL(address).origin]))
}
