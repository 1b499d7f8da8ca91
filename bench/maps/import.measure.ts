// Import of survey data: 100,000 objects as GeoJSON, from starting the job until they are stored, on both
// engines. The requirement is one minute.
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import type { ImportValues, VermessungImport } from '#contract/vermessung-import.ts'
import { makeRandom } from '../../db/seeds/random.ts'
import { makeVermessung, toGeoJson } from '../../db/seeds/sample-vermessung.ts'
import type { Caller, Claims } from '../../server/caller.ts'
import type { Database } from '../../server/database/database.ts'
import { silentLog } from '../../server/log.ts'
import { guardRoutes } from '../../server/route-caller.ts'
import { createVermessungRoom } from '../../server/vermessung/routes.ts'
import { atMost, type Figure, shown } from '../figures.ts'
import { SHORT } from '../extent.ts'
import { CLAIMS, KUNDE, onBothEngines, STAFF } from './world.ts'

const OBJECTS = SHORT ? 3_000 : 100_000
const day = (offset: number): string =>
  new Date(Date.UTC(2026, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10)
const TABLES = ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf']

async function importOn(database: Database, file: Buffer, objects: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  const caller: Caller = {
    claims: CLAIMS as unknown as Claims,
    claimsJson: JSON.stringify(CLAIMS),
    person: 'bench',
  }
  const room = createVermessungRoom({
    database,
    folder,
    log: silentLog,
    now: () => new Date(),
  })
  const app = fastify({ bodyLimit: 600 * 2 ** 20 })
  guardRoutes(app, () => caller)
  await app.register(room.routes)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const ask = async (path: string, init: RequestInit = {}): Promise<VermessungImport> => {
    const answer = await fetch(`${origin}/vermessung/${path}`, init)
    const { data, message } = (await answer.json()) as { data: VermessungImport; message: string }
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${message}`)
    return data
  }
  const once = async (what: string): Promise<Figure[]> => {
    const begun = performance.now()
    const uploaded = await ask(`${KUNDE}/upload?name=survey.geojson`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(file),
    })
    const ordered = performance.now()
    const values: ImportValues = {
      modus: 'ersetzen',
      schichten: uploaded.schichten.map(({ name, epsg, ort, vorschlag }) => ({
        name,
        tabelle: vorschlag.tabelle!,
        epsg: epsg!,
        felder: vorschlag.felder,
        ...(ort === null ? {} : { ort }),
      })),
    }
    await ask(`import/${uploaded.id}/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
    let now = await ask(`import/${uploaded.id}`)
    while (now.stand === 'laeuft') {
      await sleep(100)
      now = await ask(`import/${uploaded.id}`)
    }
    const took = performance.now() - ordered
    const counts = await Promise.all(
      TABLES.map((table) =>
        database.once<{ n: number }>(STAFF, {
          name: `zaehle_${table}`,
          text: `select count(*)::int as n from app.${table}`,
          values: [],
        }),
      ),
    )
    const stored = counts.reduce((sum, { rows }) => sum + rows[0]!.n, 0)
    if (now.stand !== 'fertig' || stored !== objects)
      throw new Error(`${now.stand}: ${stored} of ${objects} ${JSON.stringify(now.bericht).slice(0, 500)}`)
    return [
      atMost(
        `import of ${objects} survey objects, ${what}, ${database.engine}, from the order to its end`,
        60,
        took / 1000,
        's',
      ),
      shown(
        `import: upload and look at its ${Math.round(file.length / 2 ** 20)} MB, ${database.engine}`,
        (ordered - begun) / 1000,
        's',
      ),
    ]
  }
  try {
    // The second import changes every object.
    return [...(await once('new')), ...(await once('changed'))]
  } finally {
    await room.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

export function measure(): Promise<Figure[]> {
  const objects = makeVermessung({ ort: [380_000, 5_930_000], anzahl: OBJECTS, random: makeRandom(7), day })
  const file = Buffer.from(toGeoJson(objects, 25_833))
  return onBothEngines(
    () => Promise.resolve(),
    (database) => importOn(database, file, objects.length),
  )
}
