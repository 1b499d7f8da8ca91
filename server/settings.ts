// Every setting an operator may give, once: name, default, meaning. The table in README.md is generated from
// it; a test compares them.
import { baseMapPlace } from './map-service/file-source.ts'
import { mapServices } from './map-service/services.ts'
import {
  amount,
  anyText,
  basePath,
  bucketName,
  folder,
  folderWith,
  hostName,
  type Kind,
  listOf,
  longWord,
  mailAddress,
  mailbox,
  mailServer,
  objectPrefix,
  oneOf,
  onOff,
  postgresAddress,
  proxyAddress,
  share,
  timeOfDay,
  webAddress,
  webOrigin,
  wholeNumber,
  wordsWith,
} from './setting-kinds.ts'

export interface Setting<T> {
  readonly kind: Kind<T>
  /** Value when the variable is not set; null if there is none. */
  readonly default: string | null
  /** What the table shows where the default follows from other settings. */
  readonly shownDefault?: string
  readonly meaning: string
}

const given = <T>(kind: Kind<T>, fallback: string, meaning: string): Setting<T> & { default: string } => ({
  kind,
  default: fallback,
  meaning,
})
const optional = <T>(kind: Kind<T>, meaning: string, shownDefault = '–'): Setting<T> & { default: null } => ({
  kind,
  default: null,
  shownDefault,
  meaning,
})

/** The most that DRAIN_S and GRACE_S may be: the limits in deploy/ leave room for both. */
export const MOST_END_S = 600

