// Imports: an uploaded file waits, is previewed, and becomes objects in one transaction under the name of the
// person who started it. The work goes on without the browser; a server that stops leaves nothing half done.
import {
  type FileLayer,
  type ImportReport,
  type ImportValues,
  UPLOAD_MOST_BYTES,
  type VermessungImport,
  type Preview,
} from '#contract/vermessung-import.ts'
import { zoneOf } from '#domain/vermessung/fields.ts'
import { createMovedTally, type MovedObject } from '#domain/vermessung/moved.ts'
import type { Caller } from '#server/caller.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { ImportOrder } from '#server/program-import.ts'
import { CodedRefusal } from '../geodata/coded-refusal.ts'
import {
  discard,
  fetchRow,
  type ImportOptions,
  keepArrival,
  KEPT_DAYS,
  type SentFile,
} from '../geodata/imports.ts'
import type { Imports } from '../geodata/import-routes.ts'
import { whereaboutsOfKunde } from '../geodata/whereabouts.ts'
import { movedObjects } from './moved-objects.ts'
import { type ImportQuestion, readLayers, readPreview } from './reader.ts'
import { type Prepared, RunningImports } from './running-imports.ts'
import { importValuesOf } from './values.ts'

const KUNDE = {
  name: 'vermessung_kunde',
  text: 'select client_id from maps.import_target($1)',
}
const ADD = {
  name: 'vermessung_neu',
  text:
    'insert into app.vermessung_import (client_id, dateiname, format, groesse, sha256) values ($1, ' +
    '$2, $3, $4, $5) returning id',
}
const READ = {
  name: 'vermessung_import',
  text: `select i.id, i.client_id, i.dateiname, i.format, i.groesse, i.stand, i.modus, i.werte::text,
    i.bericht::text, i.wer,
      to_json(i.angelegt_am) #>> '{}' as angelegt_am, to_json(i.beendet_am) #>> '{}' as beendet_am, k.epsg, k.bundesland
    from app.vermessung_import i cross join lateral maps.import_target(i.client_id) k where i.id = $1`,
}
const GONE = {
  name: 'vermessung_weg',
  text: `delete from app.vermessung_import where id = $1 and stand not in ('laeuft', 'fertig')`,
}

/** In the file's own columns: where it is kept does not matter before it is imported. */
const ANY_ZONE = 25_832

interface TableRow extends Omit<VermessungImport, 'werte' | 'bericht' | 'fortschritt' | 'schichten'> {
  readonly werte: string | null
  readonly bericht: string | null
  readonly epsg: number
  readonly bundesland: string | null
}

export class SurveyImports implements Imports {
  readonly #options: ImportOptions<FileLayer>
  readonly #running: RunningImports

  constructor(options: ImportOptions<FileLayer>) {
    this.#options = options
    this.#running = new RunningImports(options)
    void options.fileStore.tidy(options.now(), KEPT_DAYS)
  }

  /** @throws Refusal */
  async may(caller: Caller, kunde: string): Promise<void> {
    await fetchRow(this.#options.database, caller, KUNDE, kunde)
  }

  async add(caller: Caller, kunde: string, sent: SentFile, signal: AbortSignal): Promise<VermessungImport> {
    const { limits } = this.#options
    await this.may(caller, kunde)
    const id = await keepArrival(this.#options, caller, {
      table: 'app.vermessung_import',
      sent,
      mostBytes: UPLOAD_MOST_BYTES,
      signal,
      look: (file) => readLayers({ datei: file, name: sent.name, zone: ANY_ZONE }, { limits, signal }),
      add: (known) => ({ ...ADD, values: [kunde, ...known] }),
    })
    return this.#shownOf(await this.#fetchRow(caller, String(id)))
  }

