// Side ways to a document: files, previews, lists for export, deliveries, links; to a plan, a survey and a
// tree: files, tiles, photos, uploads, jobs, imports, exports. Each with every role, for own and foreign
// data: a refusal contains no byte of another customer's data.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Log, silentLog } from '#server/log.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine, asCaller, sql } from '../db/test/engines.ts'
import { FREMD, SHOWN, HIDDEN } from '../db/test/cells/karte.ts'
import { TREE_A1, TREE_A2, TREE_B1, idOf } from '../db/test/cells/habitat.ts'
import { BATCH, EINGANG_OK } from '../db/test/cells/eingang.ts'
import { C, IMPORT_B, IMPORT_C, UUID_A, UUID_B, UUID_C } from '../db/test/cells/vermessung.ts'
import { buildWorld } from '../db/test/nouns.ts'
import { A, B, claimsOf, type IdentityName, ROLE_NAMES } from '../db/test/world.ts'
import { anlagePaths } from '#contract/anlage.ts'
import { musterBeleg } from '#domain/beleg-sample.ts'
import { authenticateByName, refusingServer } from '../db/test/refusing-server.ts'
import { createDataApi } from './data-api/data-api.ts'
import { dataApiPlugin } from './data-api/fastify-plugin.ts'
import { createStore } from './documents/store.ts'
import { acceptanceRoutes } from './documents/acceptance.ts'
import { Pdf } from './documents/pdf.fixture.ts'
import { createRenderer } from './documents/renderer.ts'
import { attachmentRoutes } from './documents/attachments.ts'
import { documentRoutes } from './documents/routes.ts'
import { CHECK_REQUEST } from './nutzer.ts'
import { createTestAnchors } from './anchors.fixture.ts'
import { createAuditRoom } from './audit/routes.ts'
import { createEingangRoom } from './eingang/routes.ts'
import { createSampler } from './karten/sampler.ts'
import { folderStore } from './files/store.ts'
import { runWork } from './karten/run-work.ts'
import { writeCog } from './karten/cog.ts'
import { fileRoutes } from './karten/file-routes.ts'
import { readGrid } from './karten/grid.ts'
import { testPicture } from './karten/test-picture.fixture.ts'
import { scanUpload } from './karten/scan-upload.ts'
import { createKatasterRoom } from './kataster/routes.ts'
import { createPhotosRoom } from './habitat/photos.ts'
import { noteRefusal } from './refusals.ts'
import { createVermessungRoom } from './vermessung/routes.ts'
import { dispatchRoutes } from './dispatch/routes.ts'

const WHO: readonly IdentityName[] = [...ROLE_NAMES, 'unknown', 'nobody', 'disabled', 'session_ended']
const BOOK = ['apus_admin', 'admin']
/** An auditor gets what is issued, of every customer. */
const READS = [...BOOK, 'pruefer']
const OWNERS = ['kundenadmin', 'appuser_admin']
/**
 * The two customers are recognised by the text of their documents: names and numbers that occur nowhere else.
 */
const OWN = 'Eigenwald Morgenroth'
const FOREIGN = 'Fremdforst Zitterpappel'

interface Ids {
  readonly rechnung: number
  readonly angebot: number
  readonly entwurf: number
  /** A file that goes with the invoice, and one with the draft. */
  readonly anlage: number
  readonly draftAnlage: number
  readonly angebotDraft: number
  readonly mahnung: number
  readonly ueberfaellig: number
  readonly code: string
  readonly linkId: number
  readonly nummern: readonly string[]
}
/** A document as the browser calculates it: the body of a request for a draft's preview. */
const TYPED = musterBeleg()
interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly url: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}
type Way = (ids: Ids) => Asked

const rpc =
  (name: string, body: (ids: Ids) => object): Way =>
  (ids) => ({ method: 'POST', url: `/rest/rpc/${name}`, body: body(ids) })
const table =
  (path: string): Way =>
  ({ rechnung, angebot, entwurf, angebotDraft }) => ({
    url: `/rest/${path}`
      .replace('{rechnung}', String(rechnung))
      .replace('{angebot}', String(angebot))
      .replace('{entwurf}', String(entwurf))
      .replace('{angebotEntwurf}', String(angebotDraft)),
  })

/**
 * Which roles get something through each way, for their own customer and for the other one. `form`: a refusal
 * is a status, an empty answer, or a column that the API does not have.
 */
