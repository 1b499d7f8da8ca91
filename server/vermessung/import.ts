// Imports: an uploaded file waits, is previewed, and becomes objects in one transaction under the name of the
// person who started it. The work goes on without the browser; a server that stops leaves nothing half done.
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  type FileLayer,
  type ImportReport,
  type ImportValues,
  type ImportCount,
  UPLOAD_MOST_BYTES,
  type VermessungImport,
  type Preview,
} from '#contract/vermessung-import.ts'
import { type Table, zoneOf } from '#domain/vermessung/fields.ts'
import type { Caller } from '#server/caller.ts'
import { type Context, type Database, DatabaseFault, type Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { Turn, WorkQueue } from '#server/work-queue.ts'
import type { Store } from '../geodata/store.ts'
import { ReaderEndedError } from '../geodata/foreign.ts'
import { readLayers, readObjects, readPreview } from './reader.ts'
import { FileFault } from '../geodata/source.ts'
import { CodedRefusal } from '../geodata/coded-refusal.ts'
import { importValuesOf } from './values.ts'

const KUNDE = {
  name: 'vermessung_kunde',
  text: `select k.client_id, k.epsg, k.bundesland from app.kunde k where k.client_id = $1 and (select rechte.has_any('apus_admin', 'apus_team'))`,
}
const ADD = {
  name: 'vermessung_neu',
  text: 'insert into app.vermessung_import (client_id, dateiname, format, groesse, sha256) values ($1, $2, $3, $4, $5) returning id',
}
const READ = {
  name: 'vermessung_import',
  text: `select i.id, i.client_id, i.dateiname, i.format, i.groesse, i.stand, i.modus, i.werte::text, i.bericht::text, i.wer,
      to_json(i.angelegt_am) #>> '{}' as angelegt_am, to_json(i.beendet_am) #>> '{}' as beendet_am, k.epsg, k.bundesland
    from app.vermessung_import i join app.kunde k on k.client_id = i.client_id where i.id = $1`,
}
/** Only one import per customer at a time: a second one would find half of the first. */
const BEGIN = {
  name: 'vermessung_beginn',
  text: `update app.vermessung_import i set stand = 'laeuft', modus = $2, werte = $3::jsonb, bericht = null, begonnen_am = now(), beendet_am = null
    where i.id = $1 and i.stand <> 'laeuft' and i.stand <> 'fertig' and not exists (select from app.vermessung_import o where o.client_id = i.client_id and o.stand = 'laeuft') returning i.id`,
}
const ONE_AT_A_TIME = {
  name: 'vermessung_sperre',
  text: `select pg_advisory_xact_lock(hashtext('vermessung'))`,
}
const END = {
  name: 'vermessung_ende',
  text: `update app.vermessung_import set stand = $2, bericht = $3::jsonb, beendet_am = now() where id = $1`,
}
/**
 * Held by the transaction of an import as long as it runs: an import marked as running without this lock
 * was ended with its server.
 */
const HOLD = {
  name: 'vermessung_halten',
  text: `select pg_advisory_xact_lock(hashtext('vermessung_import'), $1::integer)`,
}
const UNDER_WAY = {
  name: 'vermessung_laeuft',
  text: `select i.id from app.vermessung_import i where i.id = $1 and i.stand = 'laeuft'`,
}
const RECOVER = {
  name: 'vermessung_verwaist',
  text: `update app.vermessung_import i set stand = 'abgebrochen', bericht = '{"grund": "server"}', beendet_am = now()
    where i.stand = 'laeuft' and i.client_id = $1 and i.id <> all ($2::bigint[]) and pg_try_advisory_xact_lock(hashtext('vermessung_import'), i.id::integer)`,
}
const GONE = {
  name: 'vermessung_weg',
  text: `delete from app.vermessung_import where id = $1 and stand not in ('laeuft', 'fertig')`,
}
const ROWS = {
  name: 'vermessung_zeilen',
  text: 'select neu, geaendert from rechte.vermessung_zeilen($1, $2, $3, $4::jsonb)',
}
const TIDY = { name: 'vermessung_aufraeumen', text: 'select rechte.vermessung_aufraeumen($1, $2) as weg' }
const IMPORT_TIMEOUT_MS = 5 * 60_000
/** For files that were uploaded and never imported. */
const KEPT_DAYS = 14

interface TableRow extends Omit<VermessungImport, 'werte' | 'bericht' | 'fortschritt' | 'schichten'> {
  readonly werte: string | null
  readonly bericht: string | null
  readonly epsg: number
  readonly bundesland: string | null
}
interface RunningImport {
  fortschritt: number
  /**
   * The person who started it is answered from here: the embedded engine has one session,
   * and the import occupies it.
   */
  readonly von: Caller
  readonly latest: VermessungImport
  readonly ende: AbortController
  readonly done: Promise<void>
}

export interface ImportOptions {
  readonly database: Database
  readonly fileStore: Store<FileLayer>
  readonly log: Log
  readonly now: () => Date
  /** For the process that reads a file. */
  readonly limits: Limits
  readonly work: WorkQueue
}

export function createImports({ database, fileStore, log, now, limits, work: queue }: ImportOptions) {
  const laufend = new Map<number, RunningImport>()
  /** Customers whose survey is being changed. */
  const kunden = new Set<number>()
  void fileStore.tidy(now(), KEPT_DAYS)

  async function rowOf(caller: Caller, id: string): Promise<TableRow> {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw new Refusal('not_found')
    const { rows } = await database.once<TableRow>(asNutzer(caller, { readOnly: true }), {
      ...READ,
      values: [id],
    })
    if (rows[0] === undefined) throw new Refusal('not_found')
    return rows[0]
  }
  const shown = async (zeile: TableRow): Promise<VermessungImport> => {
    const { epsg: _epsg, bundesland: _land, werte, bericht, ...plain } = zeile
    return {
      ...plain,
      werte: werte === null ? null : (JSON.parse(werte) as ImportValues),
      bericht: bericht === null ? null : (JSON.parse(bericht) as ImportReport),
      fortschritt: zeile.stand === 'fertig' ? 100 : (laufend.get(zeile.id)?.fortschritt ?? 0),
      schichten: await fileStore.schichten(zeile.id),
    }
  }
  const ownOne = (caller: Caller, id: string): RunningImport | undefined => {
    const currentRun = laufend.get(Number(id))
    return currentRun !== undefined &&
      currentRun.von.claims.iss === caller.claims.iss &&
      currentRun.von.claims.sub === caller.claims.sub
      ? currentRun
      : undefined
  }
  async function prepared(caller: Caller, id: string, body: unknown) {
    const zeile = await rowOf(caller, id)
    if (zeile.stand === 'fertig') throw new CodedRefusal('import_schon_fertig')
    const schichten = await fileStore.schichten(zeile.id)
    if (schichten.length === 0) throw new CodedRefusal('import_datei_weg')
    const werte = importValuesOf(body, schichten)
    return {
      zeile,
      werte,
      auftrag: {
        datei: fileStore.filePath(zeile.id),
        name: zeile.dateiname,
        zone: zoneOf(zeile.epsg, zeile.bundesland),
        werte,
      },
    }
  }

  type JobSpec = Awaited<ReturnType<typeof prepared>>['auftrag']

  async function work(
    tx: Transaction,
    id: number,
    auftrag: JobSpec,
    currentRun: RunningImport,
  ): Promise<ImportCount[]> {
    const counts = new Map<Table, ImportCount>()
    for (const { tabelle } of auftrag.werte.schichten)
      counts.set(tabelle, { tabelle, neu: 0, geaendert: 0, entfernt: 0 })
    const { fehlerzahl, fehler } = await readObjects(
      auftrag,
      async ({ tabelle, json, gelesen, total }) => {
        const { rows } = await tx.query<{ neu: number; geaendert: number }>({
          ...ROWS,
          values: [id, tabelle, auftrag.zone, json],
        })
        const count = counts.get(tabelle)!
        count.neu += rows[0]?.neu ?? 0
        count.geaendert += rows[0]?.geaendert ?? 0
        currentRun.fortschritt = Math.min(95, Math.round((95 * gelesen) / Math.max(1, total)))
      },
      { limits, signal: currentRun.ende.signal },
    )
    if (fehlerzahl > 0) throw new InputFault({ grund: 'fehler', fehlerzahl, fehler: [...fehler] })
    if (auftrag.werte.modus === 'ersetzen')
      for (const count of counts.values()) {
        const { rows } = await tx.query<{ weg: number }>({ ...TIDY, values: [id, count.tabelle] })
        count.entfernt = rows[0]?.weg ?? 0
      }
    return [...counts.values()]
  }

  async function run(
    context: Context,
    id: number,
    { auftrag, turn }: { readonly auftrag: JobSpec; readonly turn: Turn },
    currentRun: RunningImport,
  ): Promise<void> {
    const begun = now().getTime()
    let stand: 'fertig' | 'fehlgeschlagen' | 'abgebrochen' = 'fertig'
    let bericht: ImportReport
    try {
      await turn.come.catch(() => {
        throw new ReaderEndedError()
      })
      const objekte = await database.transaction({ ...context, timeoutMs: IMPORT_TIMEOUT_MS }, async (tx) => {
        await tx.query({ ...HOLD, values: [id] })
        // While this waited, another server may have mistaken the import for one whose server had ended.
        if ((await tx.query({ ...UNDER_WAY, values: [id] })).rowCount === 0) throw new ReaderEndedError()
        return work(tx, id, auftrag, currentRun)
      })
      bericht = { objekte, dauer_ms: now().getTime() - begun }
    } catch (error) {
      ;[stand, bericht] = outcomeOf(error)
      if (bericht.grund === 'datenbank')
        log.error('survey not imported', { import: id, reason: String(error).slice(0, 500) })
    }
    await database
      .once(context, { ...END, values: [id, stand, JSON.stringify(bericht)] })
      .catch((error: unknown) =>
        log.error('import not ended', { import: id, reason: String(error).slice(0, 300) }),
      )
    if (stand === 'fertig') await fileStore.drop(id)
  }

  async function begin(
    caller: Caller,
    { zeile, werte, auftrag }: Awaited<ReturnType<typeof prepared>>,
  ): Promise<VermessungImport> {
    const context = asNutzer(caller)
    const ende = new AbortController()
    // Before the row is marked as running: if the queue is full, the import is refused.
    const turn = queue.admit('long', { person: caller.person, signal: ende.signal })
    const begun = await database
      .transaction(context, async (tx) => {
        await tx.query(ONE_AT_A_TIME)
        await tx.query({ ...RECOVER, values: [zeile.client_id, [...laufend.keys()]] })
        return tx.query({ ...BEGIN, values: [zeile.id, werte.modus, JSON.stringify(werte)] })
      })
      .catch((error: unknown) => {
        turn.release()
        throw error
      })
    if (begun.rowCount === 0) {
      turn.release()
      throw new CodedRefusal('import_laeuft')
    }
    const started = Promise.withResolvers<void>()
    const latest: VermessungImport = {
      ...(await shown(zeile)),
      stand: 'laeuft',
      modus: werte.modus,
      werte,
      bericht: null,
    }
    const currentRun: RunningImport = { fortschritt: 0, von: caller, latest, ende, done: started.promise }
    laufend.set(zeile.id, currentRun)
    void run(context, zeile.id, { auftrag, turn }, currentRun).finally(() => {
      turn.release()
      laufend.delete(zeile.id)
      kunden.delete(zeile.client_id)
      started.resolve()
    })
    return latest
  }

  return {
    async add(
      caller: Caller,
      kunde: string,
      { name, body }: { readonly name: string; readonly body: Readable },
      signal: AbortSignal,
    ): Promise<VermessungImport> {
      if (!/^[1-9]\d{0,14}$/.test(kunde)) throw new Refusal('not_found')
      const { rows } = await database.once<{ client_id: number; epsg: number; bundesland: string | null }>(
        asNutzer(caller, { readOnly: true }),
        { ...KUNDE, values: [kunde] },
      )
      if (rows[0] === undefined) throw new Refusal('not_found')
      const datei = await fileStore.take(body, UPLOAD_MOST_BYTES)
      try {
        const auftrag = { datei: datei.filePath, name, zone: 25832 } as const
        const { format, schichten } = await queue.run('short', { person: caller.person, signal }, () =>
          readLayers(auftrag, { limits, signal }),
        )
        const made = await database.once<{ id: number }>(asNutzer(caller), {
          ...ADD,
          values: [kunde, name, format, datei.groesse, datei.sha256],
        })
        const id = made.rows[0]!.id
        await fileStore.keep(id, datei, schichten)
        return await shown(await rowOf(caller, String(id)))
      } finally {
        await rm(datei.filePath, { force: true })
      }
    },
    async read(caller: Caller, id: string): Promise<VermessungImport> {
      const own = ownOne(caller, id)
      if (own !== undefined) return { ...own.latest, fortschritt: own.fortschritt }
      const zeile = await rowOf(caller, id)
      if (zeile.stand !== 'laeuft' || laufend.has(zeile.id)) return shown(zeile)
      await database.once(asNutzer(caller), { ...RECOVER, values: [zeile.client_id, [...laufend.keys()]] })
      return shown(await rowOf(caller, id))
    },
    async check(caller: Caller, id: string, body: unknown, signal: AbortSignal): Promise<Preview> {
      const { auftrag } = await prepared(caller, id, body)
      return queue.run('short', { person: caller.person, signal }, () =>
        readPreview(auftrag, { limits, signal }),
      )
    },
    async start(caller: Caller, id: string, body: unknown): Promise<VermessungImport> {
      const { zeile, werte, auftrag } = await prepared(caller, id, body)
      // Before the first await: with one session the database would answer the second request
      // only when the first is done.
      if (kunden.has(zeile.client_id)) throw new CodedRefusal('import_laeuft')
      kunden.add(zeile.client_id)
      try {
        return await begin(caller, { zeile, werte, auftrag })
      } catch (error) {
        kunden.delete(zeile.client_id)
        throw error
      }
    },
    /** Aborts a running import; discards a waiting one. */
    async drop(caller: Caller, id: string): Promise<void> {
      const own = ownOne(caller, id)
      const zeile = own?.latest ?? (await rowOf(caller, id))
      const currentRun = own ?? laufend.get(zeile.id)
      if (currentRun !== undefined) {
        currentRun.ende.abort()
        await currentRun.done
        return
      }
      const { rowCount } = await database.once(asNutzer(caller), { ...GONE, values: [zeile.id] })
      if (rowCount > 0) await fileStore.drop(zeile.id)
    },
    async close(): Promise<void> {
      for (const { ende } of laufend.values()) ende.abort()
      await Promise.all([...laufend.values()].map(({ done }) => done))
    },
  }
}

class InputFault extends Error {
  readonly bericht: ImportReport
  constructor(bericht: ImportReport) {
    super('objects with faults')
    this.bericht = bericht
  }
}
function outcomeOf(error: unknown): ['fehlgeschlagen' | 'abgebrochen', ImportReport] {
  if (error instanceof InputFault) return ['fehlgeschlagen', error.bericht]
  if (error instanceof ReaderEndedError) return ['abgebrochen', { grund: 'abgebrochen' }]
  if (error instanceof FileFault) return ['fehlgeschlagen', { grund: 'datei' }]
  if (error instanceof DatabaseFault && error.code === '57014') return ['fehlgeschlagen', { grund: 'zeit' }]
  return ['fehlgeschlagen', { grund: 'datenbank' }]
}
