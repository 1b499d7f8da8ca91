// From settings to a running server: secrets, database, rooms, and the way back down.
import { join } from 'node:path'
import { ODATA_BASE, TABLE_BASE } from '#contract/program-lists.ts'
import type { AnchorPlaces } from './anchor-check.ts'
import type { AnchorKey } from './anchors.ts'
import type { Authenticate } from './caller.ts'
import { createApp } from './app.ts'
import { createAuditRoom } from './audit/routes.ts'
import { createBestandRoom } from './bestand/routes.ts'
import { browserConfig } from './browser-config.ts'
import type { Config } from './config.ts'
import { createDataApi, type DataApi } from './data-api/data-api.ts'
import { dataApiPlugin } from './data-api/fastify-plugin.ts'
import { createDispatchRoom } from './dispatch/dispatch.ts'
import { createDocumentsRoom } from './documents/documents.ts'
import type { MailboxOptions } from './eingang/mailbox.ts'
import type { RulesOptions } from './eingang/official-rules.ts'
import { createEingangRoom } from './eingang/routes.ts'
import { openBaseMapSource, openFileStore } from './file-store.ts'
import { createArrivals } from './files/arrivals.ts'
import { prepareWayIn } from './first-start.ts'
import { generalApi } from './general-api/general-api.ts'
import { createHabitatFilesRoom } from './habitat/file-routes.ts'
import { createPhotosRoom } from './habitat/photos.ts'
import { createReportsRoom } from './habitat/report-routes.ts'
import { health } from './health.ts'
import { createImportRoom } from './imports/routes.ts'
import type { Alone } from './karten/cleaner.ts'
import { createKartenRoom, uploadQuota } from './karten/karten.ts'
import { createKatasterRoom } from './kataster/routes.ts'
import { keptAnswers } from './kept-answers.ts'
import { readNarrowing } from './narrowing.ts'
import { keepSafe } from './keep-safe.ts'
import { type Listener, listen } from './listener.ts'
import type { Log } from './log.ts'
import { openLookouts } from './lookouts.ts'
import { BaseMapFileStore } from './map-service/base-map-file.ts'
import { createMapServiceRoom } from './map-service/routes.ts'
import { createNotesRoom } from './notes/notes.ts'
import { CHECK_REQUEST } from './nutzer.ts'
import { type OpenedDatabase, openDatabase } from './open-database.ts'
import { createOdataRoom } from './odata/routes.ts'
import { createTableRoom } from './odata/table-routes.ts'
import { createOgcRoom } from './ogc/routes.ts'
import { aloneAmongServers } from './operations/as-owner.ts'
import { writeAboPrices } from './operations/abo-prices.ts'
import { warnOfFormerProvider } from './operations/rebind.ts'
import { readState } from './operations/state.ts'
import { LISTS_FILE, prepare, TEMPLATES, TRIAL_FILES, WEB_FOLDER } from './prepare.ts'
import { collectWhenQuiet } from './quiet-memory.ts'
import { closeReaders } from './reader/confined.ts'
import { noteRefusal } from './refusals.ts'
import { createProgramKeys } from './program-keys/program-keys.ts'
import { createProgramKeyRoom, type Proof } from './program-keys/routes.ts'
import { OGC_BASE } from './refuse.ts'
import { createHouse, type House, openHouse, type Room } from './room.ts'
import { screens } from './screens.ts'
import { createSignInRoom, secretCheck, type SignInRoom } from './sign-in.ts'
import { createSecrets } from './identity/secrets.ts'
import { createVermessungRoom } from './vermessung/routes.ts'
import { welcomeText } from './welcome.ts'
import { stampService } from './stamp-service.ts'
import { createWebhooksRoom } from './webhooks/webhooks.ts'
import { whenCalled } from './when-called.ts'
import { createWorkQueue, sharesOf } from './work-queue.ts'

export interface StartOptions {
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
  /** Aborts the start: what it has opened is closed, and it rejects. */
  readonly signal?: AbortSignal
}

