// The process that proves a dump (proof.ts): restores it into an empty database, compares, reports and ends.
// Without the server it ends at once.
import { rmSync } from 'node:fs'
import { DatabaseFault } from '#server/database/database.ts'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { DumpFault } from './operator-fault.ts'
import { restore } from './restore.ts'
import { wordsOf } from './words-of.ts'

export interface ProofOrder {
  readonly path: string
  readonly schemaFolder: string
  readonly place: { readonly url: string } | { readonly folder: string; readonly templateArchive?: string }
}
export type ProofReply =
  | { readonly ok: true }
  | { readonly ok: false; readonly message: string; readonly why: 'dump' | 'connection' | 'other' }

if (process.send === undefined) throw new Error('this file is started by the server')

let isConnected = false

async function prove({ path, schemaFolder, place }: ProofOrder): Promise<void> {
  const options = { folder: schemaFolder, log: silentLog, now: () => new Date() }
  if ('url' in place) {
    const owner = await createOwnerConnection(place.url)
    isConnected = true
    await restore(owner, path, options)
    return
  }
  isConnected = true
  const database = await createEmbeddedDatabase({ ...place, log: silentLog })
  await database.asOwner((owner) => restore(owner, path, options))
}

/** Rows that the tables refuse are at fault themselves; what else the database says may be otherwise tomorrow. */
function whyOf(error: unknown): Extract<ProofReply, { ok: false }>['why'] {
  if (error instanceof DumpFault || (error instanceof DatabaseFault && /^2[23]/.test(error.code)))
    return 'dump'
  return isConnected ? 'other' : 'connection'
}

const answer = (reply: ProofReply): void => void process.send?.(reply, undefined, {}, () => undefined)

process.on('message', (order: ProofOrder) => {
  // A server that was killed cannot clean up.
  process.once('disconnect', () => {
    if ('folder' in order.place) rmSync(order.place.folder, { recursive: true, force: true })
    process.kill(process.pid, 'SIGKILL')
  })
  prove(order).then(
    () => answer({ ok: true }),
    (error: unknown) => answer({ ok: false, message: wordsOf(error), why: whyOf(error) }),
  )
})
