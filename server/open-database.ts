// Opens the one database of this process, embedded or by address, and migrates it to the state of db/.
import type { Config } from './config.ts'
import { placeOf, userOf } from './database/address.ts'
import { type Database, DatabaseFault, NoPrimaryFault, type OwnerConnection } from './database/database.ts'
import { createEmbeddedDatabase } from './database/embedded.ts'
import { createPostgresDatabase } from './database/postgres.ts'
import { createOwnerConnection } from './database/postgres-owner.ts'
import type { Log } from './log.ts'
import { ensureApiLogin } from './operations/api-login.ts'
import { migrate } from './operations/migrate.ts'
import { OperatorFault } from './operations/operator-fault.ts'
import { SCHEMA_FOLDER } from './prepare.ts'

export interface OpenedDatabase {
  readonly database: Database
  /** Work as the owner: migrations, dumps, checks. */
  asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T>
  /** The embedded engine was not closed properly last time. */
  readonly unclean: boolean
}

export interface OpenOptions {
  readonly config: Config
  /**
   * The application's secrets, newest first: the database login of requests is derived from one of them unless
   * the operator sets it.
   */
  readonly secrets: readonly string[]
  /**
   * Runs before a login is derived from the secret: a server with a wrong one must not lock out the others.
   */
  readonly checkSecret?: (owner: OwnerConnection) => Promise<void>
  /** A prepared data folder for the first start of the embedded engine. */
  readonly templateArchive: string
  readonly log: Log
  readonly now: () => Date
  /** Gives up: nothing stays open or locked. */
  readonly signal?: AbortSignal
}

export function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  const { DATABASE_URL, DATABASE_OWNER_URL } = options.config
  return DATABASE_URL === undefined
    ? openEmbedded(options)
    : openPostgres(options, DATABASE_URL, DATABASE_OWNER_URL)
}

/** A migration that is cut off is repeated at the next start. */
const GIVE_UP_MS = 500

async function openEmbedded({
  config,
  templateArchive,
  log,
  now,
  signal,
}: OpenOptions): Promise<OpenedDatabase> {
  const database = await createEmbeddedDatabase({
    folder: config.DATA_DIR,
    maxAnswerBytes: config.ANSWER_LIMIT_MB * 2 ** 20,
    templateArchive,
    log,
    now,
    ...(signal && { signal }),
  })
  const giveUp = () => void database.close(GIVE_UP_MS)
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    await database.asOwner((owner) => migrate(owner, { folder: SCHEMA_FOLDER, log, now }))
    signal?.throwIfAborted()
  } catch (error) {
    await database.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
  return { database, asOwner: (work) => database.asOwner(work), unclean: database.unclean && !database.fresh }
}

async function openPostgres(
  { config, secrets, checkSecret, log, now }: OpenOptions,
  url: string,
  separateOwner: string | undefined,
): Promise<OpenedDatabase> {
  const ownerUrl = separateOwner ?? url
  const asOwner = async <T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> => {
    const owner = await connectOwner(ownerUrl)
    try {
      return await work(owner)
    } finally {
      await owner.close()
    }
  }
  const [requestUrl = url, ...further] = await asOwner(async (owner) => {
    await checkTakesChanges(owner, ownerUrl)
    await migrate(owner, { folder: SCHEMA_FOLDER, log, now })
    await checkSecret?.(owner)
    return separateOwner === undefined ? ensureApiLogin(owner, ownerUrl, secrets) : [url]
  })
  const database = createPostgresDatabase({
    url: requestUrl,
    further,
    poolSize: config.DB_POOL,
    prepared: config.DB_PREPARED,
    answerBytes: config.ANSWER_LIMIT_MB * 2 ** 20,
    log,
  })
  return { database, asOwner, unclean: false }
}

async function checkTakesChanges(owner: OwnerConnection, url: string): Promise<void> {
  const { rows } = await owner.query<{ closed: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as closed`,
  )
  if (rows[0]?.closed !== false)
    throw new OperatorFault(
      `Die Datenbank ${placeOf(url)} nimmt keine Änderungen an: ` +
        'Sie ist ein Standby oder schreibgeschützt. Bitte die Adresse des Hauptservers angeben.',
    )
}

/** Error messages name the address without its password. */
export async function connectOwner(url: string): Promise<OwnerConnection> {
  try {
    return await createOwnerConnection(url)
  } catch (error) {
    const place = placeOf(url)
    if (!(error instanceof DatabaseFault)) throw error
    if (error instanceof NoPrimaryFault)
      throw new OperatorFault(
        `Von den Datenbankservern ${place} nimmt zurzeit keiner Änderungen an: ` +
          'Erreichbare sind Standby oder schreibgeschützt. Bitte prüfen, ob einer übernimmt (patronictl list).',
      )
    if (error.code.startsWith('28'))
      throw new OperatorFault(
        `Die Datenbank ${place} lehnt die Anmeldung als „${userOf(url)}“ ab. Bitte DATABASE_URL prüfen.`,
      )
    if (error.code === '3D000')
      throw new OperatorFault(
        `Die Datenbank ${place} gibt es nicht. Bitte anlegen: CREATE DATABASE … ENCODING 'UTF8'.`,
      )
    throw new OperatorFault(
      `Die Datenbank ${place} ist nicht erreichbar. Bitte DATABASE_URL prüfen und ob PostgreSQL läuft.`,
    )
  }
}