export const SETTINGS = {
  PORT: given(wholeNumber(1, 65_535), '3000', 'Port of the server'),
  HOST: optional(
    hostName,
    'Address it listens on; the trial is always reachable from this machine only',
    '127.0.0.1 in the trial, else 0.0.0.0',
  ),
  PUBLIC_ORIGIN: optional(
    webOrigin,
    'Address as people type it; issuer of the embedded sign-in, never taken from a request',
    'http://localhost:PORT',
  ),
  TRUST_PROXY: given(
    listOf(proxyAddress),
    'loopback',
    'Proxies whose X-Forwarded-For is believed: loopback, addresses or networks, separated by commas',
  ),
  NODE_ENV: optional(
    oneOf('production', 'development', 'test'),
    '`production` switches sample data and demo accounts off even without DATABASE_URL; ' +
      '`development` and `test` change nothing',
  ),
  DATA_DIR: given(folder, './data', 'Folder of the embedded database, generated secrets and dumps'),

  DATABASE_URL: optional(
    postgresAddress,
    'PostgreSQL 15+ with PostGIS; several hosts, separated by commas, are a primary and its standbys; ' +
      'without it the embedded database in DATA_DIR is used',
  ),
  DATABASE_OWNER_URL: optional(
    postgresAddress,
    'Owner of the database, for migrations and dumps; then DATABASE_URL is the login forst_api',
    'DATABASE_URL',
  ),
  DB_PREPARED: given(
    onOff,
    'on',
    '`off` sends statements whole each time; behind a pooler they are in any case',
  ),
  DB_POOL: given(
    wholeNumber(1, 200),
    '8',
    'Connections to PostgreSQL per process, of which one person holds at most half; one more is for `/healthz`',
  ),
  ANSWER_LIMIT_MB: given(
    wholeNumber(1, 128),
    '32',
    'Megabytes (MiB) that PostgreSQL may send for one statement of a request; more is cut off and refused with 413',
  ),

  DRAIN_S: optional(
    wholeNumber(0, MOST_END_S),
    'Seconds after SIGTERM in which the server says at /healthz that it is not ready and still ' +
      'serves every request: longer than a proxy takes to notice',
    '0 in the trial, else 3',
  ),
  GRACE_S: given(
    wholeNumber(0, MOST_END_S),
    '5',
    'Seconds after that for requests under way; a second later the process is gone, whatever it does',
  ),
  METRICS_PORT: optional(
    wholeNumber(1, 65_535),
    'Port on which `/metrics` is served to Prometheus (`docs/operations.md`); without it there are none',
  ),
  METRICS_HOST: given(
    hostName,
    '127.0.0.1',
    'Address that port listens on; anything but this machine needs METRICS_KEY',
  ),
  METRICS_KEY: optional(
    longWord,
    'Key that a scrape must bring (`Authorization: Bearer …`), 24 characters or more',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    webAddress,
    'Collector that gets traces (OTLP as protobuf over HTTP, at `/v1/traces` below it); without it there are none',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(webAddress, 'The same, as the whole address; goes before it'),
  OTEL_EXPORTER_OTLP_HEADERS: optional(anyText, 'Headers for it: `name=value`, separated by commas'),
  OTEL_SDK_DISABLED: given(oneOf('true', 'false'), 'false', 'With `true` there are no traces'),
  OTEL_SERVICE_NAME: optional(
    anyText,
    'Name of this server in traces; without it `service.name` of the next one, or forstkontor',
  ),
  OTEL_RESOURCE_ATTRIBUTES: optional(
    anyText,
    'What else traces say of this server: `name=value`, separated by commas, encoded as in addresses',
  ),
  OTEL_TRACES_SAMPLER: given(
    oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    'parentbased_always_on',
    'Which requests are traced; `parentbased_…` follows the caller where one sends `traceparent`',
  ),
  OTEL_TRACES_SAMPLER_ARG: given(share, '1', 'Part of them, 0 to 1, with `…traceidratio`'),
  LOG_FORMAT: optional(
    oneOf('json', 'text'),
    '`json`: all that it says is one JSON object a line, the texts of start and end too; `text`: lines for people',
    'text on a terminal; else events as JSON, start and end as text',
  ),
  LOG_LEVEL: given(oneOf('info', 'warn', 'error'), 'info', 'The least important lines that are written'),
  LOG_REQUESTS: optional(onOff, 'One line per request in the log', 'off in the trial, else on'),

  APP_TITLE: given(anyText, 'Forstkontor', 'Title of the application, also in mails'),
  APP_ENV: given(
    anyText,
    'default',
    'Name of the environment; chooses DATA_DIR/config/identity.<APP_ENV>.json where that file exists',
  ),
  SUPPORT_PHONE: optional(anyText, 'Telephone number beside "Support:" and at the foot of mails'),
  SUPPORT_HOURS: given(anyText, 'Mo-Fr 9-17 Uhr', 'Hours of the support'),
  MANUAL_URL: optional(webAddress, 'User manual behind the "?" button'),
  IMPRESSUM_URL: optional(
    webAddress,
    'Legal notice, linked on every sign-in page, in the menu and on the landing page',
  ),
  DATENSCHUTZ_URL: optional(webAddress, 'Privacy notice, linked in the same places'),
  IOS_STORE_URL: optional(
    webAddress,
    'Mobile app in the App Store, linked at the foot of the menu and on the landing page',
  ),
  ANDROID_STORE_URL: optional(webAddress, 'Mobile app in the Play Store, linked in the same places'),
  MOBILE_LANDING: given(
    onOff,
    'on',
    'Leads phones and tablets to /landing first; `off` opens the application at once',
  ),
  SHOW_SETTINGS: given(
    onOff,
    'off',
    'Shows the settings panel of the shell; without it TAGS_VIEW, FIXED_HEADER and SIDEBAR_LOGO hold for everybody',
  ),
  SETTINGS_TOP: given(wholeNumber(0, 2_000), '250', "Place of the panel's handle, pixels from the top"),
  SETTINGS_CLICK_NOT_CLOSE: given(onOff, 'off', 'The panel stays open when one presses outside of it'),
  TAGS_VIEW: given(onOff, 'off', 'Tabs of visited pages, as long as a person has not chosen otherwise'),
  FIXED_HEADER: given(onOff, 'off', 'Top bar stays while the page scrolls, in the same way'),
  SIDEBAR_LOGO: given(onOff, 'on', 'Logo above the menu, in the same way'),
  STAMP_SANDBOX: given(onOff, 'off', 'Stamp "Sandbox" in the top bar'),
  STAMP_ALPHA: given(onOff, 'off', 'Stamp "Alpha" in the top bar'),

  DATA_API_BASE: given(basePath, '/rest', 'Base path of the data API'),
  DATA_API_OPENAPI: given(
    oneOf('follow-privileges', 'ignore-privileges', 'disabled'),
    'follow-privileges',
    'What the OpenAPI document (Swagger 2) at the root of the data API shows: what the caller may see, ' +
      'everything, or nothing',
  ),
  DATA_API_ORIGINS: optional(
    listOf(webOrigin),
    'Origins whose pages may call the data API from a browser (CORS), separated by commas',
  ),
  DATA_API_PLANS: given(
    onOff,
    'off',
    '`on` lets callers of the data API ask for execution plans, and for estimated counts where row security ' +
      'hides rows; both tell something about those',
  ),
  DATA_API_AGGREGATES: given(onOff, 'on', '`off` refuses `count()`, `sum()` and their like in the data API'),
  DATA_API_TX_END: given(
    oneOf('commit', 'commit-allow-override'),
    'commit',
    '`commit-allow-override` lets a request of the data API do a dry run of its write (`Prefer: tx=rollback`)',
  ),
  DATA_API_TIMING: given(onOff, 'off', '`on` says in each answer of the data API how long its parts took'),
  GENERAL_API_BASE: given(basePath, '/prod-api', 'Base path of the general API'),
  MAX_ROWS: given(wholeNumber(1, 1_000_000), '10000', 'Rows a list is cut at'),
  READ_TIMEOUT_S: given(
    wholeNumber(1, 15),
    '5',
    'Seconds that one read of the data API may run; functions with their own limit keep it',
  ),
  BODY_LIMIT: given(wholeNumber(1_024, 104_857_600), '1048576', 'Bytes of a request body at most'),
  DEMO_ENDPOINTS: given(onOff, 'off', 'Template demo endpoints under GENERAL_API_BASE/vue-element-admin'),

  AUTH_MODE: given(
    oneOf('embedded', 'oidc'),
    'embedded',
    '`embedded` is the built-in OpenID provider, `oidc` any other (Keycloak)',
  ),
  OIDC_ISSUER: optional(
    webAddress,
    'Issuer exactly as in the tokens; required with AUTH_MODE=oidc',
    'PUBLIC_ORIGIN/realms/master',
  ),
  OIDC_JWKS_URI: optional(
    webAddress,
    'Where the keys are read, if not where the issuer says',
    'from the issuer',
  ),
  OIDC_CLIENT_ID: given(anyText, 'ogf-web', 'Client of the web application'),
  OIDC_AUDIENCE: given(anyText, 'ogf-api', 'Audience a token must carry'),
  OIDC_ALGS: given(
    listOf(oneOf('RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA')),
    'RS256',
    'Accepted signatures, separated by commas',
  ),
  OIDC_SCOPE: given(wordsWith('openid'), 'openid email profile', 'Scopes the browser asks for'),
  OIDC_GROUPS: given(
    oneOf('claim', 'ignore'),
    'claim',
    '`ignore` for a provider without groups: the user record alone decides',
  ),
  OIDC_GROUPS_CLAIM: given(anyText, 'groups', 'Claim with the groups; dotted path allowed'),
  OIDC_EMAIL_CLAIM: given(anyText, 'email', 'Claim with the e-mail address; dotted path allowed'),
  AUTH_CLOCK_SKEW_S: given(wholeNumber(0, 300), '5', 'Seconds the clocks may differ'),
  ACCESS_TTL_S: given(wholeNumber(75, 3_600), '300', 'Life of an access token of the embedded provider'),
  SESSION_IDLE_S: given(
    wholeNumber(300, 86_400),
    '1800',
    'Seconds without use until a session of the embedded provider ends',
  ),
  SESSION_MAX_S: given(wholeNumber(300, 604_800), '36000', 'Longest session of the embedded provider'),
  SECOND_FACTOR: optional(
    oneOf('off', 'provider', 'all'),
    'Who needs a one-time code from an app: nobody, roles of the provider, everybody',
    'off in the trial, else provider',
  ),
  IDP_SECRET_FILE: optional(
    folder,
    'Secret that encrypts keys and signs cookies, the same on every server; a second line is the previous one',
    'DATA_DIR/secrets/idp, generated',
  ),
  LOGIN_RATE_PER_MIN: given(wholeNumber(1, 10_000), '20', 'Sign-in attempts per address and minute'),
  LOCK_AFTER: given(wholeNumber(1, 100), '5', 'Failed sign-ins until an account is locked for a while'),
  BOOTSTRAP_ADMIN_EMAIL: optional(mailAddress, 'Address the first set-up link is bound to'),
  SMTP_URL: optional(
    mailServer,
    'Mail server; without it admins of the provider copy one-time links from the screen, ' +
      'and those of customers cannot invite',
  ),
  MAIL_FROM: optional(mailAddress, 'Sender of mails; required with SMTP_URL'),
  WEBHOOK_EVERY_S: given(wholeNumber(1, 3_600), '5', 'Seconds between two looks at webhooks that are due'),
  WEBHOOK_PRIVATE: given(
    onOff,
    'off',
    'Webhooks may go to private addresses and over http (`docs/webhooks.md`)',
  ),
  CHANGES_DAYS: given(wholeNumber(1, 3_650), '90', 'Days that events are kept for `/changes` and webhooks'),
  MAIL_EVERY_S: given(
    wholeNumber(1, 3_600),
    '20',
    'Seconds between two looks at mails that wait to be sent and documents that wait to be made',
  ),

  EINGANG_IMAP_URL: optional(
    mailbox,
    'Mailbox from which received invoices are taken; imap:// is turned into TLS. Without it none come by mail',
  ),
  EINGANG_IMAP_FOLDER: given(
    anyText,
    'INBOX',
    'Folder that is looked into; every mail in it is taken in and moved',
  ),
  EINGANG_IMAP_DONE: given(
    anyText,
    'Uebernommen',
    'Folder to which mails are moved that were taken in; made if missing',
  ),
  EINGANG_IMAP_REFUSED: given(
    anyText,
    'Abgelehnt',
    'Folder for mails that were not, or not with all files; made if missing',
  ),
  EINGANG_IMAP_EVERY_S: given(wholeNumber(10, 86_400), '300', 'Seconds between two looks into the mailbox'),
  EINGANG_RULES_DIR: optional(
    folderWith('scenarios.xml'),
    "KoSIT's configuration for XRechnung and the jars of Saxon: received e-invoices are checked by the official " +
      'rules as well (`docs/operations.md`). Without it by our own alone',
  ),
  EINGANG_RULES_JAVA: given(
    anyText,
    'java',
    'The program that runs them: Java 17 or newer, with its compiler',
  ),

  ABO_PREIS_FE: given(
    amount,
    '480',
    'Net price of a term of the module FE in euros; running terms keep theirs',
  ),
  ABO_PREIS_BASIS_FE: given(amount, '240', 'The same of the module Basis-FE'),
  ABO_PREIS_KAWM: given(amount, '360', 'The same of the module KAWM'),
  ABO_LAUFZEIT: given(wholeNumber(1, 60), '12', 'Months of a term of a subscription'),
  ABO_UST_SATZ: given(amount, '19', 'Value added tax on subscriptions in per cent'),

  KARTENDIENSTE: optional(
    mapServices,
    'Base maps of other houses under our own maps: ' +
      'JSON, or the path of a file with it (`docs/map-services.md`); visitors ask our server alone',
  ),
  BASEMAP_FILE: optional(
    baseMapPlace,
    'Base map without a service: path of a PMTiles file, or `s3:` and its name in the bucket of FILES_S3_BUCKET ' +
      '(`docs/map-services.md`)',
  ),
  BASEMAP_TITLE: optional(anyText, 'Its name in the choice of base maps', 'what the file says'),
  BASEMAP_ATTRIBUTION: optional(
    anyText,
    'Its sources, shown on every map and print; required where the file names none',
    'what the file says',
  ),

  FILES_DIR: optional(
    folder,
    'Folder of scans, results and photos, the same one for all servers; ' +
      'files in it that no row of the database names are removed. With FILES_S3_ENDPOINT: ' +
      'of copies and unfinished uploads, one for each server',
    'DATA_DIR/dateien',
  ),
  FILES_S3_ENDPOINT: optional(
    webAddress,
    'Keeps the files in a bucket of a store that speaks S3, such as https://s3.eu-central-1.amazonaws.com',
  ),
  FILES_S3_BUCKET: optional(
    bucketName,
    'Bucket; files in it that no row of the database names are removed. Required with FILES_S3_ENDPOINT',
  ),
  FILES_S3_PREFIX: given(
    objectPrefix,
    '',
    'In front of every name in the bucket, such as `forst/`, where it holds other things too',
  ),
  FILES_S3_REGION: given(anyText, 'us-east-1', 'Region of the bucket, as the store calls it'),
  FILES_S3_ACCESS_KEY: optional(anyText, 'Key of the bucket and its secret; or FILES_S3_KEYS_FILE'),
  FILES_S3_SECRET_KEY: optional(anyText, 'Belongs to FILES_S3_ACCESS_KEY'),
  FILES_S3_KEYS_FILE: optional(
    folder,
    'File with the key on its first and the secret on its second line, instead of the two before',
  ),
  FILES_S3_PATH_STYLE: given(onOff, 'on', '`off` where the bucket belongs into the name of the host'),
  FILES_PLACE: optional(
    oneOf('folder', 'bucket', 'folder+bucket', 'bucket+folder'),
    'Where new files go; after a `+` the place that is read as well while `npm run move-files` moves them',
    'bucket with FILES_S3_ENDPOINT, otherwise folder',
  ),
  FILES_CACHE_MB: given(
    wholeNumber(64, 1_048_576),
    '4096',
    'Megabytes of copies of the bucket that are kept in FILES_DIR',
  ),
  UPLOAD_LIMIT_MB: given(wholeNumber(1, 102_400), '2048', 'Megabytes that an uploaded scan may have'),
  UPLOADS_OPEN: given(
    wholeNumber(1, 10_000),
    '20',
    'Uploads of scans and photos that one person may have begun and not finished; ' +
      'together they may have twice UPLOAD_LIMIT_MB',
  ),
  WARPER: given(
    oneOf('eigen', 'gdal'),
    'eigen',
    'What lays scans onto the map: the built-in warper, or `gdal` where its programs are in MAP_TOOLS',
  ),
  MAP_TOOLS: given(
    listOf(folder),
    '/usr/bin,/usr/local/bin',
    'Folders in which gdal_translate, gdalwarp (with WARPER=gdal) and pdftoppm (for plans as PDF) are looked for',
  ),
  JOB_MEMORY_MB: given(
    wholeNumber(256, 1_048_576),
    '3072',
    'Memory that one job on a scan may take; it is ended beyond',
  ),
  TILES_TIME_S: given(
    wholeNumber(30, 86_400),
    '600',
    'Seconds that decoding a scan and cutting its tiles may take, on all cores',
  ),
  WARP_TIME_S: given(
    wholeNumber(60, 86_400),
    '3600',
    'Seconds that georeferencing a scan or joining several may take, on all cores',
  ),
  DRAW_MEMORY_MB: given(
    wholeNumber(256, 65_536),
    '2048',
    'Memory that drawing one page of a PDF plan may take; it is ended beyond',
  ),
  DRAW_CPU_S: given(wholeNumber(5, 3_600), '120', 'Seconds of the processor that it may take'),
  DRAW_TIME_S: given(wholeNumber(5, 3_600), '180', 'Seconds that it may take in all'),
  READER_MEMORY_MB: given(
    wholeNumber(128, 65_536),
    '512',
    'Memory that looking at one file from outside may take, or importing it; it is ended beyond',
  ),
  READER_CPU_S: given(wholeNumber(5, 3_600), '60', 'Seconds of the processor that it may take'),
  READER_TIME_S: given(
    wholeNumber(5, 3_600),
    '120',
    'Seconds that it may take in all, the waiting for the database left out',
  ),
  WORK_AT_ONCE: given(
    wholeNumber(1, 64),
    '2',
    'Imports, exports and reports at a time on this server; as many previews and pictures beside them',
  ),
  WORK_PER_PERSON: given(
    wholeNumber(1, 64),
    '1',
    'How many of these one person may have at a time; the others wait',
  ),
  PROJ_GRID_DIR: optional(
    folder,
    'Folder with BETA2007.gsb, without which EPSG 31466 to 31469 are off',
    "the system's proj-data",
  ),

  UPKEEP_EVERY_S: given(
    wholeNumber(1, 86_400),
    '1800',
    'Seconds between two rounds of what is due by the clock: terms that turn, what runs out, what may be deleted',
  ),
  BOOKS_CHECK_AT: given(
    timeOfDay,
    '03:30',
    'Time of the nightly check of the books with every stored document, local time of the server',
  ),
  ANCHOR_FILE: optional(
    folder,
    'File outside the database to which signed heads of the books are appended, ' +
      'best on a disk that only takes additions',
    'DATA_DIR/anker/buecher.jsonl',
  ),
  ANCHOR_KEY_FILE: optional(
    folder,
    'Ed25519 key (PEM) that signs them, the same on every server',
    'DATA_DIR/secrets/anker, generated',
  ),
  ANCHOR_MAIL: optional(
    mailAddress,
    'Address outside the house that gets the head of the books every day; needs SMTP_URL',
  ),
  TIMESTAMP_URL: optional(webAddress, 'Service that stamps the head of the books every day (RFC 3161)'),
  TIMESTAMP_CERTIFICATES: optional(
    folder,
    'Certificates (PEM) that its stamps must come from',
    'those in the stamps themselves',
  ),
  BACKUP_DIR: optional(folder, 'Folder of the scheduled dumps', 'DATA_DIR/sicherungen'),
  BACKUP_AT: given(timeOfDay, '02:30', 'Time of the daily dump, local time of the server'),
  BACKUP_DAILY: given(wholeNumber(1, 366), '7', 'Daily dumps kept'),
  BACKUP_WEEKLY: given(wholeNumber(0, 520), '4', 'Weekly dumps kept'),
  BACKUP: given(onOff, 'on', 'Scheduled dumps; `off` where PostgreSQL is backed up by other means'),
} as const

type Settings = typeof SETTINGS
export type SettingValues = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer T> & { default: string }
    ? T
    : Settings[Name] extends Setting<infer T>
      ? T | undefined
      : never
}

/** Renders the table of README.md. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, setting]: [string, Setting<unknown>]) => {
    const shown = setting.default ?? setting.shownDefault ?? '–'
    return `| \`${name}\` | ${shown} | ${setting.meaning} |`
  })
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}
