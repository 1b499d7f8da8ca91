// The product's sample data in a PostgreSQL of its own: servers that start meanwhile get copies of it (e2e/app.ts).
import { SAMPLE_URL } from '../e2e/app.ts'
import { fillTrial } from '../scripts/trial-archive.ts'
import { createOwnerConnection } from '../server/database/postgres-owner.ts'
import { silentLog } from '../server/log.ts'
import { SCHEMA_FOLDER } from '../server/prepare.ts'
import { copyDatabase, withDatabase } from '../test/databases.ts'
import { startPrivatePostgres } from './api/private-postgres.ts'

export async function withSample<T>(work: () => Promise<T>): Promise<T> {
  const server = await startPrivatePostgres()
  try {
    const sample = await copyDatabase(withDatabase(server.url, 'template1'), 'probe')
    const owner = await createOwnerConnection(sample)
    await fillTrial(owner, { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() })
    // Documents of the sample are nothing that is measured.
    await owner.script(`select rechte.dokument_fehlende(); update app.dokument_auftrag set naechster = 'infinity'`)
    await owner.close()
    process.env[SAMPLE_URL] = sample
    return await work()
  } finally {
    delete process.env[SAMPLE_URL]
    await server.stop()
  }
}