const WAYS: readonly {
  readonly what: string
  readonly way: Way
  readonly own: readonly string[]
  readonly foreign: readonly string[]
  readonly form: 'status' | 'empty' | 'unknown'
}[] = [
  {
    what: 'PDF of an invoice',
    way: ({ rechnung }) => ({ url: `/prod-api/beleg/rechnung/${rechnung}.pdf` }),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'status',
  },
  {
    what: 'XML of an invoice',
    way: ({ rechnung }) => ({ url: `/prod-api/beleg/rechnung/${rechnung}.xml` }),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'status',
  },
  {
    what: 'attachment of an invoice',
    way: ({ rechnung, anlage }) => ({ url: `/prod-api/${anlagePaths.file(rechnung, anlage)}` }),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'status',
  },
  {
    what: 'attachment of a draft',
    way: ({ entwurf, draftAnlage }) => ({ url: `/prod-api/${anlagePaths.file(entwurf, draftAnlage)}` }),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'list of attachments',
    way: rpc('a_get_anlagen', ({ rechnung }) => ({ invoice_id: rechnung })),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'table of attachments',
    way: table('anlage?rechnung_id=eq.{rechnung}&select=name,dateiname'),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'PDF of an offer',
    way: ({ angebot }) => ({ url: `/prod-api/beleg/angebot/${angebot}.pdf` }),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'status',
  },
  {
    what: 'preview of a draft',
    way: ({ entwurf }) => ({ url: `/prod-api/beleg/rechnung/${entwurf}.pdf` }),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'preview of a draft offer',
    way: ({ angebotDraft }) => ({ url: `/prod-api/beleg/angebot/${angebotDraft}.pdf` }),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'PDF of a reminder',
    way: ({ mahnung }) => ({ url: `/prod-api/beleg/mahnung/${mahnung}.pdf` }),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'status',
  },
  {
    what: 'preview of what is typed into a draft',
    way: ({ entwurf }) => ({
      method: 'POST',
      url: `/prod-api/beleg/vorschau/rechnung/${entwurf}.pdf`,
      body: TYPED,
    }),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'preview of what is typed into a draft offer',
    way: ({ angebotDraft }) => ({
      method: 'POST',
      url: `/prod-api/beleg/vorschau/angebot/${angebotDraft}.pdf`,
      body: TYPED,
    }),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'preview of a reminder',
    way: ({ ueberfaellig }) => ({
      method: 'POST',
      url: '/prod-api/beleg/vorschau/mahnung.pdf',
      body: { rechnung_id: ueberfaellig, stufe: 1, text: 'Bitte zahlen Sie {betrag}.' },
    }),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'the frozen invoice',
    way: rpc('a_get_beleg', ({ rechnung }) => ({ art: 'rechnung', id: rechnung })),
    own: READS,
    foreign: READS,
    form: 'status',
  },
  {
    what: 'the draft',
    way: rpc('a_get_beleg', ({ entwurf }) => ({ art: 'rechnung', id: entwurf })),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'the offer for its customer',
    way: rpc('__o_get_angebot', ({ angebot }) => ({ offer_id: angebot })),
    own: OWNERS,
    foreign: [],
    form: 'status',
  },
  {
    what: 'the draft offer for its customer',
    way: rpc('__o_get_angebot', ({ angebotDraft }) => ({ offer_id: angebotDraft })),
    own: [],
    foreign: [],
    form: 'status',
  },
  {
    what: 'links of an offer',
    way: rpc('a_get_annahme_links', ({ angebot }) => ({ offer_id: angebot })),
    own: BOOK,
    foreign: BOOK,
    form: 'status',
  },
  {
    what: 'deliveries',
    way: rpc('a_get_versand', ({ rechnung }) => ({ art: 'rechnung', id: rechnung })),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'details of an invoice',
    way: rpc('a_get_invoice_details', ({ rechnung }) => ({ invoice_id: rechnung })),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'details of an offer',
    way: rpc('a_get_offer_details', ({ angebot }) => ({ offer_id: angebot })),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'the audit chain',
    way: rpc('a_get_protokoll', ({ rechnung }) => ({ art: 'rechnung', id: rechnung })),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'export of invoices',
    way: table('rechnung_liste?id=eq.{rechnung}'),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'export of offers',
    way: table('angebot_liste?id=eq.{angebot}'),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'the frozen document as a column',
    way: table('rechnung?select=beleg&id=eq.{rechnung}'),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'lines',
    way: table('position?rechnung_id=eq.{rechnung}'),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'the queue of mails',
    way: table('versand?rechnung_id=eq.{rechnung}'),
    own: READS,
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'rows of files',
    way: table('dokument?select=id,dateiname,sha256&rechnung_id=eq.{rechnung}'),
    own: [...READS, ...OWNERS],
    foreign: READS,
    form: 'empty',
  },
  {
    what: 'bytes of files',
    way: table('dokument?select=inhalt&rechnung_id=eq.{rechnung}'),
    own: [],
    foreign: [],
    form: 'unknown',
  },
  {
    what: 'rows of links',
    way: table('annahme_link?select=id,empfaenger&angebot_id=eq.{angebot}'),
    own: BOOK,
    foreign: BOOK,
    form: 'empty',
  },
  {
    what: 'hashes of links',
    way: table('annahme_link?select=code_hash&angebot_id=eq.{angebot}'),
    own: [],
    foreign: [],
    form: 'unknown',
  },
]

