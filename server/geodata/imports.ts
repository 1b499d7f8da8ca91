// What the imports of all rooms have in common, whatever their files contain: a file that was sent is looked
// at and waits under the number of its row; it is fetched, imported or discarded as its caller.
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ImportReason, VermessungFormat } from '#contract/vermessung-import.ts'
import type { Caller } from '#server/caller.ts'
import { type Database, DatabaseFault, type Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { isDiskFull } from '#server/full-disk.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { ReaderEndedError } from './foreign.ts'
import { FileFault } from './source.ts'
import type { Store } from './store.ts'

export interface ImportOptions<Layer> {
  readonly database: Database
  readonly fileStore: Store<Layer>
  readonly log: Log
  readonly now: () => Date
  /** For the process that reads a file. */
  readonly limits: Limits
  readonly work: WorkQueue
}

/** Days that a file waits which was uploaded and never imported. */
export const KEPT_DAYS = 14
/** Files of one person that wait in a room, and their bytes: beyond either the oldest give way. */
export const WAITING_MOST = 20
export const WAITING_MOST_BYTES = 2 * 1024 ** 3
export const IMPORT_TIMEOUT_MS = 5 * 60_000

export interface SentFile {
  readonly name: string
  readonly body: Readable
}

/** @throws Refusal: an address without such a number names nothing */
export function checkNumber(text: string): void {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal('not_found')
}

/** One row by its number, as far as the caller may see it. @throws Refusal */
export async function fetchRow<Row>(
  database: Database,
  caller: Caller,
  statement: Statement,
  id: string,
): Promise<Row> {
  checkNumber(id)
  const asked = { ...statement, values: [id] }
  const { rows } = await database.once<Row>(asNutzer(caller, { readOnly: true }), asked)
  const [row] = rows
  if (row === undefined) throw new Refusal('not_found')
  return row
}

interface Arrival<Layer> {
  /** Where the rows of this room's imports are. */
  readonly table: 'app.vermessung_import' | 'app.bestand_import'
  readonly sent: SentFile
  readonly mostBytes: number
  readonly signal: AbortSignal
  /** Reads what the file contains. */
  look(filePath: string): Promise<{ readonly format: VermessungFormat; readonly schichten: Layer[] }>
  /** Stores what is known of the file and returns its row's id. */
  add(known: readonly [name: string, format: string, bytes: number, sha256: string]): Statement
}

/** The caller's files that wait longest and no longer fit their share; rows keep what is known of them. */
const tooMany = (table: string): Statement => ({
  name: `${table.replace('app.', '')}_zu_viele`,
  text: `select w.id from (
      select i.id, row_number() over newest as place, sum(i.groesse) over newest as bytes
      from ${table} i
      where i.user_id = rights.user_id() and i.stand not in ('laeuft', 'fertig')
        and i.angelegt_am > now() - make_interval(days => $3)
      window newest as (order by i.id desc)
    ) w where w.place > $1 or (w.bytes > $2 and w.place > 1)`,
  values: [WAITING_MOST, WAITING_MOST_BYTES, KEPT_DAYS],
})

/**
 * Takes a file and keeps it under the number of its new row, which is returned. A person's oldest waiting files give
 * way to it: what was looked at and never imported must not fill the disk.
 */
export async function keepArrival<Layer>(
  { database, fileStore, work }: Pick<ImportOptions<Layer>, 'database' | 'fileStore' | 'work'>,
  caller: Caller,
  { table, sent, mostBytes, signal, look, add }: Arrival<Layer>,
): Promise<number> {
  const file = await fileStore.take(sent.body, mostBytes)
  try {
    const { format, schichten } = await work.run('short', { person: caller.person, signal }, () =>
      look(file.filePath),
    )
    const statement = add([sent.name, format, file.groesse, file.sha256])
    // Without its file there is no row.
    const { id, old } = await database.transaction(asNutzer(caller), async (tx) => {
      const made = await tx.query<{ id: number }>(statement)
      const old = await tx.query<{ id: number }>(tooMany(table))
      const id = made.rows[0]!.id
      await fileStore.keep(id, file, schichten)
      return { id, old: old.rows }
    })
    await Promise.all(old.map((one) => fileStore.drop(one.id)))
    return id
  } finally {
    await rm(file.filePath, { force: true })
  }
}

/** Removes the row and then its file; what may not be removed keeps both. */
export async function discard(
  { database, fileStore }: { readonly database: Database; readonly fileStore: Pick<Store, 'drop'> },
  caller: Caller,
  statement: Statement,
  id: number,
): Promise<void> {
  const { rowCount } = await database.once(asNutzer(caller), { ...statement, values: [id] })
  if (rowCount > 0) await fileStore.drop(id)
}

/** A report as jsonb can hold it: names of columns and layers come from files, and may be no text that it takes. */
export const jsonForStorage = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'string' ? one.toWellFormed().replaceAll('\u0000', '') : one,
  )

/** Why an import failed that has no faults in its rows. */
export function reasonOf(error: unknown): Exclude<ImportReason, 'fehler' | 'server' | 'verschiebung'> {
  if (error instanceof ReaderEndedError) return 'abgebrochen'
  if (error instanceof FileFault) return 'datei'
  if (error instanceof DatabaseFault && error.code === '57014') return 'zeit'
  if (isDiskFull(error)) return 'platz'
  return 'datenbank'
}
