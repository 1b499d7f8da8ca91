// From settings to a running server: secrets, database, rooms, and the way back down.
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, type Install } from './app.ts'
import { browserConfig } from './browser-config.ts'
import type { Config } from './config.ts'
import { createDataApi } from './data-api/data-api.ts'
import { dataApiPlugin } from './data-api/fastify-plugin.ts'
import { type Store, createStore } from './documents/store.ts'
import { acceptance } from './documents/acceptance.ts'
import { createReportTypesetter } from './documents/report.ts'
import { createRenderer } from './documents/renderer.ts'
import { documents } from './documents/routes.ts'
import { startDocumentWorkshop } from './documents/workshop.ts'
import { createEnding, type Ending } from './ending.ts'
import { openFileStore } from './file-store.ts'
import { prepareWayIn } from './first-start.ts'
import { generalApi } from './general-api/general-api.ts'
import { habitatbilder } from './habitat/photos.ts'
import { health } from './health.ts'
import { type Karten, startKarten, uploadQuota } from './karten/karten.ts'
import { mapService } from './map-service/routes.ts'
import { kataster } from './kataster/routes.ts'
import { keepSafe } from './keep-safe.ts'
import { type Listener, listen } from './listener.ts'
import type { Log } from './log.ts'
import { CHECK_REQUEST } from './nutzer.ts'
import { type OpenedDatabase, openDatabase } from './open-database.ts'
import { writeAboPrices } from './operations/abo-prices.ts'
import { warnOfFormerProvider } from './operations/rebind.ts'
import { readState } from './operations/state.ts'
import { prepare, TEMPLATES, TRIAL_FILES, WEB_FOLDER } from './prepare.ts'
import { pruefung } from './audit/routes.ts'
import { closeReaders } from './reader/confined.ts'
import { noteRefusal } from './refusals.ts'
import { screens } from './screens.ts'
import { collectWhenQuiet } from './quiet-memory.ts'
import { openSignIn, secretCheck, type SignInParts } from './sign-in-parts.ts'
import { reportRoutes } from './habitat/report-routes.ts'
import { habitatFileRoutes } from './habitat/file-routes.ts'
import { createBestand } from './bestand/routes.ts'
import { createVermessung } from './vermessung/routes.ts'
import { createBelegMailer } from './dispatch/mail.ts'
import { startDispatchPost } from './dispatch/post.ts'
import { dispatchState } from './dispatch/routes.ts'
import { whenCalled } from './when-called.ts'
import { createWorkQueue, sharesOf, type WorkQueue } from './work-queue.ts'
import { welcomeText } from './welcome.ts'

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

/** Added to the grace period, so that there is some time even when it is 0. */
const NOTICE_MS = 250

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, log, signal } = options
  const graceMs = config.GRACE_S * 1000
  const listener = await listen({ host: config.HOST, port: config.PORT })
  const ending = createEnding(log)
  ending.add('requests', 'requests', (withinMs) => listener.stop(Math.min(graceMs, withinMs)))
  const composing = compose(options, listener, ending)
  try {
    const welcome = await unlessAborted(composing, signal)
    return { welcome, drain: () => listener.drain(), stop: () => ending.run(graceMs) }
  } catch (error) {
    // An aborted step of the start gets the grace period to notice: only the step itself can
    // release a lock it holds.
    await Promise.race([
      composing.catch(() => undefined),
      sleep(graceMs + NOTICE_MS, undefined, { ref: false }),
    ])
    await ending.run(graceMs)
    throw error
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  const done = new AbortController()
  const aborted = once(signal, 'abort', { signal: done.signal }).then(() => signal.throwIfAborted())
  aborted.catch(() => undefined)
  try {
    return (await Promise.race([work, aborted])) as T
  } finally {
    done.abort()
  }
}

