// A ZIP that is made while it is sent.
import type { FastifyReply } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { inRank } from '#server/rank.ts'
import { streamInTurn } from '#server/stream-in-turn.ts'
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
  const order = { person: caller.person, signal: goneSignal(reply) }
  const archive = await streamInTurn(work, order, () => inRank('long', make))
  return reply
    .headers({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(archive)
}
