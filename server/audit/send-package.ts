// A ZIP that is made while it is sent: in the queue of long work until its last byte has gone.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { inRank } from '#server/rank.ts'
import { goneSignal, type WorkQueue } from '#server/work-queue.ts'

interface Package {
  readonly name: string
  /** Called when its turn has come. */
  readonly make: () => Promise<AsyncIterable<Uint8Array>>
}

export async function sendPackage(
  work: WorkQueue,
  caller: Caller,
  reply: FastifyReply,
  { name, make }: Package,
): Promise<FastifyReply> {
  const turn = work.admit('long', { person: caller.person, signal: goneSignal(reply) })
  try {
    await turn.come
    const archive = Readable.from(await inRank('long', make))
    archive.once('close', turn.release)
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(archive)
  } catch (error) {
    turn.release()
    throw error
  }
}
