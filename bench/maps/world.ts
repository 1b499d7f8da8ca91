// A customer and a member of staff on each engine, for measuring the database.
import { rmSync } from 'node:fs'
import type { Context, Database, OwnerConnection } from '../../server/database/database.ts'
import { createEmbeddedDatabase } from '../../server/database/embedded.ts'
import { createPostgresDatabase } from '../../server/database/postgres.ts'
import { createOwnerConnection } from '../../server/database/postgres-owner.ts'
import { silentLog } from '../../server/log.ts'
import { migrate } from '../../server/operations/migrate.ts'
import { SCHEMA_FOLDER, TEMPLATES } from '../../server/prepare.ts'
import { temporaryFolder } from '../../e2e/app.ts'
import { asUser } from '../../test/databases.ts'
import { startPrivatePostgres } from '../api/private-postgres.ts'
import { ENGINES } from '../extent.ts'
import type { Figure } from '../figures.ts'

export const KUNDE = 1
/** A member of staff: may see everything, through the same row security as everyone else. */
export const CLAIMS = {
  iss: 'https://bench.test',
  sub: 'team',
  exp: 4_000_000_000,
  iat: 1,
  email: 'team@bench.test',
  email_verified: true,
  groups: ['appuser_apus'],
  role: 'nutzer',
}
export const STAFF: Context = {
  role: 'nutzer',
  readOnly: true,
  settings: { 'request.jwt.claims': JSON.stringify(CLAIMS) },
}

async function people(owner: OwnerConnection): Promise<void> {
  await owner.query(
    `insert into app.benutzer (user_id, email, username, first_name, last_name, system_status, apus_team, enabled)
      values (1, 'team@bench.test', 'team', 'Uwe', 'Ulme', 'apus_team', true, true)`,
  )
  await owner.query(
    `insert into accounts.identitaet (iss, sub, user_id, sessions_valid_after)
      values ('https://bench.test', 'team', 1, to_timestamp(0))`,
  )
  await owner.query(
    `insert into app.kunde (client_id, name, strasse, plz, ort, epsg)
      values (${KUNDE}, 'Messkunde', 'Weg 1', '04103', 'Leipzig', 25833)`,
  )
}

type Fill = (owner: OwnerConnection) => Promise<void>
type Measure = (database: Database) => Promise<Figure[]>

async function onPostgres(prepare: Fill, measure: Measure): Promise<Figure[]> {
  const server = await startPrivatePostgres()
  try {
    const owner = await createOwnerConnection(server.url)
    await prepare(owner)
    await owner.close()
    const api = createPostgresDatabase({ url: asUser(server.url, 'forst_api'), poolSize: 2, log: silentLog })
    try {
      return await measure(api)
    } finally {
      await api.close()
    }
  } finally {
    await server.stop()
  }
}

async function onEmbedded(prepare: Fill, measure: Measure): Promise<Figure[]> {
  const folder = temporaryFolder()
  const embedded = await createEmbeddedDatabase({ folder, templateArchive: TEMPLATES.empty, log: silentLog })
  try {
    await embedded.asOwner(prepare)
    return await measure(embedded)
  } finally {
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL first, then the embedded engine, or the one that is asked for; `fill` adds to the data of each. */
export async function onBothEngines(fill: Fill, measure: Measure): Promise<Figure[]> {
  const prepare: Fill = async (owner) => {
    await migrate(owner, { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() })
    await people(owner)
    await fill(owner)
  }
  return [
    ...(ENGINES.includes('postgres') ? await onPostgres(prepare, measure) : []),
    ...(ENGINES.includes('embedded') ? await onEmbedded(prepare, measure) : []),
  ]
}
