// "In QGIS öffnen": the project file of a customer's survey and plans, or of a holding's forest, with the layers
// of which the caller sees something; and the same to take along, as a package of QField.
import { rm, stat } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { Database, Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { forNutzer } from '#server/route-caller.ts'
import { goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { zipBytes } from '#server/write-zip.ts'
import { contentDispositionOf } from '../geodata/answer.ts'
import { sendMadeFile } from '../geodata/import-routes.ts'
import type { Store } from '../geodata/store.ts'
import { type Collection, findCollection } from './collections.ts'
import type { Column } from './columns.ts'
import { type Look, LOOKS } from './looks.ts'
import { packZip, writeTables } from './offline-package.ts'
import type { Scope, ScopeOf } from './scope.ts'
import { extentStatement } from './statements.ts'
import { type Project, type ProjectPlan, writeProject } from './qgis-project.ts'

export interface QgisOptions {
  readonly scopeOf: ScopeOf
  readonly ask: <Row>(caller: Caller, statement: Statement) => Promise<Row[]>
  readonly columnsOf: (collection: Collection) => Promise<ReadonlyMap<string, Column>>
  readonly database: Database
  readonly work: WorkQueue
  /** For packages that are being made. */
  readonly fileStore: Pick<Store, 'zwischenort' | 'open'>
  readonly now: () => Date
}

/** More pictures than somebody looks through. */
const MOST_PLANS = 50
/** For the whole of a package, as for other exports. */
const PACKAGE_MS = 120_000

const HALF = { kunde: 'drainage', betrieb: 'forest' } as const
export type ProjectOf = keyof typeof HALF

const OWNER: Readonly<Record<ProjectOf, string>> = {
  kunde: `select k.name as title, maps.vermessung_epsg(k.epsg, k.bundesland) as epsg
    from app.kunde k where k.client_id = $1::bigint`,
  // People of a holding do not see its customer's row; its area is in the customer's system.
  betrieb: `select h."sHQ" as title, maps.vermessung_epsg((select public.st_srid(f.geom) from app.hq_flaeche f
      where f.hqid = h."idHQ"), null) as epsg
    from app.hq h where h."idHQ" = $1::bigint`,
}

interface Owner {
  readonly title: string
  readonly epsg: number
}
interface Reach {
  readonly west: string | null
  readonly south: string | null
  readonly east: string | null
  readonly north: string | null
}

const PLANS = ({ condition, values }: Scope): Statement => ({
  text: `select t.id::text as id, t.map_name as title from ${findCollection('plan')!.source}
    where ${condition} order by t.id desc limit ${MOST_PLANS}`,
  values,
})

/** What both kinds of project have. @throws Refusal not_found */
async function projectOf(
  of: ProjectOf,
  scope: Scope,
  ask: <Row>(statement: Statement) => Promise<Row[]>,
): Promise<Omit<Project, 'plans' | 'source'>> {
  const [owner] = await ask<Owner>({ text: OWNER[of], values: scope.values })
  if (owner === undefined) throw new Refusal('not_found')
  const layers: Look[] = []
  const boxes: Box[] = []
  for (const look of LOOKS) {
    const { collection } = look
    if (collection.half !== HALF[of]) continue
    const [reach] = await ask<Reach>(extentStatement({ scope, collection }, owner.epsg))
    if (reach === undefined || reach.west === null) continue
    layers.push(look)
    boxes.push([Number(reach.west), Number(reach.south), Number(reach.east), Number(reach.north)])
  }
  return { ...owner, extent: around(boxes), layers }
}

const nameOf = (of: ProjectOf, { values: [number] }: Scope): string => `${of}-${number}`

/** `projekt.qgz` and `qfield.zip` of a customer's or a holding's address. */
export function qgisRoute(app: FastifyInstance, of: ProjectOf, options: QgisOptions): void {
  const { scopeOf, database, work, fileStore, columnsOf } = options

  const sendProject = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    const scope = scopeOf(request)
    const ask = <Row>(statement: Statement) => options.ask<Row>(caller, statement)
    const text = writeProject({
      ...(await projectOf(of, scope, ask)),
      plans: of === 'kunde' ? await ask<ProjectPlan>(PLANS(scope)) : [],
      source: { base: scope.base },
    })
    const name = nameOf(of, scope)
    const file = await zipBytes([{ name: `${name}.qgs`, inhalt: Buffer.from(text), compress: true }])
    return reply
      .headers({
        'cache-control': 'private, no-cache',
        vary: 'authorization',
        'content-disposition': `attachment; filename="${name}.qgz"`,
      })
      .type('application/x-qgis-project')
      .send(file)
  }

  /** @returns whose it is */
  const makePackage = async (caller: Caller, scope: Scope, signal: AbortSignal, zip: string) => {
    const mine = LOOKS.map(({ collection }) => collection).filter(({ half }) => half === HALF[of])
    const columns = new Map(
      await Promise.all(mine.map(async (one) => [one.id, await columnsOf(one)] as const)),
    )
    const gpkg = await fileStore.zwischenort()
    try {
      const context = asNutzer(caller, { readOnly: true, timeoutMs: PACKAGE_MS })
      const project = await database.transaction(context, async (tx) => {
        const ask = async <Row>(statement: Statement) => (await tx.query<Row>(statement)).rows
        const found = await projectOf(of, scope, ask)
        await writeTables({ project: found, scope, columns, ask, gpkg, signal })
        return found
      })
      signal.throwIfAborted()
      await packZip(zip, { project, name: nameOf(of, scope), gpkg })
      return project.title
    } finally {
      await rm(gpkg, { force: true })
    }
  }

  const sendPackage = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    const scope = scopeOf(request)
    const signal = goneSignal(reply)
    const filePath = await fileStore.zwischenort()
    try {
      const title = await work.run('long', { person: caller.person, signal }, () =>
        makePackage(caller, scope, signal, filePath),
      )
      const { size } = await stat(filePath)
      const disposition = contentDispositionOf('QField', title, options.now(), 'zip')
      return sendMadeFile(reply, fileStore, { filePath, groesse: size, type: 'application/zip', disposition })
    } catch (error) {
      await rm(filePath, { force: true })
      throw error
    }
  }

  app.get('/projekt.qgz', forNutzer(sendProject))
  app.get('/qfield.zip', forNutzer(sendPackage))
}

type Box = readonly [west: number, south: number, east: number, north: number]

function around(boxes: readonly Box[]): Box | null {
  const [first, ...others] = boxes
  if (first === undefined) return null
  return others.reduce(
    ([w, s, e, n], [west, south, east, north]) => [
      Math.min(w, west),
      Math.min(s, south),
      Math.max(e, east),
      Math.max(n, north),
    ],
    first,
  )
}