async function compose(
  { config, log, now, signal }: StartOptions,
  listener: Listener,
  ending: Ending,
): Promise<string> {
  const startedAt = now()
  ending.add('rooms', 'memory', collectWhenQuiet())
  const { secrets } = prepare(config)
  const templateArchive = config.trial ? TEMPLATES.trial : TEMPLATES.empty
  const checkSecret = secretCheck(config, secrets)
  const opened = await openDatabase({
    config,
    secret: secrets[0] ?? '',
    checkSecret,
    templateArchive,
    log,
    now,
    ...(signal && { signal }),
  })
  const { database } = opened
  ending.add('database', 'database', (withinMs) => database.close(withinMs))
  signal?.throwIfAborted()
  await writeAboPrices(opened.asOwner, config)
  const signIn = await openSignIn({ config, database, secrets, log, now })
  ending.add('rooms', 'sign-in', () => signIn.provider?.close())
  await warnOfFormerProvider(opened.asOwner, config.OIDC_ISSUER, log)
  const wayIn = await prepareWayIn(config, database, signIn.provider?.accounts ?? null)
  signal?.throwIfAborted()
  const renderer = createRenderer()
  // In a process of its own: a report of 2,000 trees takes seconds, and invoices must not wait for it.
  const reportRenderer = createRenderer({
    documentsPerWorker: 20,
    timeoutMs: 120_000,
    maxWaiting: 10,
    idleMs: 20_000,
    memoryBytes: 3 * 2 ** 30,
  })
  const fileStore = createStore(database, renderer)
  const workshop = startDocumentWorkshop({ database, fileStore, log, everyMs: config.MAIL_EVERY_S * 1000 })
  const versand = startDispatchPost({
    asOwner: opened.asOwner,
    send: createBelegMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM }),
    fetchFiles: async (art, id) => {
      await fileStore.make(art, id)
      return fileStore.fetchFiles(art, id)
    },
    origin: config.PUBLIC_ORIGIN,
    everyMs: config.MAIL_EVERY_S * 1000,
    log,
  })
  ending.add('rooms', 'documents', () => renderer.close())
  ending.add('rooms', 'reports', () => reportRenderer.close())
  ending.add('requests', 'making of documents', () => workshop.stop())
  ending.add('requests', 'sending of documents', () => versand.stop())
  const storedFiles = openFileStore(config, log)
  const work = createWorkQueue(sharesOf(config.WORK_AT_ONCE, config.WORK_PER_PERSON))
  const limits = {
    memoryBytes: config.READER_MEMORY_MB * 2 ** 20,
    cpuMs: config.READER_CPU_S * 1000,
    wallMs: config.READER_TIME_S * 1000,
  }
  const karten = await startKarten({
    database,
    fileStore: storedFiles,
    authenticate: signIn.authenticate,
    log,
    now,
    prefix: config.GENERAL_API_BASE,
    probe: config.trial ? TRIAL_FILES : null,
    work,
    config,
  })
  ending.add('requests', 'jobs on plans', () => karten.stop())
  const fotos = habitatbilder({
    database,
    authenticate: signIn.authenticate,
    fileStore: storedFiles,
    folder: join(config.FILES_DIR, 'uploads'),
    quota: uploadQuota(config),
    prefix: config.GENERAL_API_BASE,
    log,
    now,
    work,
  })
  const vermessung = createVermessung({
    database,
    authenticate: signIn.authenticate,
    folder: join(config.DATA_DIR, 'vermessung'),
    log,
    now,
    limits,
    work,
  })
  const bestand = createBestand({
    database,
    authenticate: signIn.authenticate,
    folder: join(config.DATA_DIR, 'bestand'),
    log,
    now,
    limits,
    work,
  })
  ending.add('rooms', 'photos', () => fotos.stop())
  ending.add('rooms', 'survey', () => vermessung.close())
  ending.add('rooms', 'stands', () => bestand.close())
  const app = await createApp({
    config,
    log,
    installs: [
      // Before the rooms, because it listens to their answers.
      (web) =>
        whenCalled(web, `${config.DATA_API_BASE}/rpc`, {
          a_issue_invoice: workshop.wake,
          a_issue_offer: workshop.wake,
          a_cancel_invoice: workshop.wake,
          a_add_mahnung: workshop.wake,
          a_send_beleg: versand.wake,
          a_add_karte_auftrag: karten.wake,
          a_retry_karte_kacheln: karten.wake,
          a_delete_karte_datei: karten.wake,
        }),
      async (web) => {
        await web.register(vermessung.routes, { prefix: config.GENERAL_API_BASE })
        await web.register(fotos.install, { prefix: config.GENERAL_API_BASE })
      },
      async (web) => {
        await web.register(
          habitatFileRoutes({
            database,
            authenticate: signIn.authenticate,
            folder: join(config.DATA_DIR, 'habitat'),
            now,
            limits,
            work,
          }),
          { prefix: config.GENERAL_API_BASE },
        )
        await web.register(
          reportRoutes({
            database,
            authenticate: signIn.authenticate,
            storedFiles,
            satz: createReportTypesetter(reportRenderer, log),
            folder: join(config.DATA_DIR, 'berichte'),
            log,
            now,
            work,
          }),
          { prefix: config.GENERAL_API_BASE },
        )
      },
      async (web) => {
        await web.register(bestand.routes, { prefix: config.GENERAL_API_BASE })
      },
      ...(await installsOf({ config, log, now, opened, signIn, startedAt, fileStore, karten, work })),
    ],
    serverFactory: () => listener.server,
  })
  ending.add('rooms', 'application', () => app.close())
  signal?.throwIfAborted()
  const safety = keepSafe({ config, opened, log, now })
  // Nothing waits any more for files that are still being read.
  ending.add('rooms', 'readers of files', () => closeReaders())
  ending.add('requests', 'upkeep and dumps', () => safety.stop())
  listener.serve((request, response) => app.routing(request, response))
  return welcomeText(config, wayIn, database.engine)
}