const STAFF = ['apus_team', 'apus_admin', 'admin']
const OF_CUSTOMER = ['appuser', 'appuser_admin']
const TUS = {
  'tus-resumable': '1.0.0',
  'upload-length': '5',
  'upload-metadata': `filename ${btoa('Blatt.jpg')}`,
}
/** A plan, its scan and the job that cuts it have the same number, a result has ten more. */
const PLAN_WAYS: readonly {
  readonly what: string
  readonly way: (plan: number) => Asked
  readonly customer: boolean
}[] = [
  { what: 'a scan', way: (plan) => ({ url: `/prod-api/karte/${plan}/datei/${plan}` }), customer: true },
  {
    what: 'a part of a scan',
    way: (plan) => ({ url: `/prod-api/karte/${plan}/datei/${plan}`, headers: { range: 'bytes=0-9' } }),
    customer: true,
  },
  {
    what: 'its thumbnail',
    way: (plan) => ({ url: `/prod-api/karte/${plan}/vorschau/${plan}` }),
    customer: true,
  },
  {
    what: 'a tile of it',
    way: (plan) => ({ url: `/prod-api/karte/${plan}/kachel/${plan}/0/0/0` }),
    customer: true,
  },
  {
    what: 'a result on the map',
    way: (plan) => ({ url: `/prod-api/karte/${plan}/auflage/${plan + 10}/0/0/0` }),
    customer: true,
  },
  {
    what: 'an upload',
    way: (plan) => ({ method: 'POST', url: `/prod-api/karte/${plan}/upload`, headers: TUS }),
    customer: false,
  },
  {
    what: 'a job',
    way: (plan) => ({ method: 'POST', url: '/rest/rpc/a_cancel_karte_auftrag', body: { id: plan } }),
    customer: false,
  },
]
const OBJECT_OF: Readonly<Record<number, string>> = { [A]: UUID_A, [B]: UUID_B, [C]: UUID_C }
/** With the number of the customer and of their import. */
const SURVEY_WAYS: readonly {
  readonly what: string
  readonly way: (kunde: number, run: number) => Asked
  readonly customer: boolean
}[] = [
  {
    what: 'a tile of the survey',
    way: (kunde) => ({ url: `/prod-api/kataster/${kunde}/kachel/0/0/0.mvt` }),
    customer: true,
  },
  {
    what: 'the survey as a file',
    way: (kunde) => ({ url: `/prod-api/vermessung/${kunde}/export/kataster.geojson` }),
    customer: true,
  },
  ...['original', 'klein'].map((size) => ({
    what: `a photo of an object, ${size}`,
    // Numbered by the customer (db/test/cells/vermessung.ts).
    way: (kunde: number) => ({ url: `/prod-api/vermessungsbilder/${kunde}/${size}` }),
    customer: true,
  })),
  {
    what: 'an upload of a photo of an object',
    way: (kunde) => ({
      method: 'POST',
      url: `/prod-api/vermessungsobjekt/schacht/${OBJECT_OF[kunde]}/bild/${idOf(500)}/upload`,
      headers: TUS,
    }),
    customer: false,
  },
  { what: 'an import', way: (_, run) => ({ url: `/prod-api/vermessung/import/${run}` }), customer: false },
]

const FORESTERS = ['ogf_standard', 'ogf_fb_admin', 'multiple_fb']
const FOREST_STAFF = ['ogf_team', 'ogf_admin', 'admin']
const FOREST_ADMINS = ['ogf_admin', 'admin']
/**
 * A tree and its photo have the same number. `writes`: only foresters and admins may
 * upload; the others may read.
 */
