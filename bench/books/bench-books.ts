// npm run bench:books: the chain of the books at 200,000 invoices: sealing, the check of everything and of what
// is new, every stored byte, and the anchors outside the database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkAnchors } from '#server/anchor-check.ts'
import { appendLine, makeAnchor, readAnchorKey } from '#server/anchors.ts'
import type { Database, OwnerConnection } from '#server/database/database.ts'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { type AsOwner, asBetrieb } from '#server/as-betrieb.ts'
import { readHead } from '#server/operations/book-anchors.ts'
import { checkFiles } from '#server/operations/book-check.ts'
import { migrate } from '#server/operations/migrate.ts'
import { TEMPLATES } from '#server/prepare.ts'
import { stampService } from '#server/stamp-service.ts'
import { asUser } from '../../test/owned-database.ts'
import { startPrivatePostgres } from '../api/private-postgres.ts'
import { ENGINES, SHORT } from '../extent.ts'
import { atLeast, atMost, type Figure, report, shown } from '../figures.ts'
import { customersSql } from '../suche/scene.ts'
import { READERS_SQL, readFigures } from './reads.ts'
import { booksSql, changesSql, filesSql } from './scene.ts'

const INVOICES = Number(process.argv[2] ?? (SHORT ? 300 : 200_000))
/** The embedded engine is for one small office. */
const FEW = Math.ceil(INVOICES / 20)
const MOST_CHANGED = SHORT ? 50 : 1_000
const [FILES, FILE_BYTES] = SHORT ? [20, 20_000] : [8_000, 50_000]
const schema = { folder: join(import.meta.dirname, '../../db'), log: silentLog, now: () => new Date() }
const figures: Figure[] = []

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; value: T }> {
  const begun = performance.now()
  const value = await work()
  return { seconds: (performance.now() - begun) / 1000, value }
}

async function prove(asOwner: AsOwner, onlyNew: boolean): Promise<number> {
  const [proof] = await asBetrieb<{ ok: boolean; befunde: string; geprueft: string }>(
    asOwner,
    'select ok, befunde::text as befunde, geprueft::text from books.prove_journal($1)',
    [onlyNew],
  )
  if (proof?.ok !== true) throw new Error(`the books are not sound: ${proof?.befunde}`)
  return Number(proof.geprueft)
}

async function anchorFigures(name: string, asOwner: AsOwner, lines: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-books-'))
  try {
    const [file, key] = [join(folder, 'anchors'), readAnchorKey(join(folder, 'key'), true)]
    const head = await readHead(asOwner)
    if (head === null) throw new Error('nothing is sealed')
    const { seconds } = await timed(async () => {
      for (let line = 0; line < lines; line++)
        await appendLine(file, makeAnchor(key, head, new Date(), 'stand'))
    })
    figures.push(shown(`${name}: to sign and append an anchor`, (seconds / lines) * 1000, 'ms'))
    const stamps = stampService({ TIMESTAMP_URL: undefined, TIMESTAMP_CERTIFICATES: undefined })
    const check = await timed(() =>
      checkAnchors({ file, key, dumps: folder, stamps }, (numbers) =>
        asBetrieb(asOwner, 'select nr, kopf from books.heads_of($1::bigint[])', [numbers]),
      ),
    )
    if (!check.value.ok) throw new Error('the anchors do not fit')
    figures.push(shown(`${name}: to check ${lines} anchors`, check.seconds, 's'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Engine {
  readonly name: string
  readonly asOwner: AsOwner
  readonly api: Database
}

async function measure({ name, asOwner, api }: Engine, invoices: number, isJudged: boolean): Promise<void> {
  const limit = isJudged
    ? atMost
    : (figure: string, _limit: number, value: number, unit: string) => shown(figure, value, unit)
  await asOwner(async (owner) => {
    await migrate(owner, schema)
    await owner.script(customersSql(1, 1000))
    await owner.script(booksSql(invoices))
    await owner.script(filesSql(Math.min(FILES, invoices), FILE_BYTES))
    await owner.script(READERS_SQL)
  })
  figures.push(...(await readFigures(name, api, isJudged)))
  const sealed = await timed(() =>
    asOwner((owner) => owner.query<{ n: string }>('select books.seal_missing()::text as n')),
  )
  const seals = Number(sealed.value.rows[0]?.n)
  await asOwner((owner) => owner.script('analyze app.siegel'))
  figures.push(shown(`${name}: seals of ${invoices} invoices`, seals, ''))
  figures.push(shown(`${name}: to seal one record`, (sealed.seconds / seals) * 1000, 'ms'))
  const whole = await timed(() => prove(asOwner, false))
  figures.push(limit(`${name}: check of all records`, 60, whole.seconds, 's'))
  const count = Math.min(MOST_CHANGED, invoices)
  const changed = await timed(() => asOwner((owner) => owner.script(changesSql(count))))
  figures.push(shown(`${name}: a sealed change`, (changed.seconds / count) * 1000, 'ms'))
  const fresh = await timed(() => prove(asOwner, true))
  if (fresh.value !== count) throw new Error(`${fresh.value} entries instead of ${count}`)
  figures.push(limit(`${name}: check of ${count} new entries`, 1, fresh.seconds, 's'))
  const engine = name === 'embedded' ? 'embedded' : 'postgres'
  const files = await checkFiles({ asOwner, engine }, new AbortController().signal)
  if (files.faults > 0) throw new Error('stored files differ')
  const rate = files.bytes / 1e6 / (files.ms / 1000)
  figures.push(
    isJudged
      ? atLeast(`${name}: stored bytes compared`, 100, rate, 'MB/s')
      : shown(`${name}: stored bytes compared`, rate, 'MB/s'),
  )
  await anchorFigures(name, asOwner, SHORT ? 20 : 2_000)
}

async function onPostgres(): Promise<void> {
  const postgres = await startPrivatePostgres()
  try {
    const asOwner: AsOwner = async (work) => {
      const owner: OwnerConnection = await createOwnerConnection(postgres.url)
      try {
        return await work(owner)
      } finally {
        await owner.close()
      }
    }
    const api = createPostgresDatabase({
      url: asUser(postgres.url, 'forst_api'),
      poolSize: 1,
      log: silentLog,
    })
    try {
      await measure({ name: 'PostgreSQL', asOwner, api }, INVOICES, true)
    } finally {
      await api.close()
    }
  } finally {
    await postgres.stop()
  }
}

async function onEmbedded(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-books-'))
  try {
    const database = await createEmbeddedDatabase({
      folder,
      templateArchive: TEMPLATES.empty,
      log: silentLog,
      loginRole: 'forst_api',
    })
    try {
      await measure(
        { name: 'embedded', asOwner: (work) => database.asOwner(work), api: database },
        FEW,
        false,
      )
    } finally {
      await database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (ENGINES.includes('postgres')) await onPostgres()
if (ENGINES.includes('embedded')) await onEmbedded()
report('books', figures)
