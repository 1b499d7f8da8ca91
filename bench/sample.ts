// The product's sample data in a private PostgreSQL; servers that start meanwhile get copies of it
// (e2e/app.ts).
import { SAMPLE_URL } from '../e2e/app.ts'
import { fillTrial } from '../scripts/trial-archive.ts'
import { createOwnerConnection } from '../server/database/postgres-owner.ts'
import { silentLog } from '../server/log.ts'
import { SCHEMA_FOLDER } from '../server/prepare.ts'
import { copyDatabase, withDatabase } from '../test/databases.ts'
import { startPrivatePostgres } from './api/private-postgres.ts'

/** Kept a little longer for the next user: creating it takes longer than many a measurement. */
const KEPT_MS = 2_000

let made: Promise<{ readonly url: string; stop(): Promise<void> }> | undefined
let users = 0
let ending: NodeJS.Timeout | undefined

export async function withSample<T>(work: () => Promise<T>): Promise<T> {
  // That of the tests, which all benches share.
  if (made === undefined && process.env[SAMPLE_URL] !== undefined) return work()
  clearTimeout(ending)
  users++
  made ??= make()
  try {
    const { url } = await made
    process.env[SAMPLE_URL] = url
    return await work()
  } finally {
    users--
    if (users === 0) ending = setTimeout(() => void end(), KEPT_MS)
  }
}

async function make(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startPrivatePostgres()
  const url = await copyDatabase(withDatabase(server.url, 'template1'), 'probe')
  const owner = await createOwnerConnection(url)
  await fillTrial(owner, { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() })
  // No document of the sample is typeset: that is not what is measured.
  await owner.script(
    `select dispatch.order_missing_documents(); update app.dokument_auftrag set naechster = 'infinity'`,
  )
  await owner.close()
  return { url, stop: server.stop }
}

async function end(): Promise<void> {
  const last = await made
  made = undefined
  delete process.env[SAMPLE_URL]
  await last?.stop()
}