const PHOTO_WAYS: readonly {
  readonly what: string
  readonly way: (tree: number) => Asked
  readonly writes: boolean
}[] = [
  ...['original', 'klein', 'mittel', 'gross'].map((size) => ({
    what: `a photo, ${size}`,
    way: (tree: number) => ({ url: `/prod-api/habitatbilder/${tree}/${size}` }),
    writes: false,
  })),
  {
    what: 'a part of a photo',
    way: (tree) => ({ url: `/prod-api/habitatbilder/${tree}/original`, headers: { range: 'bytes=0-9' } }),
    writes: false,
  },
  {
    what: 'an upload of a photo',
    way: (tree) => ({
      method: 'POST',
      url: `/prod-api/habitatbaum/${idOf(tree)}/bild/${idOf(500)}/upload`,
      headers: TUS,
    }),
    writes: true,
  },
  {
    what: 'word that a photo is there',
    way: (tree) => ({
      method: 'POST',
      url: `/prod-api/habitatbaum/${idOf(tree)}/bild/${idOf(tree + 40)}/upload`,
      headers: TUS,
    }),
    writes: true,
  },
]

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`side ways on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    let own: Ids
    let foreign: Ids
    let folder: string
    const anchors = createTestAnchors()
    let closeSurvey: () => Promise<void>
    let closePhotos: () => Promise<void>
    const logged: string[] = []
    const noted: Log = {
      info: (message, facts) => void logged.push(JSON.stringify({ message, facts })),
      warn: (message, facts) => void logged.push(JSON.stringify({ message, facts })),
      error: (message, facts) => void logged.push(JSON.stringify({ message, facts })),
    }
    const renderer = createRenderer()
    let now = new Date('2026-11-21T12:00:00Z')

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const [ownOld, foreignOld] = [await remindFor(A, OWN), await remindFor(B, FOREIGN)]
      own = await issueFor(A, OWN, ownOld)
      foreign = await issueFor(B, FOREIGN, foreignOld)
      const fileStore = createStore(engine.api, renderer)
      app = refusingServer()
      const dataApi = createDataApi({
        database: engine.api,
        schemas: ['app'],
        base: '/rest',
        role: 'nutzer',
        authenticate: authenticateByName,
        preRequest: CHECK_REQUEST,
        noteRefusal,
        limits: { maxRows: 10_000, bodyBytes: 1_000_000 },
        log: silentLog,
      })
      await dataApi.ready()
      await app.register(dataApiPlugin, { dataApi })
      await app.register(documentRoutes({ database: engine.api, fileStore, log: noted }), {
        prefix: '/prod-api',
      })
      await app.register(
        acceptanceRoutes({
          database: engine.api,
          fileStore,
          log: noted,
          now: () => now,
          perMinute: 15,
        }),
        {
          prefix: '/prod-api',
        },
      )
      await app.register(dispatchRoutes({ database: engine.api, from: 'Büro <buero@forst.example>' }), {
        prefix: '/prod-api',
      })
      await app.register(
        createAuditRoom({
          database: engine.api,
          log: noted,
          make: fileStore.make,
          anchors,
          now: () => new Date(),
        }).routes,
        {
          prefix: '/prod-api',
        },
      )
      await registerMaps()
      await app.register(
        createEingangRoom({ database: engine.api, folder: join(folder, 'eingang'), now: () => new Date() })
          .routes!,
        { prefix: '/prod-api' },
      )
      await app.listen({ port: 0, host: '127.0.0.1' })
    }, 240_000)
    afterAll(async () => {
      await closeSurvey?.()
      await closePhotos?.()
      await app?.close()
      rmSync(folder, { recursive: true, force: true })
      anchors.remove()
      await renderer.close()
      await engine?.close()
    })

    /** The database names the plans' files by number: the same small sheet is stored under each name. */
    async function registerMaps(): Promise<void> {
      folder = mkdtempSync(join(tmpdir(), 'seitenwege-'))
      await app.register(attachmentRoutes({ database: engine.api, storedFiles: folderStore(folder) }), {
        prefix: '/prod-api',
      })
      const sheet = join(folder, 'blatt.tif')
      const raster = { west: 412_000, nord: 5_987_000, aufloesung: 1, breite: 160, hoehe: 120 }
      const draw = createSampler(
        testPicture(),
        (east, north) => [east - raster.west, raster.nord - north],
        raster,
        'near',
      )
      await writeCog(draw, { raster, epsg: 25833, channels: 1, kompression: 'DEFLATE', path: sheet })
      const bytes = readFileSync(sheet)
      mkdirSync(join(folder, '00'))
      for (const plan of [SHOWN, HIDDEN, FREMD])
        for (const number of [plan, plan + 10, plan + 30])
          writeFileSync(join(folder, '00', String(number).padStart(64, '0')), bytes)
      const common = { database: engine.api, log: silentLog, now: () => now }
      const fileStore = folderStore(folder)
      const prefix = '/prod-api'
      const uploads = scanUpload({
        ...common,
        fileStore,
        runWork,
        folder: join(folder, 'uploads'),
        prefix,
        maxBytes: 1000,
        pdftoppm: null,
        wake: () => undefined,
      })
      const survey = createVermessungRoom({ ...common, folder: join(folder, 'vermessung') })
      closeSurvey = survey.close
      await app.register(fileRoutes({ ...common, fileStore, grid: await readGrid(undefined) }), { prefix })
      await app.register(uploads.install, { prefix })
      await app.register(createKatasterRoom(common).routes, { prefix })
      await registerPhotos({ ...common, fileStore, folder: join(folder, 'uploads'), prefix })
      await app.register(survey.routes, { prefix })
    }

    /** Every photo in the database has the same few bytes, in each size. */
    async function registerPhotos(options: Parameters<typeof createPhotosRoom>[0]): Promise<void> {
      const name = 'f'.repeat(64)
      mkdirSync(join(folder, 'ff'))
      writeFileSync(join(folder, 'ff', name), 'bytes of a photo')
      const set = ['sha256', 'klein', 'mittel', 'gross'].map((column) => `${column} = '${name}'`).join(', ')
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.habitatbilder set ${set};
         update app.vermessungsbilder set ${set}; commit`,
      )
      const photos = createPhotosRoom(options)
      closePhotos = photos.close
      await app.register(photos.routes, { prefix: options.prefix })
    }

    async function value<T>(text: string, ...values: unknown[]): Promise<T> {
      const { rows } = await engine.api.once<Record<string, unknown>>(
        asCaller(claimsOf('apus_admin')),
        sql(`select ${text}`, ...values),
      )
      return Object.values(rows[0]!)[0] as T
    }
    /**
     * Two overdue invoices, created before anything is issued today: one has a
     * reminder, the other does not yet.
     */
    async function remindFor(client: number, name: string): Promise<Pick<Ids, 'mahnung' | 'ueberfaellig'>> {
      await engine.owner.query('update app.kunde set name = $1 where client_id = $2', [name, client])
      const overdue = async () => {
        const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', client, '2026-02-02'))
        const lines = JSON.stringify([{ bez: `Gräben für ${name}`, anzahl: '1', einheit: 'h', ep: '80' }])
        await value('app.a_save_positions($1::jsonb, $2)', lines, id)
        await value('nummer from app.a_issue_invoice($1)', id)
        return id
      }
      const [reminded, isOverdue] = [await overdue(), await overdue()]
      return {
        ueberfaellig: isOverdue,
        mahnung: Number(
          await value(`app.a_add_mahnung($1, 1, text => 'Bitte zahlen Sie {betrag}.')`, reminded),
        ),
      }
    }
    async function issueFor(
      client: number,
      name: string,
      { mahnung, ueberfaellig }: Awaited<ReturnType<typeof remindFor>>,
    ): Promise<Ids> {
      const lines = JSON.stringify([
        { bez: `Vermessung für ${name}`, anzahl: '2', einheit: 'h', ep: '80' },
        { art: 'optional', bez: 'Luftbild', anzahl: '1', einheit: 'psch', ep: '30' },
      ])
      const invoice = async () => {
        const id = Number(await value('app.a_add_invoice($1, null, $2, 19)', client, '2026-01-31'))
        await value('app.a_save_positions($1::jsonb, $2)', lines.replace('"optional"', '"position"'), id)
        return id
      }
      const offer = async () => {
        const id = Number(await value('app.a_add_offer($1, null, 19)', client))
        await value('app.a_save_positions($1::jsonb, null, $2)', lines, id)
        return id
      }
      const [rechnung, draft, angebot, angebotDraft] = [
        await invoice(),
        await invoice(),
        await offer(),
        await offer(),
      ]
      const attach = async (id: number) => {
        const { rows } = await engine.owner.query<{ id: number }>(
          `insert into app.anlage (client_id, rechnung_id, name, dateiname, mime, inhalt)
            values ($1, $2, $3, 'Schein.csv', 'text/csv', convert_to($3, 'UTF8')) returning id`,
          [client, id, `Lieferschein für ${name}`],
        )
        return Number(rows[0]!.id)
      }
      const [anlage, draftAnlage] = [await attach(rechnung), await attach(draft)]
      const rn = await value<string>('nummer from app.a_issue_invoice($1)', rechnung)
      const an = await value<string>('nummer from app.a_issue_offer($1)', angebot)
      await value(
        `app.a_send_beleg('rechnung', $1, 'post@kunde.example', $2, 'Anbei')`,
        rechnung,
        `Rechnung ${rn} ${name}`,
      )
      const { rows } = await engine.api.once<{ id: number; code: string }>(
        asCaller(claimsOf('apus_admin')),
        sql(`select id::int, code from app.a_add_annahme_link($1, $2)`, angebot, name),
      )
      return {
        rechnung,
        entwurf: draft,
        anlage,
        draftAnlage,
        angebot,
        angebotDraft,
        mahnung,
        ueberfaellig,
        code: rows[0]!.code,
        linkId: rows[0]!.id,
        nummern: [rn, an],
      }
    }

    const go = async (name: IdentityName | null, way: Asked): Promise<{ status: number; bytes: Buffer }> => {
      const { port } = app.server.address() as { port: number }
      const answer = await fetch(`http://127.0.0.1:${port}${way.url}`, {
        method: way.method ?? 'GET',
        headers: {
          ...(name !== null && { authorization: `Bearer token-${name}` }),
          ...(way.body && { 'content-type': 'application/json' }),
          ...way.headers,
        },
        ...(way.body && { body: JSON.stringify(way.body) }),
      })
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    /** All text that an answer contains, including the text of a PDF. */
    const textOf = (bytes: Buffer): string => {
      if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return bytes.toString('utf8')
      const pdf = new Pdf(bytes)
      return [
        pdf.text(),
        bytes.toString('latin1'),
        ...pdf.attachments().map((file) => file.bytes.toString('utf8')),
      ].join('\n')
    }
    const traces = (text: string, name: string, { nummern }: Ids): string[] =>
      [name, ...nummern].filter((trace) => text.includes(trace))

    describe.each(WAYS)('$what', ({ way, own: mayOwn, foreign: mayForeign, form }) => {
      test.each(WHO)('as %s', async (name) => {
        for (const [target, other, may] of [
          [own, foreign, mayOwn],
          [foreign, own, mayForeign],
        ] as const) {
          const { status, bytes } = await go(name, way(target))
          const [name_, otherName] = target === own ? [OWN, FOREIGN] : [FOREIGN, OWN]
          const text = textOf(bytes)
          // An answer about one customer contains nothing of the other.
          expect(traces(text, otherName, other)).toEqual([])
          if (may.includes(name)) {
            expect(status).toBe(200)
            expect(bytes.length).toBeGreaterThan(2)
            expect(text).not.toBe('[]')
          } else {
            expect(traces(text, name_, target)).toEqual([])
            if (form === 'unknown') expect(status).toBe(name === 'nobody' ? 401 : 400)
            else if (['nobody', 'disabled', 'session_ended'].includes(name)) expect(status).toBe(401)
            else if (form === 'status' || (status !== 200 && status !== 403))
              expect([403, 404]).toContain(status)
            else expect([status, text]).toEqual(status === 200 ? [200, '[]'] : [403, text])
          }
        }
      })
    })

    const lost = ['nobody', 'disabled', 'session_ended']
    /**
     * Either succeeds, or is refused as if the target did not exist: by the status, and without a byte beyond
     * the refusal's own sentence.
     */
    async function isGiven(name: IdentityName, asked: Asked, may: boolean): Promise<void> {
      const { status, bytes } = await go(name, asked)
      const said = `${name} ${asked.url}: ${status}`
      if (may) return expect(status, said).toBeLessThan(300)
      if (lost.includes(name)) expect(status, said).toBe(401)
      else expect([403, 404], said).toContain(status)
      expect(Object.keys(JSON.parse(bytes.toString('utf8')) as object), said).toEqual(
        expect.arrayContaining(['code', 'message']),
      )
    }
    test.each(PLAN_WAYS)('of a plan: $what', async ({ way, customer }) => {
      for (const name of WHO) {
        await isGiven(name, way(SHOWN), STAFF.includes(name) || (customer && OF_CUSTOMER.includes(name)))
        for (const plan of [HIDDEN, FREMD]) await isGiven(name, way(plan), STAFF.includes(name))
      }
    })
    test('of a plan: a file of another one is not found under one’s own', async () => {
      for (const name of ['appuser', 'appuser_admin', 'apus_team'] as const)
        for (const [what, rest] of [
          ['datei', ''],
          ['vorschau', ''],
          ['kachel', '/0/0/0'],
          ['auflage', '/0/0/0'],
        ])
          expect((await go(name, { url: `/prod-api/karte/${SHOWN}/${what}/${FREMD}${rest}` })).status).toBe(
            404,
          )
    })
    test.each(SURVEY_WAYS)('of a survey: $what', async ({ way, customer }) => {
      for (const name of WHO) {
        await isGiven(
          name,
          way(C, IMPORT_C),
          STAFF.includes(name) || (customer && OF_CUSTOMER.includes(name)),
        )
        await isGiven(name, way(B, IMPORT_B), STAFF.includes(name))
      }
    })

    test.each(PHOTO_WAYS)('of a tree: $what', async ({ way, writes }) => {
      for (const name of WHO) {
        await isGiven(
          name,
          way(TREE_A1),
          [...FORESTERS, ...(writes ? FOREST_ADMINS : [...FOREST_STAFF, 'kundenadmin'])].includes(name),
        )
        await isGiven(
          name,
          way(TREE_A2),
          (writes ? FOREST_ADMINS : [...FOREST_STAFF, 'kundenadmin']).includes(name),
        )
        await isGiven(name, way(TREE_B1), (writes ? FOREST_ADMINS : FOREST_STAFF).includes(name))
      }
    })

    test.each([
      ['the archive for the auditor', '/prod-api/pruefung/2026-01-01_2026-12-31.zip', READS],
      ['the pictures of a batch', '/prod-api/pruefung/datev/{batch}.zip', READS],
      ['the anchors of the books', '/prod-api/pruefung/anker', READS],
      ['how mails are sent', '/prod-api/versand/lage', BOOK],
    ] as const)('%s is given to those of the books alone', async (_what, url, given) => {
      const { rows } = await engine.owner.query<{ nr: number }>(`select (${BATCH}) as nr`)
      const batch = rows[0]!.nr
      for (const name of WHO) {
        const { status, bytes } = await go(name, { url: url.replace('{batch}', String(batch)) })
        const unknown = ['nobody', 'disabled', 'session_ended'].includes(name)
        expect([name, status]).toEqual([name, given.includes(name) ? 200 : unknown ? 401 : 403])
        if (given.includes(name)) continue
        const text = bytes.toString('latin1')
        expect(text.startsWith('PK'), name).toBe(false)
        expect(text, name).not.toContain('buero@')
        expect([...traces(text, OWN, own), ...traces(text, FOREIGN, foreign)], name).toEqual([])
      }
    })

    test('received invoices are handed out to those of the books, and taken in from those who keep them', async () => {
      for (const name of WHO) {
        const unknown = ['nobody', 'disabled', 'session_ended'].includes(name)
        const refused = (status: number) => (unknown ? 401 : status)
        const file = await go(name, { url: `/prod-api/eingang/${EINGANG_OK}/datei` })
        expect([name, file.status]).toEqual([name, READS.includes(name) ? 200 : refused(404)])
        expect([name, file.bytes.toString('utf8') === 'gut']).toEqual([name, READS.includes(name)])
        // Its bytes are no invoice, which only those learn who may see it.
        const inside = await go(name, { url: `/prod-api/eingang/${EINGANG_OK}/anlage/1` })
        expect([name, inside.status]).toEqual([name, READS.includes(name) ? 400 : refused(404)])
        const other = await go(name, { url: '/prod-api/eingang/999/datei' })
        expect([name, other.status]).toEqual([name, refused(404)])
        const { port } = app.server.address() as { port: number }
        const sent = await fetch(`http://127.0.0.1:${port}/prod-api/eingang/upload?name=a.pdf`, {
          method: 'POST',
          headers: { authorization: `Bearer token-${name}`, 'content-type': 'application/octet-stream' },
          body: `%PDF-1.7\n% ${name}\n%%EOF`,
        })
        await sent.arrayBuffer()
        expect([name, sent.status]).toEqual([name, BOOK.includes(name) ? 200 : refused(403)])
      }
    })

    test('the list of documents holds one’s own customer’s alone', async () => {
      for (const name of WHO) {
        const { status, bytes } = await go(name, {
          method: 'POST',
          url: '/rest/rpc/__o_get_dokumente',
          body: {},
        })
        const text = bytes.toString('utf8')
        expect(traces(text, FOREIGN, foreign), name).toEqual([])
        expect(traces(text, OWN, own).length > 0, name).toBe(OWNERS.includes(name))
        expect(text, name).not.toContain('"entwurf"')
        expect(status, name).toBe(['nobody', 'disabled', 'session_ended'].includes(name) ? 401 : 200)
      }
    })

    describe('a one-time link', () => {
      const post = (
        what: string,
        body: object | string,
        address = '192.0.2.1',
        more: Record<string, string> = {},
      ): Promise<LightMyRequestResponse> =>
        app.inject({
          method: 'POST',
          url: `/prod-api/annahme/${what}`,
          remoteAddress: address,
          headers: { 'content-type': 'application/json', ...more },
          payload: typeof body === 'string' ? body : JSON.stringify(body),
        })
      const minute = () => {
        now = new Date(now.getTime() + 60_000)
      }

      test('shows and hands out its own offer and nothing else', async () => {
        minute()
        const seen = await post('ansehen', { code: foreign.code })
        expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'no-store'])
        expect(seen.json()).toMatchObject({
          code: 20_000,
          data: {
            stand: 'offen',
            empfaenger: FOREIGN,
            angebot: { nummer: foreign.nummern[1], kunde: FOREIGN },
          },
        })
        expect(seen.body).not.toMatch(/angebot_id|code_hash|client_id|iban/)
        expect(traces(seen.body, OWN, own)).toEqual([])
        const pdf = await post('pdf', { code: foreign.code })
        expect([pdf.statusCode, pdf.headers['content-type'], pdf.headers['cache-control']]).toEqual([
          200,
          'application/pdf',
          'no-store',
        ])
        const text = textOf(pdf.rawPayload)
        expect(traces(text, OWN, own)).toEqual([])
        expect(text).toContain(foreign.nummern[1])
        // The same bytes that its customer's admin gets.
        const office = await go('apus_admin', { url: `/prod-api/beleg/angebot/${foreign.angebot}.pdf` })
        expect(pdf.rawPayload.equals(office.bytes)).toBe(true)
      })
      test('what is no code says the same whatever it is, and hands nothing out', async () => {
        minute()
        const guesses: unknown[] = [
          '',
          'x',
          `${own.code}x`,
          own.code.slice(1),
          own.code.toLowerCase(),
          null,
          17,
          { $ne: '' },
          [own.code],
          '%',
          'a'.repeat(5000),
        ]
        const answers = await Promise.all(
          guesses.map((code, nr) => post('ansehen', { code }, `198.51.100.${nr}`)),
        )
        for (const answer of answers)
          expect([answer.statusCode, answer.body]).toEqual([
            200,
            '{"code":20000,"message":"ok","data":{"stand":"unbekannt"}}',
          ])
        const pdf = await post('pdf', { code: 'x' })
        expect([pdf.statusCode, pdf.json()]).toEqual([
          404,
          { code: 'not_found', message: 'Dieser Link gilt nicht mehr.' },
        ])
        const decided = await post('entscheiden', { code: 'x', angenommen: true, name: 'A' })
        expect(decided.json()).toEqual({
          code: 20_000,
          message: 'ok',
          data: { stand: 'unbekannt', entschieden: false },
        })
        for (const body of ['{', '"x"', '[]', 'null', '1'])
          expect((await post('ansehen', body, '203.0.113.9')).body, body).not.toContain(own.code)
      })
      test('is not opened by an address, nor by another method', async () => {
        for (const url of [
          `/prod-api/annahme/ansehen?code=${own.code}`,
          `/prod-api/annahme/${own.code}`,
          `/prod-api/annahme/pdf?code=${own.code}`,
        ])
          expect((await app.inject({ url })).statusCode).toBe(404)
        minute()
        const asked = await app.inject({
          method: 'POST',
          url: `/prod-api/annahme/ansehen?code=${own.code}`,
          headers: { 'content-type': 'application/json' },
          payload: '{}',
        })
        expect(asked.json()).toMatchObject({ data: { stand: 'unbekannt' } })
      })
      test('does not lend its holder any right of the data API', async () => {
        for (const path of ['/rest/rpc/view_acceptance', '/rest/rpc/decide_acceptance'])
          expect(
            (await go('kundenadmin', { method: 'POST', url: path, body: { code_hash: 'x' } })).status,
          ).toBe(404)
      })
      test('waits when one network asks too often, and lets others through', async () => {
        minute()
        const all = await Promise.all(
          Array.from({ length: 18 }, () => post('ansehen', { code: 'x' }, '203.0.113.5')),
        )
        expect(all.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3)
        const late = all.find(({ statusCode }) => statusCode === 429)!
        expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
        expect(late.json()).toMatchObject({ code: 'too_many_requests' })
        expect((await post('ansehen', { code: own.code }, '203.0.113.6')).json()).toMatchObject({
          data: { stand: 'offen' },
        })
      })
      test.each([
        ['no yes or no', { name: 'A' }, 'Bitte wählen Sie'],
        ['a yes in words', { angenommen: 'ja', name: 'A' }, 'Bitte wählen Sie'],
        ['no name', { angenommen: true, name: '  ' }, 'Ihren Namen'],
        ['a name in two lines', { angenommen: true, name: 'a\nb' }, 'in einer Zeile'],
        [
          'a remark that is too long',
          { angenommen: true, name: 'A', bemerkung: 'x'.repeat(2001) },
          'höchstens 2.000 Zeichen',
        ],
        ['lines that are no numbers', { angenommen: true, name: 'A', positionen: ["1'"] }, 'Angabe'],
        ['a line of somebody else’s', { angenommen: true, name: 'A', positionen: ['1'] }, 'Auswahl'],
        ['a body that is too large', { angenommen: true, name: 'A', bemerkung: 'x'.repeat(20_000) }, 'groß'],
      ])('is not used up by %s', async (_what, body, sentence) => {
        minute()
        const answer = await post('entscheiden', { code: own.code, ...body })
        expect([400, 413]).toContain(answer.statusCode)
        expect((answer.json() as { message: string }).message).toContain(sentence)
        expect((await post('ansehen', { code: own.code })).json()).toMatchObject({ data: { stand: 'offen' } })
      })
      test('is not answered by the provider’s people, who are signed in; a sign-in that is over is none', async () => {
        minute()
        const body = { code: foreign.code, angenommen: true, name: 'A' }
        for (const name of ['apus_admin', 'apus_team', 'ogf_team', 'admin']) {
          const answer = await post('entscheiden', body, '192.0.2.2', {
            authorization: `Bearer token-${name}`,
          })
          expect([name, answer.statusCode]).toEqual([name, 403])
          expect((answer.json() as { message: string }).message).toContain('Wer für den Anbieter arbeitet')
        }
        const over = await post('entscheiden', { ...body, name: '' }, '192.0.2.2', {
          authorization: 'Bearer nothing',
        })
        expect(over.statusCode).toBe(400)
        expect((await post('ansehen', { code: foreign.code })).json()).toMatchObject({
          data: { stand: 'offen' },
        })
      })
      test('decides once, also when pressed ten times at once; then its offer is closed to it', async () => {
        minute()
        const all = await Promise.all(
          Array.from({ length: 10 }, (_, nr) =>
            post('entscheiden', {
              code: foreign.code,
              angenommen: true,
              name: `Person ${nr}`,
              bemerkung: '',
              positionen: [],
            }),
          ),
        )
        expect(all.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 10 }, () => 200))
        expect(
          all.filter((answer) => (answer.json() as { data: { entschieden: boolean } }).data.entschieden),
        ).toHaveLength(1)
        expect((await post('pdf', { code: foreign.code })).statusCode).toBe(404)
        const after = await post('ansehen', { code: foreign.code })
        expect(after.json()).toMatchObject({ data: { stand: 'benutzt', angenommen: true } })
        expect(traces(after.body, FOREIGN, { ...foreign, nummern: [foreign.nummern[0]!] })).toEqual([])
      })
      test('is in no log', () => {
        for (const line of logged) for (const { code } of [own, foreign]) expect(line).not.toContain(code)
      })
    })
  })
