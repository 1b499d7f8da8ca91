// The settings, read once at the start; the only place that reads the environment. All faults are reported at
// once, in sentences for the operator.
import { join } from 'node:path'
import { RESERVED_PATHS } from '#contract/server-paths.ts'
import { misspelt } from './near-names.ts'
import { SettingFault } from './setting-kinds.ts'
import { SETTINGS, type Setting, type SettingValues } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings keep the names of their variables, so that one search finds both. */
export interface Config extends SettingValues {
  /**
   * No database configured and not production: embedded database, sample data, demo
   * accounts, this machine only.
   */
  readonly trial: boolean
  readonly production: boolean
  readonly HOST: string
  readonly PUBLIC_ORIGIN: string
  readonly LOG_REQUESTS: boolean
  readonly DRAIN_S: number
  readonly OIDC_ISSUER: string
  readonly SECOND_FACTOR: 'off' | 'provider' | 'all'
  readonly IDP_SECRET_FILE: string
  readonly BACKUP_DIR: string
  readonly FILES_DIR: string
  readonly ANCHOR_FILE: string
  readonly ANCHOR_KEY_FILE: string
  /** Variables of OpenTelemetry that are set and no settings of this server. */
  readonly unheeded: readonly string[]
}

export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(
      `Die Einstellungen sind nicht vollständig oder falsch:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    )
    this.faults = faults
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
export const isLoopback = (origin: string): boolean => LOOPBACK.has(new URL(origin).hostname)

/** OpenTelemetry's exporter reads these itself. */
const OF_THE_EXPORTER =
  /^OTEL_EXPORTER_OTLP_(?:TRACES_)?(?:HEADERS|COMPRESSION|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE)$/

export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const values = readValues(env, faults)
  const given = Object.keys(env).filter((name) => env[name]?.trim() !== '')
  faults.push(...misspelt(given, Object.keys(SETTINGS)))
  const isUnheeded = (name: string): boolean =>
    name.startsWith('OTEL_') && !Object.hasOwn(SETTINGS, name) && !OF_THE_EXPORTER.test(name)
  const config = { ...derive(values), unheeded: given.filter(isUnheeded).toSorted() }
  if (faults.length === 0) faults.push(...contradictions(config))
  if (faults.length > 0) throw new ConfigFault(faults)
  return Object.freeze(config)
}

function readValues(env: Environment, faults: string[]): SettingValues {
  const read = ([name, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const given = env[name]?.trim()
    const text = given === undefined || given === '' ? setting.default : given
    if (text === null) return [name, undefined]
    try {
      return [name, setting.kind(text)]
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error
      faults.push(`${name} ${error.message}`)
      return [name, setting.default === null ? undefined : setting.kind(setting.default)]
    }
  }
  return Object.fromEntries(Object.entries(SETTINGS).map(read)) as unknown as SettingValues
}

function derive(values: SettingValues): Omit<Config, 'unheeded'> {
  const production = values.NODE_ENV === 'production'
  const trial = values.DATABASE_URL === undefined && !production
  const PUBLIC_ORIGIN = values.PUBLIC_ORIGIN ?? `http://localhost:${values.PORT}`
  return {
    ...values,
    trial,
    production,
    HOST: values.HOST ?? (trial ? '127.0.0.1' : '0.0.0.0'),
    PUBLIC_ORIGIN,
    // The console of a trial shows how to sign in; request logs must not scroll that away.
    LOG_REQUESTS: values.LOG_REQUESTS ?? !trial,
    // Together with GRACE_S this stays below the ten seconds after which Docker kills.
    DRAIN_S: values.DRAIN_S ?? (trial ? 0 : 3),
    OIDC_ISSUER: values.OIDC_ISSUER ?? `${PUBLIC_ORIGIN}/realms/master`,
    SECOND_FACTOR: values.SECOND_FACTOR ?? (trial ? 'off' : 'provider'),
    IDP_SECRET_FILE: values.IDP_SECRET_FILE ?? join(values.DATA_DIR, 'secrets', 'idp'),
    BACKUP_DIR: values.BACKUP_DIR ?? join(values.DATA_DIR, 'sicherungen'),
    FILES_DIR: values.FILES_DIR ?? join(values.DATA_DIR, 'dateien'),
    ANCHOR_FILE: values.ANCHOR_FILE ?? join(values.DATA_DIR, 'anker', 'buecher.jsonl'),
    ANCHOR_KEY_FILE: values.ANCHOR_KEY_FILE ?? join(values.DATA_DIR, 'secrets', 'anker'),
  }
}