interface Rooms {
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
  readonly opened: OpenedDatabase
  readonly signIn: SignInParts
  readonly startedAt: Date
  readonly fileStore: Store
  readonly karten: Karten
  readonly work: WorkQueue
}

async function installsOf({
  config,
  log,
  now,
  opened,
  signIn,
  startedAt,
  fileStore,
  karten,
  work,
}: Rooms): Promise<Install[]> {
  const { database, asOwner } = opened
  const { authenticate, provider } = signIn
  const dataApi = createDataApi({
    database,
    schemas: ['app'],
    base: config.DATA_API_BASE,
    role: 'nutzer',
    authenticate,
    preRequest: CHECK_REQUEST,
    noteRefusal,
    limits: { maxRows: config.MAX_ROWS, bodyBytes: config.BODY_LIMIT, readMs: config.READ_TIMEOUT_S * 1000 },
    log,
  })
  await dataApi.ready()
  const general = {
    prefix: config.GENERAL_API_BASE,
    database,
    authenticate,
    readOperatingState: () => readState({ asOwner, folder: config.BACKUP_DIR, startedAt }),
    demoEndpoints: config.DEMO_ENDPOINTS,
    log,
  }
  return [
    (app) => health(app, database),
    (app) => browserConfig(app, config),
    async (app) => {
      await app.register(dataApiPlugin, { dataApi })
    },
    async (app) => {
      await app.register(generalApi, general)
    },
    async (app) => {
      await app.register(documents({ database, authenticate, fileStore, log, work }), {
        prefix: config.GENERAL_API_BASE,
      })
      await app.register(
        acceptance({
          database,
          authenticate,
          fileStore,
          log,
          now,
          perMinute: config.LOGIN_RATE_PER_MIN,
          work,
        }),
        {
          prefix: config.GENERAL_API_BASE,
        },
      )
    },
    async (app) => {
      await app.register(
        dispatchState({
          database,
          authenticate,
          from: config.SMTP_URL === undefined ? undefined : config.MAIL_FROM,
        }),
        {
          prefix: config.GENERAL_API_BASE,
        },
      )
    },
    async (app) => {
      await app.register(pruefung({ database, authenticate, log, make: fileStore.make, work }), {
        prefix: config.GENERAL_API_BASE,
      })
    },
    async (app) => {
      await app.register(kataster({ database, authenticate }), { prefix: config.GENERAL_API_BASE })
    },
    async (app) => {
      await app.register(mapService({ database, authenticate, services: config.KARTENDIENSTE ?? [], log }), {
        prefix: config.GENERAL_API_BASE,
      })
    },
    (app) => karten.install(app),
    (app) => provider?.mount(app, { authenticate, generalApiBase: config.GENERAL_API_BASE }),
    (app) => screens(app, { config, folder: WEB_FOLDER }),
  ]
}
