// A server with the OGC services alone, for the people of the test's world, and a survey to look at.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { createOgcRoom } from '#server/ogc/routes.ts'
import { OGC_BASE, refuseAt } from '#server/refuse.ts'
import { guardRoutes } from '#server/route-caller.ts'
import type { Engine } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { authenticateByName } from './refusing-server.ts'
import { A, B } from './world.ts'

const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
export const IMPORT = 9_000
/** Near Schwerin, in UTM 33. */
export const [EAST, NORTH] = [262_300, 5_945_000] as const
export const EPSG = (code: number): string => `http://www.opengis.net/def/crs/EPSG/0/${code}`

/** The world with the survey switched on for all, without manholes, and an import of each customer. */
export async function buildSurvey({ owner }: Engine): Promise<void> {
  await buildWorld(owner)
  await owner.query('update app.kunde set kataster_status = true')
  await owner.query('update app.benutzer_kunde set kataster_enabled = true')
  await owner.query('delete from app.schacht')
  for (const client of [A, B])
    await owner.query(
      `insert into app.vermessung_import (id, client_id, dateiname, format, groesse, sha256, stand, modus)
        values ($1, $2, 'a.gpkg', 'gpkg', 1, repeat('0', 64), 'fertig', 'ersetzen')`,
      [IMPORT + client, client],
    )
}

export async function openOgc(
  { api }: Engine,
  origin: string,
  folder = mkdtempSync(join(tmpdir(), 'forstkontor-ogc-')),
  authenticate: (authorization: string | undefined) => Caller = authenticateByName,
): Promise<FastifyInstance> {
  const app = fastify({ routerOptions: { maxParamLength: 500 } })
  guardRoutes(app, authenticate)
  app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
  const options = {
    database: api,
    origin,
    prefix: BASES.GENERAL_API_BASE,
    readMs: 20_000,
    now: () => new Date(),
    folder,
  }
  app.addHook('onClose', async () => rmSync(folder, { recursive: true, force: true }))
  await app.register(createOgcRoom(options).routes!, { prefix: OGC_BASE })
  return app
}
