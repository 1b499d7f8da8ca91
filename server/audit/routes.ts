// GET pruefung/{von}_{bis}.zip: the books of a period for an auditor, with every stored document byte for
// byte. The database decides who may have it and records each download.
// GET pruefung/anker: whether the anchors outside the database fit the chain inside it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDay } from '#domain/day.ts'
import { type AnchorPlaces, checkAnchors } from '#server/anchor-check.ts'
import type { Head } from '#server/anchors.ts'
import type { Caller } from '#server/caller.ts'
import { inRank } from '#server/rank.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal, type WorkQueue } from '#server/work-queue.ts'
import { type ArchiveOptions, archiveOf, type Period } from './archive.ts'
import { sendPictures } from './pictures.ts'
import { sendPackage } from './send-package.ts'

export interface AuditOptions extends ArchiveOptions {
  readonly anchors: AnchorPlaces
  readonly work?: WorkQueue
}

const HEADS = {
  name: 'pruefung_koepfe',
  text: 'select nr, kopf from app.a_get_siegel_koepfe($1::bigint[])',
}
const RECORD = { name: 'pruefung_export', text: 'select app.a_add_pruefung_export($1::date, $2::date)' }

function periodOf(request: FastifyRequest): Period {
  const { datei } = request.params as { datei: string }
  const [, start = '', bis = ''] = /^(\d{4}-\d{2}-\d{2})_(\d{4}-\d{2}-\d{2})\.zip$/.exec(datei) ?? []
  if (!isDay(start) || !isDay(bis) || bis < start)
    throw new Refusal('not_found', 'Dieser Zeitraum ist ungültig. Bitte wählen Sie einen anderen.')
  return { von: start, bis }
}

export function createAuditRoom({ work = createWorkQueue(), ...options }: AuditOptions) {
  async function answer(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const period = periodOf(request)
    // Checks the permission and records who downloaded what; if refused, nothing below happens.
    await options.database.once(asNutzer(caller), { ...RECORD, values: [period.von, period.bis] })
    return sendPackage(work, caller, reply, {
      name: `Pruefung_${period.von}_${period.bis}.zip`,
      make: () => archiveOf(options, caller, period, request.id),
    })
  }

  async function answerAnchors(caller: Caller, _request: FastifyRequest, reply: FastifyReply) {
    const headsOf = async (numbers: readonly number[]): Promise<readonly Head[]> => {
      const heads = { ...HEADS, values: [numbers] }
      return (await options.database.once<Head>(asNutzer(caller, { readOnly: true }), heads)).rows
    }
    // Asked first, so that nobody else learns what is in the file.
    await headsOf([])
    const turn = work.admit('long', { person: caller.person, signal: goneSignal(reply) })
    try {
      await turn.come
      const report = await inRank('long', () => checkAnchors(options.anchors, headsOf))
      return await reply.header('cache-control', 'no-store').send(report)
    } finally {
      turn.release()
    }
  }

  return {
    name: 'audit',
    routes: async (app: FastifyInstance) => {
      app.get('/pruefung/anker', forNutzer(answerAnchors))
      app.get('/pruefung/datev/:datei', forNutzer(sendPictures({ ...options, work })))
      app.get('/pruefung/:datei', forNutzer(answer))
    },
  } satisfies Room
}
