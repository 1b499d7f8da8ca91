// A preview of a draft of 25 lines, from the request to the last byte of its PDF.
import fastify from 'fastify'
import type { Claims } from '#server/caller.ts'
import { silentLog } from '#server/log.ts'
import { claimsOf } from '../../db/test/world.ts'
import { createStore } from '../../server/documents/store.ts'
import { createRenderer } from '../../server/documents/renderer.ts'
import { documentRoutes } from '../../server/documents/routes.ts'
import { SHORT } from '../extent.ts'
import { guardRoutes } from '../../server/route-caller.ts'
import { draft } from './issues.ts'
import type { BenchOffice } from './office.ts'

const TIMES = SHORT ? 2 : 40

export async function previewP95(office: BenchOffice): Promise<number> {
  const database = office.connect(4)
  const renderer = createRenderer()
  const claims = claimsOf('apus_admin') as Claims
  const app = fastify()
  guardRoutes(app, () => ({ claims, claimsJson: JSON.stringify(claims), person: String(claims.sub) }))
  const walls: number[] = []
  try {
    await app.register(
      documentRoutes({
        database,
        fileStore: createStore(database, renderer),
        log: silentLog,
      }),
    )
    const id = await draft(
      database,
      Array.from({ length: 25 }, (_, at) => ({
        bez: `Grenzpunkt ${at} aufgesucht und vermarkt`,
        anzahl: '2.5',
        einheit: 'h',
        ep: '80.50',
      })),
    )
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    for (let nr = 0; nr < TIMES; nr++) {
      const start = performance.now()
      const answer = await fetch(`${address}/beleg/rechnung/${id}.pdf`)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`the preview was refused: ${answer.status}`)
      walls.push(performance.now() - start)
    }
  } finally {
    await app.close()
    await renderer.close()
    await database.close()
  }
  // The 95th percentile leaves out the first preview, which also starts the process that typesets.
  return walls.toSorted((a, b) => a - b)[Math.floor(walls.length * 0.95)]!
}