export interface RunningServer {
  /** Printed at the start: the address and how to sign in. */
  readonly welcome: string
  /** No longer ready, but still serving. */
  drain(): void
  /** Returns the names of the steps that did not end in time. */
  stop(): Promise<readonly string[]>
}

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, log, signal } = options
  const graceMs = config.GRACE_S * 1000
  const house = createHouse(log)
  const listener = await listen({ host: config.HOST, port: config.PORT })
  house.addEntrance('requests', (withinMs) => listener.stop(Math.min(graceMs, withinMs)))
  const welcome = await openHouse(house, { graceMs, signal }, () => open(options, listener, house))
  return { welcome, drain: () => listener.drain(), stop: () => house.end(graceMs) }
}

async function open(options: StartOptions, listener: Listener, house: House): Promise<string> {
  const { config, log, now, signal } = options
  const startedAt = now()
  house.add({ name: 'memory', close: collectWhenQuiet() })
  const { secrets, anchorKey } = prepare(config)
  const lookouts = await openLookouts(options, house)
  const opened = lookouts.over(await openGround(options, house, secrets))
  const { database } = opened
  signal?.throwIfAborted()
  await writeAboPrices(opened.asOwner, config)
  const signIn = house.add(await createSignInRoom({ config, database, secrets, log, now }))
  await warnOfFormerProvider(opened.asOwner, config.OIDC_ISSUER, log)
  const wayIn = await prepareWayIn(config, database, signIn.accounts)
  if (wayIn.kind === 'set up by command')
    log.warn('nobody can sign in yet: the command setup-link prints the link for the first administrator')
  signal?.throwIfAborted()
  house.add({ name: 'readers of files', close: closeReaders })
  const baseMapFile = openBaseMapFile(options)
  // A file that cannot be used is said at the start and does not prevent it.
  const baseMapFault = (await baseMapFile?.report())?.fehler ?? null
  const keys = createProgramKeys({
    database,
    tokens: signIn.authenticate,
    failuresPerMinute: config.LOGIN_RATE_PER_MIN,
    now,
    log,
  })
  const { authenticate } = keys
  const ground = { opened, signIn, authenticate, startedAt, anchorKey, baseMapFile, secrets }
  await addRooms(options, house, ground)
  const app = await createApp({
    config,
    log,
    authenticate,
    watches: lookouts.installs,
    installs: [
      (web) => keys.guard(web),
      // Before the rooms, because it listens to their answers.
      (web) => whenCalled(web, `${config.DATA_API_BASE}/rpc`, house.nudges()),
      (web) => house.registerRoutes(web),
    ],
    serverFactory: () => listener.server,
  })
  house.add({ name: 'application', close: () => app.close() })
  signal?.throwIfAborted()
  house.startJobs()
  listener.serve((request, response) => app.routing(request, response))
  return welcomeText(config, wayIn, { engine: database.engine, baseMapFault })
}

function openBaseMapFile({ config, log, now }: StartOptions): BaseMapFileStore | null {
  const { BASEMAP_FILE, BASEMAP_TITLE: title, BASEMAP_ATTRIBUTION: attribution } = config
  if (BASEMAP_FILE === undefined) return null
  return new BaseMapFileStore({
    source: openBaseMapSource({ ...config, BASEMAP_FILE }, log),
    title,
    attribution,
    log,
    now: () => now().getTime(),
  })
}

async function openGround(
  { config, log, now, signal }: StartOptions,
  house: House,
  secrets: readonly string[],
): Promise<OpenedDatabase> {
  const opened = await openDatabase({
    config,
    secrets,
    checkSecret: secretCheck(config, secrets),
    templateArchive: config.trial ? TEMPLATES.trial : TEMPLATES.empty,
    log,
    now,
    ...(signal && { signal }),
  })
  house.addGround('database', (withinMs) => opened.database.close(withinMs))
  return opened
}

interface Ground {
  readonly anchorKey: AnchorKey
  /** Newest first. */
  readonly secrets: readonly string[]
  readonly opened: OpenedDatabase
  readonly signIn: SignInRoom
  /** Of tokens and of keys for programs. */
  readonly authenticate: Authenticate
  readonly startedAt: Date
  readonly baseMapFile: BaseMapFileStore | null
}

