// Started by a test as one of two server processes: eight tenants, interleaved requests; reports how many
// rows were foreign or missing.
import { silentLog } from '#server/log.ts'
import { type Context, DatabaseFault } from './database.ts'
import { createPostgresDatabase } from './postgres.ts'

const [url = '', count = '0', prepared = 'on'] = process.argv.slice(2)
const database = createPostgresDatabase({
  url,
  poolSize: 8,
  prepared: prepared === 'on',
  poolTimeoutMs: 30_000,
  log: silentLog,
})
const told = { requests: 0, foreign: 0, wrongCount: 0, unexpected: [] as string[] }
const as = (tenant: string, readOnly = false): Context => ({
  role: 'bouncer_web',
  settings: { 'f.tenant': tenant },
  readOnly,
})

/** Every tenant sees exactly its five notes. */
async function look(tenant: string): Promise<void> {
  const { rows } = await database.once<{ tenant: string }>(as(tenant, true), {
    name: 'all',
    text: 'select tenant from f.note',
  })
  count5(tenant, rows)
}

function count5(tenant: string, rows: readonly { tenant: string }[]): void {
  told.foreign += rows.filter((row) => row.tenant !== tenant).length
  if (rows.length !== 5) told.wrongCount++
}

async function change(tenant: string): Promise<void> {
  const { rows } = await database.once<{ tenant: string }>(as(tenant), {
    name: 'touch',
    text: 'update f.note set touched = touched + 1 returning tenant',
  })
  count5(tenant, rows)
}

/** Each text asks for something else, and its answer shows what, so rows of another text would be noticed. */
async function manyTexts(tenant: string): Promise<void> {
  const nr = Math.floor(Math.random() * 400)
  const { rows } = await database.once<Record<string, unknown>>(as(tenant, true), {
    name: `text ${nr}`,
    text: `select ${nr} as nr, $1::int + ${nr} as sum, tenant as "tenant ${nr}" from f.note limit 1`,
    values: [nr],
  })
  const [row] = rows
  if (row?.['nr'] !== nr || row['sum'] !== 2 * nr) told.wrongCount++
  if (row?.[`tenant ${nr}`] !== tenant) told.foreign++
}

async function twoSteps(tenant: string): Promise<void> {
  await database.transaction(as(tenant), async (tx) => {
    count5(
      tenant,
      (await tx.query<{ tenant: string }>({ name: 'first', text: 'select tenant from f.note' })).rows,
    )
    count5(
      tenant,
      (await tx.query<{ tenant: string }>({ name: 'second', text: 'select tenant from f.note order by id' }))
        .rows,
    )
  })
}

async function fail(tenant: string): Promise<void> {
  const code = await database
    .once(as(tenant), { text: `insert into f.note (id, tenant) values (-1, 'somebody else')` })
    .catch((fault: DatabaseFault) => fault.code)
  if (code !== '42501') told.unexpected.push(String(code))
}

/** Without a tenant there must be no rows, no matter who used the connection before. */
async function nobody(): Promise<void> {
  const { rows } = await database.once(
    { role: 'bouncer_web', readOnly: true },
    { text: 'select tenant from f.note' },
  )
  told.foreign += rows.length
}

const kinds = [look, manyTexts, manyTexts, change, manyTexts, twoSteps, fail, nobody]
let next = 0
const lane = async () => {
  for (let i = next++; i < Number(count); i = next++) {
    const kind = kinds[(i * 7 + Math.floor(i / 8)) % kinds.length] ?? look
    await kind(`t${i % 8}`).catch((error: unknown) =>
      told.unexpected.push(error instanceof DatabaseFault ? `${error.code} ${error.message}` : String(error)),
    )
    told.requests++
  }
}
await Promise.all(Array.from({ length: 24 }, lane))
await database.close()
process.stdout.write(JSON.stringify({ ...told, unexpected: told.unexpected.slice(0, 5) }))
