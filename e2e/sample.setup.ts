// The trial's sample data in a database of the run's PostgreSQL, created once; the servers of the journeys
// get copies of it (e2e/app.ts).
import type { TestProject } from 'vitest/node'
import { fillTrial } from '../scripts/trial-archive.ts'
import { createOwnerConnection } from '../server/database/postgres-owner.ts'
import { silentLog } from '../server/log.ts'
import { SCHEMA_FOLDER } from '../server/prepare.ts'
import { SAMPLE_URL } from './app.ts'
import { copyDatabase, withDatabase } from '../test/databases.ts'

export default async function setup(project: TestProject): Promise<void> {
  const server = project.getProvidedContext().postgresUrl
  if (server === null) return
  const sample = await copyDatabase(withDatabase(server, 'template1'), 'probe')
  const owner = await createOwnerConnection(sample)
  await fillTrial(owner, { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() })
  // The sample's documents are typeset on request; otherwise every server would typeset all of them during
  // its journey.
  await owner.script(
    `select dispatch.order_missing_documents(); update app.dokument_auftrag set naechster = 'infinity'`,
  )
  await owner.close()
  // Workers start later and inherit it.
  process.env[SAMPLE_URL] = sample
}