/** What most rooms need. */
function sharedOf({ config, log, now }: StartOptions, { opened: { database } }: Ground) {
  const uploadFolder = join(config.FILES_DIR, 'uploads')
  return {
    uploadFolder,
    database,
    log,
    now,
    prefix: config.GENERAL_API_BASE,
    /** For a process that reads a file. */
    limits: {
      memoryBytes: config.READER_MEMORY_MB * 2 ** 20,
      cpuMs: config.READER_CPU_S * 1000,
      wallMs: config.READER_TIME_S * 1000,
    },
    work: createWorkQueue(sharesOf(config.WORK_AT_ONCE, config.WORK_PER_PERSON)),
    arrivals: createArrivals({ uploads: uploadFolder, now }),
    /** Between two rounds of the jobs that a call can wake as well. */
    everyMs: config.MAIL_EVERY_S * 1000,
  }
}

async function addRooms(options: StartOptions, house: House, ground: Ground): Promise<void> {
  const { config, log, now } = options
  const { database, asOwner } = ground.opened
  const shared = sharedOf(options, ground)
  const { uploadFolder } = shared
  const folder = (name: string): string => join(config.DATA_DIR, name)
  const storedFiles = openFileStore(config, log)
  const general = <R extends Room>(room: R): R => house.add(room, config.GENERAL_API_BASE)

  house.add({ name: 'health', routes: async (app) => health(app, database) })
  house.add({ name: 'settings for the browser', routes: async (app) => browserConfig(app, config) })
  const dataApi = await openDataApi(options, ground)
  house.add({ name: 'data API', routes: (app) => dataApiPlugin(app, { dataApi }) })
  const maps = createMapServiceRoom({
    ...shared,
    services: config.KARTENDIENSTE ?? [],
    file: ground.baseMapFile,
  })
  general(createGeneralRoom(options, ground, maps.faults))
  const documents = general(
    createDocumentsRoom({ ...shared, storedFiles, perMinute: config.LOGIN_RATE_PER_MIN }),
  )
  general(
    createDispatchRoom({
      ...shared,
      asOwner,
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
      fetchFiles: documents.fetchFiles,
      origin: config.PUBLIC_ORIGIN,
    }),
  )
  const mail = { asOwner, log, mailbox: mailboxOf(config), everyMs: config.EINGANG_IMAP_EVERY_S * 1000 }
  const rules = rulesOf(config)
  const eingang = general(createEingangRoom({ ...shared, folder: folder('eingang'), mail, rules }))
  const anchors: AnchorPlaces = {
    file: config.ANCHOR_FILE,
    key: ground.anchorKey,
    dumps: config.BACKUP_DIR,
    stamps: stampService(config),
  }
  general(createAuditRoom({ ...shared, make: documents.make, anchors }))
  const { accounts, deviceRequests: devices } = ground.signIn
  const confirm = accounts && ((email: string, proof: Proof) => accounts.confirm(email, proof))
  general(createProgramKeyRoom({ database, now, confirm, devices }))
  general(createKatasterRoom(shared))
  general(maps)
  const probe = config.trial ? TRIAL_FILES : null
  const servers = { asOwner, engine: database.engine }
  const alone: Alone = (lock, work) => aloneAmongServers(servers, lock, work)
  general(await createKartenRoom({ ...shared, alone, fileStore: storedFiles, probe, config }))
  const uploads = { folder: uploadFolder, quota: uploadQuota(config) }
  general(createPhotosRoom({ ...shared, ...uploads, fileStore: storedFiles }))
  general(createNotesRoom({ ...shared, ...uploads, fileStore: storedFiles }))
  const trees = general(createHabitatFilesRoom({ ...shared, folder: folder('habitat') }))
  const { typesetReport: typeset } = documents
  general(createReportsRoom({ ...shared, storedFiles, typeset, folder: folder('berichte') }))
  const survey = general(createVermessungRoom({ ...shared, folder: folder('vermessung') }))
  const stands = general(createBestandRoom({ ...shared, folder: folder('bestand') }))
  const others = [eingang, trees, survey, stands].flatMap((room: Room) => room.imports ?? [])
  general(createImportRoom({ ...shared, folder: folder('importe'), others }))
  addProgramRooms(options, house, ground, { dataApi, shared })
  house.add({ name: 'screens', routes: (app) => screens(app, { config, folder: WEB_FOLDER }) })
  house.add(keepSafe({ config, opened: ground.opened, log, now, anchors }))
}