/** Whether it is broken, and what the operator reads then. */
type Rule = readonly [isBroken: boolean, message: string]

const originRules = (config: Config): readonly Rule[] => [
  [
    config.trial && config.HOST !== '127.0.0.1',
    'HOST gilt nicht im Probebetrieb: er ist nur von diesem Rechner erreichbar. ' +
      'Für den Betrieb DATABASE_URL oder NODE_ENV=production setzen',
  ],
  [
    config.trial && !isLoopback(config.PUBLIC_ORIGIN),
    'PUBLIC_ORIGIN muss im Probebetrieb localhost oder 127.0.0.1 nennen',
  ],
  [
    !config.trial && !isHttps(config.PUBLIC_ORIGIN) && !isLoopback(config.PUBLIC_ORIGIN),
    'PUBLIC_ORIGIN muss im Betrieb mit https:// beginnen: Passwörter und Token gingen sonst lesbar durchs Netz',
  ],
  [
    config.AUTH_MODE === 'oidc' && config.OIDC_ISSUER === `${config.PUBLIC_ORIGIN}/realms/master`,
    'OIDC_ISSUER fehlt: AUTH_MODE=oidc braucht die Adresse des Anmeldedienstes',
  ],
  [
    config.AUTH_MODE === 'embedded' && config.OIDC_ISSUER !== `${config.PUBLIC_ORIGIN}/realms/master`,
    'OIDC_ISSUER gilt nur mit AUTH_MODE=oidc',
  ],
  [
    config.AUTH_MODE === 'oidc' &&
      !config.trial &&
      !isHttps(config.OIDC_ISSUER) &&
      !isLoopback(config.OIDC_ISSUER),
    'OIDC_ISSUER muss mit https:// beginnen',
  ],
]

const mailRules = (config: Config): readonly Rule[] => [
  [
    config.SMTP_URL !== undefined && config.MAIL_FROM === undefined,
    'MAIL_FROM fehlt: mit SMTP_URL braucht jede Mail einen Absender',
  ],
  [
    config.ANCHOR_MAIL !== undefined && config.SMTP_URL === undefined,
    'SMTP_URL fehlt: ohne Mailserver erreicht ANCHOR_MAIL niemanden',
  ],
  [
    config.TIMESTAMP_CERTIFICATES !== undefined && config.TIMESTAMP_URL === undefined,
    'TIMESTAMP_URL fehlt: TIMESTAMP_CERTIFICATES gilt nur mit einem Zeitstempeldienst',
  ],
]

const pathRules = (config: Config): readonly Rule[] => [
  [
    config.DATABASE_OWNER_URL !== undefined && config.DATABASE_URL === undefined,
    'DATABASE_URL fehlt: DATABASE_OWNER_URL allein genügt nicht',
  ],
  [
    overlap(config.DATA_API_BASE, config.GENERAL_API_BASE),
    'DATA_API_BASE und GENERAL_API_BASE überschneiden sich',
  ],
  ...[config.DATA_API_BASE, config.GENERAL_API_BASE].map(
    (base) =>
      [
        RESERVED_PATHS.some((path) => overlap(base, path)),
        `Der Basispfad ${base} ist schon vergeben (${RESERVED_PATHS.join(', ')})`,
      ] as const,
  ),
]

