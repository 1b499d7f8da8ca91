// Imports of a plan: an uploaded file waits, is previewed, and replaces a holding's stands in one transaction
// under the name of the person who started it. A server that stops leaves nothing half done.
import {
  type BestandImport,
  FE_MOST_BYTES,
  type FeReport,
  type FeFileLayer,
  type FePreview,
} from '#contract/bestand-import.ts'
import type { Caller } from '#server/caller.ts'
import type { Statement, Transaction } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { KeyLimitRefusal, Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import {
  discard,
  fetchRow,
  IMPORT_TIMEOUT_MS,
  type ImportOptions,
  keepArrival,
  KEPT_DAYS,
  reasonOf,
  type SentFile,
  jsonForStorage,
} from '../geodata/imports.ts'
import type { Imports } from '../geodata/import-routes.ts'
import { readAhead } from '../geodata/read-ahead.ts'
import { whereaboutsOfHq } from '../geodata/whereabouts.ts'
import { readLayers, readPreview, readRows } from './reader.ts'
import { feValuesOf } from './values.ts'
import type { Message } from './work.ts'
import { END, FarFault, importedAlready, InputFault, type PlanImport, replaceStands } from './write-stands.ts'

const HQ = {
  name: 'bestand_hq',
  text: `select h.client_id, to_json(h.ebenen)::text as ebenen from forest.import_target($1, 'bestaende') h`,
}
const ADD = {
  name: 'bestand_import_neu',
  text:
    'insert into app.bestand_import ("idHQ", client_id, dateiname, format, groesse, sha256) ' +
    'values ($1, $2, $3, $4, $5, $6) returning id',
}
const READ = {
  name: 'bestand_import',
  text: `select i.id, i."idHQ", h."sHQ", to_json(h.ebenen)::text as ebenen, i.dateiname, i.format,
    i.groesse, i.stand, i.werte::text, i.bericht::text, i.wer,
      to_json(i.angelegt_am) #>> '{}' as angelegt_am, to_json(i.beendet_am) #>> '{}' as beendet_am,
      (select count(*)::integer from app.bestand b where b."idHQ" = i."idHQ") as vorhanden,
      rights.key_reads('betriebe', i.client_id) as "opensHq"
    from app.bestand_import i cross join lateral forest.import_target(i."idHQ", 'bestaende') h where i.id = $1`,
}
const GONE = {
  name: 'bestand_weg',
  text: `delete from app.bestand_import where id = $1 and stand <> 'fertig'`,
}

interface TableRow extends Omit<BestandImport, 'werte' | 'bericht' | 'schichten' | 'ebenen'> {
  readonly ebenen: string
  readonly werte: string | null
  readonly bericht: string | null
  /** The caller's key opens the group of the headquarters. */
  readonly opensHq: boolean
}

interface Kept {
  /** Runs in the transaction of the import. */
  keep?(report: FeReport): Statement
}

export class PlanImports implements Imports {
  readonly #options: ImportOptions<FeFileLayer>
  readonly #running = new Set<AbortController>()

  constructor(options: ImportOptions<FeFileLayer>) {
    this.#options = options
    void options.fileStore.tidy(options.now(), KEPT_DAYS)
  }

  /** Who may import there. @throws Refusal */
  may(caller: Caller, hq: string): Promise<{ readonly client_id: number; readonly ebenen: string }> {
    return fetchRow(this.#options.database, caller, HQ, hq)
  }

  async add(caller: Caller, hq: string, sent: SentFile, signal: AbortSignal): Promise<BestandImport> {
    const { limits } = this.#options
    const { client_id, ebenen } = await this.may(caller, hq)
    const levels = JSON.parse(ebenen) as string[]
    const id = await keepArrival(this.#options, caller, {
      table: 'app.bestand_import',
      sent,
      mostBytes: FE_MOST_BYTES,
      signal,
      look: (file) => readLayers({ datei: file, name: sent.name, ebenen: levels }, { limits, signal }),
      add: (known) => ({ ...ADD, values: [hq, client_id, ...known] }),
    })
    return this.read(caller, String(id))
  }

  async read(caller: Caller, id: string): Promise<BestandImport> {
    const { opensHq: _opens, ...row } = await this.#fetchRow(caller, id)
    return {
      ...row,
      ebenen: JSON.parse(row.ebenen) as string[],
      werte: row.werte === null ? null : JSON.parse(row.werte),
      bericht: row.bericht === null ? null : (JSON.parse(row.bericht) as FeReport),
      schichten: await this.#options.fileStore.schichten(row.id),
    }
  }

  async check(caller: Caller, id: string, body: unknown, signal: AbortSignal): Promise<FePreview> {
    const { work, limits } = this.#options
    const { question } = await this.#prepare(caller, id, body)
    return work.run('short', { person: caller.person, signal }, () =>
      readPreview(question, { limits, signal }),
    )
  }

  /**
   * Resolves when the import is over, whatever its result; the browser that started it may be gone by then.
   */
  async start(
    caller: Caller,
    id: string,
    body: unknown,
    { signal, ...kept }: Kept & { readonly signal?: AbortSignal } = {},
  ): Promise<BestandImport> {
    const plan = await this.#prepare(caller, id, body)
    const ending = new AbortController()
    this.#running.add(ending)
    try {
      const both = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal])
      await this.#run(caller, { ...plan, ...kept }, both)
    } catch (error) {
      if (error instanceof Refusal) throw error
      await this.#recordFailure(caller, plan, error)
    } finally {
      this.#running.delete(ending)
    }
    return this.read(caller, id)
  }

  async drop(caller: Caller, id: string): Promise<void> {
    await discard(this.#options, caller, GONE, (await this.#fetchRow(caller, id)).id)
  }

  /** Aborts running imports: the database rolls them back. */
  close(): void {
    for (const ending of this.#running) ending.abort()
  }

  #fetchRow(caller: Caller, id: string): Promise<TableRow> {
    return fetchRow(this.#options.database, caller, READ, id)
  }

  async #prepare(caller: Caller, id: string, body: unknown): Promise<PlanImport> {
    const { database, fileStore } = this.#options
    const row = await this.#fetchRow(caller, id)
    if (row.stand === 'fertig')
      throw new Refusal(
        'conflict',
        'Diese Datei ist schon importiert. Laden Sie sie für einen weiteren Import neu hoch.',
      )
    const layers = await fileStore.schichten(row.id)
    if (layers.length === 0)
      throw new Refusal(
        'conflict',
        'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
      )
    const question = {
      datei: fileStore.filePath(row.id),
      name: row.dateiname,
      ebenen: JSON.parse(row.ebenen) as string[],
      wo: await whereaboutsOfHq(database, caller, row.idHQ, 'bestaende'),
      werte: feValuesOf(body, layers),
    }
    if (question.werte.uebernehmen && !row.opensHq)
      throw new KeyLimitRefusal(
        'key_group',
        'Dieser Schlüssel öffnet den Bereich „betriebe“ nicht; ohne ihn lassen sich Fläche und Stichtag nicht ' +
          'in den Betrieb übernehmen. (This key does not open: betriebe.)',
      )
    return { id: row.id, idHQ: row.idHQ, question }
  }

  async #run(caller: Caller, { keep, ...plan }: PlanImport & Kept, signal: AbortSignal): Promise<void> {
    const { database, fileStore, work, limits } = this.#options
    const context = { ...asNutzer(caller), timeoutMs: IMPORT_TIMEOUT_MS }
    const take = (read: AsyncIterable<Message>) => async (tx: Transaction) => {
      const report = await replaceStands(tx, plan, read)
      if (keep !== undefined) await tx.query(keep(report))
    }
    await work.run('long', { person: caller.person, signal }, async () => {
      const path = await fileStore.zwischenort()
      const messages = readRows(plan.question, { limits, signal })
      return readAhead(messages, { path, signal }, (read) => database.transaction(context, take(read)))
    })
    await fileStore.drop(plan.id)
  }

  async #recordFailure(caller: Caller, { id, question }: PlanImport, error: unknown): Promise<void> {
    const { database, log } = this.#options
    const report = reportOf(error)
    if (report.grund === 'datenbank')
      log.error('plan not imported', { import: id, reason: reasonForLog(error) })
    const values = [id, 'fehlgeschlagen', jsonForStorage(report), JSON.stringify(question.werte)]
    const { rowCount } = await database.once(asNutzer(caller), { ...END, values })
    if (rowCount === 0) throw importedAlready()
  }
}

const reportOf = (error: unknown): FeReport => {
  if (error instanceof FarFault) return { grund: 'ort', fern: error.fern }
  return error instanceof InputFault
    ? { grund: 'fehler', fehlerzahl: error.zahl, fehler: error.fehler }
    : { grund: reasonOf(error) }
}