/** For other programs: events, maps and tables. */
function addProgramRooms(
  { config }: StartOptions,
  house: House,
  ground: Ground,
  { dataApi, shared }: { readonly dataApi: DataApi; readonly shared: ReturnType<typeof sharedOf> },
): void {
  const webhooks = createWebhooksRoom({
    ...shared,
    asOwner: ground.opened.asOwner,
    seal: createSecrets(ground.secrets),
    sending: { allowsPrivate: config.WEBHOOK_PRIVATE, now: shared.now },
    everyMs: config.WEBHOOK_EVERY_S * 1000,
  })
  house.add(webhooks, config.GENERAL_API_BASE)
  house.add(webhooks.feed)
  const readMs = config.READ_TIMEOUT_S * 1000
  const ogcOptions = {
    ...shared,
    origin: config.PUBLIC_ORIGIN,
    readMs,
    folder: join(config.DATA_DIR, 'pakete'),
  }
  const ogc = house.add(createOgcRoom(ogcOptions), OGC_BASE)
  house.add({ name: 'projects of QGIS', routes: ogc.projects }, config.GENERAL_API_BASE)
  const tables = {
    database: shared.database,
    dataApi,
    origin: config.PUBLIC_ORIGIN,
    maxRows: config.MAX_ROWS,
    readMs,
    work: shared.work,
    listsFile: LISTS_FILE,
  }
  house.add(createOdataRoom(tables), ODATA_BASE)
  house.add(createTableRoom(tables), TABLE_BASE)
}

const mailboxOf = ({
  EINGANG_IMAP_URL: url,
  EINGANG_IMAP_FOLDER: folder,
  EINGANG_IMAP_DONE: done,
  EINGANG_IMAP_REFUSED: refused,
}: Config): MailboxOptions | null => (url === undefined ? null : { url, folder, done, refused })

const rulesOf = ({ EINGANG_RULES_DIR: rules, EINGANG_RULES_JAVA: java }: Config): RulesOptions | null =>
  rules === undefined ? null : { folder: rules, java }

async function openDataApi(
  { config, log }: StartOptions,
  { opened, authenticate }: Ground,
): Promise<DataApi> {
  const dataApi = createDataApi({
    database: opened.database,
    schemas: ['app'],
    base: config.DATA_API_BASE,
    role: 'nutzer',
    otherRoles: ['programm'],
    authenticate,
    preRequest: CHECK_REQUEST,
    noteRefusal,
    keptAnswers,
    narrowing: await readNarrowing(opened.database),
    limits: {
      maxRows: config.MAX_ROWS,
      bodyBytes: config.BODY_LIMIT,
      readMs: config.READ_TIMEOUT_S * 1000,
      ...(config.DATA_API_AGGREGATES ? {} : { aggregates: 0 }),
    },
    corsOrigins: config.DATA_API_ORIGINS ?? [],
    openApi: { mode: config.DATA_API_OPENAPI, origin: config.PUBLIC_ORIGIN },
    plans: config.DATA_API_PLANS,
    txEnd: config.DATA_API_TX_END,
    // Procedures decide by today's date, which no caller may move.
    timezones: 'reads',
    serverTiming: config.DATA_API_TIMING,
    log,
  })
  await dataApi.ready()
  return dataApi
}

const createGeneralRoom = (
  { config, log }: StartOptions,
  { opened: { database, asOwner }, startedAt, baseMapFile }: Ground,
  mapFaults: () => string[],
): Room => ({
  name: 'general API',
  routes: (app) =>
    generalApi(app, {
      database,
      readOperatingState: async () => ({
        ...(await readState({ asOwner, folder: config.BACKUP_DIR, startedAt })),
        sicherung_geplant: config.BACKUP,
        grundkarte: (await baseMapFile?.report()) ?? null,
        kartendienste: mapFaults(),
      }),
      demoEndpoints: config.DEMO_ENDPOINTS,
      log,
    }),
})
