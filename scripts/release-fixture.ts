// Keeps a database of this version for all later ones: the sample data and a row in every table, as a dump in
// db/fixtures. Written once, when the version is released.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbeddedDatabase } from '../server/database/embedded.ts'
import type { OwnerConnection } from '../server/database/database.ts'
import { silentLog } from '../server/log.ts'
import { dump } from '../server/operations/dump.ts'
import { programVersion } from '../server/operations/migration-files.ts'
import { migrate } from '../server/operations/migrate.ts'
import { SCHEMA_FOLDER, TEMPLATES } from '../server/prepare.ts'
import { fillEmptyTables } from './fixture-rows.ts'

const FIXTURES = join(import.meta.dirname, '../db/fixtures')
const now = () => new Date()

async function keep(owner: OwnerConnection, path: string): Promise<void> {
  await migrate(owner, { folder: SCHEMA_FOLDER, log: silentLog, now })
  const left = await fillEmptyTables(owner)
  if (left.length > 0)
    throw new Error(
      `no row for ${left.map(({ table, reason }) => `${table}: ${reason}`).join('\n')}\n` +
        'Please add its values to scripts/fixture-rows.ts.',
    )
  const { manifest, size } = await dump(owner, path, now)
  const rows = manifest.tables.reduce((sum, table) => sum + Number(table.rows), 0)
  console.log(`${path}: ${rows} rows in ${manifest.tables.length} tables, ${Math.ceil(size / 1024)} kB`)
}

mkdirSync(FIXTURES, { recursive: true })
const path = join(FIXTURES, `${programVersion()}.gz`)
if (existsSync(path))
  throw new Error(`${path} is kept for good. Please raise the version in package.json first.`)
const folder = mkdtempSync(join(tmpdir(), 'forstkontor-fixture-'))
try {
  const database = await createEmbeddedDatabase({ folder, templateArchive: TEMPLATES.trial, log: silentLog })
  await database.asOwner((owner) => keep(owner, path))
  await database.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