const fileRules = (config: Config): readonly Rule[] => [
  [
    config.FILES_S3_ENDPOINT !== undefined && config.FILES_S3_BUCKET === undefined,
    'FILES_S3_BUCKET fehlt: mit FILES_S3_ENDPOINT muss der Bucket genannt sein',
  ],
  [
    config.FILES_S3_ENDPOINT !== undefined &&
      (config.FILES_S3_ACCESS_KEY === undefined || config.FILES_S3_SECRET_KEY === undefined) ===
        (config.FILES_S3_KEYS_FILE === undefined),
    'FILES_S3_ENDPOINT braucht entweder FILES_S3_ACCESS_KEY und FILES_S3_SECRET_KEY oder FILES_S3_KEYS_FILE',
  ],
  [
    config.FILES_S3_ENDPOINT === undefined &&
      [
        config.FILES_S3_BUCKET,
        config.FILES_S3_ACCESS_KEY,
        config.FILES_S3_SECRET_KEY,
        config.FILES_S3_KEYS_FILE,
      ].some((value) => value !== undefined),
    'FILES_S3_ENDPOINT fehlt: ohne die Adresse gelten die übrigen FILES_S3_… nicht',
  ],
  [
    config.FILES_S3_ENDPOINT === undefined && config.FILES_PLACE?.includes('bucket') === true,
    'FILES_S3_ENDPOINT fehlt: FILES_PLACE nennt einen Bucket',
  ],
  [
    config.BASEMAP_FILE?.art === 's3' && config.FILES_S3_ENDPOINT === undefined,
    'FILES_S3_ENDPOINT fehlt: ohne die Adresse gibt es keinen Bucket für BASEMAP_FILE=s3:…',
  ],
  [
    config.BASEMAP_FILE === undefined &&
      (config.BASEMAP_TITLE !== undefined || config.BASEMAP_ATTRIBUTION !== undefined),
    'BASEMAP_FILE fehlt: BASEMAP_TITLE und BASEMAP_ATTRIBUTION gelten nur mit einer Datei',
  ],
]

const serviceRules = (config: Config): readonly Rule[] => [
  [
    [config.EINGANG_IMAP_DONE, config.EINGANG_IMAP_REFUSED].some(
      (folder) => folder.toLowerCase() === config.EINGANG_IMAP_FOLDER.toLowerCase(),
    ),
    'EINGANG_IMAP_DONE und EINGANG_IMAP_REFUSED müssen andere Ordner sein als EINGANG_IMAP_FOLDER',
  ],
  [
    config.METRICS_PORT === config.PORT,
    'METRICS_PORT muss ein anderer Port sein als PORT: die Messwerte sind nicht für alle, die PORT erreichen',
  ],
  [
    !isThisMachine(config.METRICS_HOST) && config.METRICS_KEY === undefined,
    `METRICS_KEY fehlt: mit METRICS_HOST=${config.METRICS_HOST} läse sonst jeder im Netz die Messwerte. ` +
      'Einen Schlüssel setzen, oder METRICS_HOST weglassen',
  ],
  [
    config.METRICS_PORT === undefined && config.METRICS_KEY !== undefined,
    'METRICS_PORT fehlt: ohne ihn gibt es keine Messwerte, für die METRICS_KEY gälte',
  ],
  [config.SESSION_IDLE_S > config.SESSION_MAX_S, 'SESSION_IDLE_S darf nicht länger sein als SESSION_MAX_S'],
]

/** Settings that are valid one by one but not together. */
const contradictions = (config: Config): string[] =>
  [originRules, mailRules, pathRules, fileRules, serviceRules]
    .flatMap((rules) => rules(config))
    .filter(([isBroken]) => isBroken)
    .map(([, message]) => message)

const isThisMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
const isHttps = (address: string): boolean => address.startsWith('https://')
const overlap = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)

/** Whom people call with questions; null if nobody is named. */
export const supportOf = ({
  SUPPORT_PHONE: phone,
  SUPPORT_HOURS: hours,
}: Pick<Config, 'SUPPORT_PHONE' | 'SUPPORT_HOURS'>) => (phone === undefined ? null : { phone, hours })

/** For what is said while the other settings are faulty. */
export const readLogFormat = (): Config['LOG_FORMAT'] =>
  (['json', 'text'] as const).find((format) => format === process.env['LOG_FORMAT']?.trim())

export const readProcessConfig = (): Config => readConfig(process.env)