  async read(caller: Caller, id: string): Promise<VermessungImport> {
    const own = this.#running.ownOf(caller, id)
    if (own !== undefined) return { ...own.latest, fortschritt: own.fortschritt }
    const row = await this.#fetchRow(caller, id)
    if (row.stand !== 'laeuft' || this.#running.get(row.id) !== undefined) return this.#shownOf(row)
    await this.#running.recover(caller, row.client_id)
    return this.#shownOf(await this.#fetchRow(caller, id))
  }

  async check(caller: Caller, id: string, body: unknown, signal: AbortSignal): Promise<Preview> {
    const { database, work, limits } = this.#options
    const { row, question } = await this.#prepare(caller, id, body)
    const moved = createMovedTally()
    const preview = await work.run('short', { person: caller.person, signal }, () =>
      readPreview(question, { limits, signal }, async (objects) => {
        const asked = movedObjects(row.client_id, objects, question.zone)
        moved.count((await database.once<MovedObject>(asNutzer(caller, { readOnly: true }), asked)).rows)
      }),
    )
    return { ...preview, verschoben: moved.result() }
  }

  async start(caller: Caller, id: string, body: unknown): Promise<VermessungImport> {
    const { row, question } = await this.#prepare(caller, id, body)
    return this.#running.begin(caller, {
      id: row.id,
      client_id: row.client_id,
      question,
      show: () => this.#shownOf(row),
    })
  }

  /** Starts it and waits until it is over. */
  async runToEnd(
    caller: Caller,
    id: string,
    body: unknown,
    { keep, signal, onProgress }: Pick<ImportOrder, 'signal' | 'onProgress'> & Pick<Prepared, 'keep'>,
  ): Promise<VermessungImport> {
    const { row, question } = await this.#prepare(caller, id, body)
    await this.#running.begin(caller, {
      id: row.id,
      client_id: row.client_id,
      question,
      ...(keep && { keep }),
      show: () => this.#shownOf(row),
    })
    const running = this.#running.get(row.id)
    if (running !== undefined) {
      const abort = (): void => running.ende.abort()
      signal.addEventListener('abort', abort, { once: true })
      const telling = setInterval(() => onProgress(running.fortschritt), 500)
      await running.done
      clearInterval(telling)
      signal.removeEventListener('abort', abort)
    }
    return this.#shownOf(await this.#fetchRow(caller, id))
  }

  /** Aborts a running import; discards a waiting one. */
  async drop(caller: Caller, id: string): Promise<void> {
    const own = this.#running.ownOf(caller, id)
    const row = own?.latest ?? (await this.#fetchRow(caller, id))
    const running = own ?? this.#running.get(row.id)
    if (running !== undefined) return this.#running.abort(running)
    await discard(this.#options, caller, GONE, row.id)
  }

  /** Aborts running imports: the database rolls them back. */
  close(): Promise<void> {
    return this.#running.close()
  }

  #fetchRow(caller: Caller, id: string): Promise<TableRow> {
    return fetchRow(this.#options.database, caller, READ, id)
  }

  async #shownOf(row: TableRow): Promise<VermessungImport> {
    const { epsg: _epsg, bundesland: _land, werte, bericht, ...plain } = row
    return {
      ...plain,
      werte: werte === null ? null : (JSON.parse(werte) as ImportValues),
      bericht: bericht === null ? null : (JSON.parse(bericht) as ImportReport),
      fortschritt: row.stand === 'fertig' ? 100 : (this.#running.get(row.id)?.fortschritt ?? 0),
      schichten: await this.#options.fileStore.schichten(row.id),
    }
  }

  async #prepare(
    caller: Caller,
    id: string,
    body: unknown,
  ): Promise<{ readonly row: TableRow; readonly question: ImportQuestion }> {
    const { database, fileStore } = this.#options
    const row = await this.#fetchRow(caller, id)
    if (row.stand === 'fertig') throw new CodedRefusal('import_schon_fertig')
    const layers = await fileStore.schichten(row.id)
    if (layers.length === 0) throw new CodedRefusal('import_datei_weg')
    const question = {
      datei: fileStore.filePath(row.id),
      name: row.dateiname,
      zone: zoneOf(row.epsg, row.bundesland),
      wo: await whereaboutsOfKunde(database, caller, row.client_id),
      werte: importValuesOf(body, layers),
    }
    return { row, question }
  }
}
