// Imports of a plan: an uploaded file waits, is previewed, and replaces a holding's stands in one transaction
// under the name of the person who started it. A server that stops leaves nothing half done.
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  type BestandImport,
  FE_MOST_BYTES,
  type FeReport,
  type FeFileLayer,
  type FePreview,
} from '#contract/bestand-import.ts'
import type { FeFault } from '#domain/bestand-import.ts'
import type { Caller } from '#server/caller.ts'
import { type Database, DatabaseFault, type Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { RunOptions } from '#server/reader/run-reader.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import type { Store } from '../geodata/store.ts'
import { ReaderEndedError, readForeign } from '../geodata/foreign.ts'
import { FileFault } from '../geodata/source.ts'
import type { JobSpec, Message } from './work.ts'
import { feValuesOf } from './values.ts'

const HQ = {
  name: 'bestand_hq',
  text: `select h."idHQ", h.client_id, to_json(h.ebenen)::text as ebenen from app.hq h where h."idHQ" = $1 and (select rechte.has_role('ogf_admin'))`,
}
const ADD = {
  name: 'bestand_import_neu',
  text: 'insert into app.bestand_import ("idHQ", client_id, dateiname, format, groesse, sha256) values ($1, $2, $3, $4, $5, $6) returning id',
}
const READ = {
  name: 'bestand_import',
  text: `select i.id, i."idHQ", h."sHQ", to_json(h.ebenen)::text as ebenen, i.dateiname, i.format, i.groesse, i.stand, i.werte::text, i.bericht::text, i.wer,
      to_json(i.angelegt_am) #>> '{}' as angelegt_am, to_json(i.beendet_am) #>> '{}' as beendet_am, (select count(*)::integer from app.bestand b where b."idHQ" = i."idHQ") as vorhanden
    from app.bestand_import i join app.hq h on h."idHQ" = i."idHQ" where i.id = $1`,
}
/** Only one import per holding at a time; a second one is refused at once. */
const LOCK = {
  name: 'bestand_sperre',
  text: `select pg_try_advisory_xact_lock(hashtext('bestand'), $1::integer) as mine`,
}
const BEGIN = {
  name: 'bestand_beginn',
  text: `update app.bestand_import set stand = 'laeuft', werte = $2::jsonb, bericht = null where id = $1 and stand in ('bereit', 'fehlgeschlagen') returning id`,
}
const CLEAR = { name: 'bestand_leeren', text: 'select rechte.bestand_leeren($1) as weg' }
const STANDS = {
  name: 'bestand_zeilen',
  text: 'select neu, bereinigt, to_json(leer)::text as leer from rechte.bestand_zeilen($1, $2::jsonb)',
}
const SPECIES = { name: 'baumarten_zeilen', text: 'select rechte.baumarten_zeilen($1, $2::jsonb) as neu' }
/** Areas that are not forest ground (Nichtholzboden) are not part of the plan's area. */
const TAKE_OVER = {
  name: 'bestand_uebernehmen',
  text: `update app.hq h set "dtFE" = coalesce(s.tag, h."dtFE"), "dcFLAEHB" = coalesce(s.ha, h."dcFLAEHB")
    from (select max(b.stichtag) as tag, sum(b.flaeche_ha) filter (where b.nutzungsart is null or b.nutzungsart !~* '^nichtholz') as ha from app.bestand b where b."idHQ" = $1) s where h."idHQ" = $1`,
}
const END = {
  name: 'bestand_ende',
  text: `update app.bestand_import set stand = $2, bericht = $3::jsonb, werte = coalesce($4::jsonb, werte), beendet_am = now() where id = $1`,
}
const GONE = {
  name: 'bestand_weg',
  text: `delete from app.bestand_import where id = $1 and stand <> 'fertig'`,
}
const TIMEOUT_MS = 5 * 60_000
/** For files that were uploaded and never imported. */
const KEPT_DAYS = 14
const WORKER = new URL('./reader-worker.ts', import.meta.url)

interface TableRow extends Omit<BestandImport, 'werte' | 'bericht' | 'schichten' | 'ebenen'> {
  readonly ebenen: string
  readonly werte: string | null
  readonly bericht: string | null
}

export interface ImportOptions {
  readonly database: Database
  readonly fileStore: Store<FeFileLayer>
  readonly log: Log
  readonly now: () => Date
  /** For the process that reads a file. */
  readonly limits: Limits
  readonly work: WorkQueue
}

async function only<Kind extends Message['art']>(
  art: Kind,
  jobSpec: JobSpec,
  { limits, signal }: RunOptions,
): Promise<Extract<Message, { art: Kind }>> {
  for await (const message of readForeign<Message>(WORKER, jobSpec, { limits, signal }))
    if (message.art === art) return message as Extract<Message, { art: Kind }>
  throw new FileFault('datei_kaputt')
}

export function createImports({ database, fileStore, log, now, limits, work: queue }: ImportOptions) {
  const running = new Set<AbortController>()
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
  const shown = async (zeile: TableRow): Promise<BestandImport> => ({
    ...zeile,
    ebenen: JSON.parse(zeile.ebenen) as string[],
    werte: zeile.werte === null ? null : JSON.parse(zeile.werte),
    bericht: zeile.bericht === null ? null : (JSON.parse(zeile.bericht) as FeReport),
    schichten: await fileStore.schichten(zeile.id),
  })
  async function prepared(caller: Caller, id: string, body: unknown) {
    const zeile = await rowOf(caller, id)
    if (zeile.stand === 'fertig')
      throw new Refusal(
        'conflict',
        'Diese Datei ist schon importiert. Laden Sie sie für einen weiteren Import neu hoch.',
      )
    const schichten = await fileStore.schichten(zeile.id)
    if (schichten.length === 0)
      throw new Refusal(
        'conflict',
        'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
      )
    const werte = feValuesOf(body, schichten)
    const jobSpec = {
      datei: fileStore.filePath(zeile.id),
      name: zeile.dateiname,
      ebenen: JSON.parse(zeile.ebenen) as string[],
      werte,
    }
    return { zeile, werte, jobSpec }
  }

  async function work(
    tx: Transaction,
    { zeile, werte, jobSpec }: Awaited<ReturnType<typeof prepared>>,
    signal: AbortSignal,
  ): Promise<FeReport> {
    const { id, idHQ } = zeile
    const lock = await tx.query<{ mine: boolean }>({ ...LOCK, values: [idHQ] })
    if (lock.rows[0]?.mine !== true)
      throw new Refusal(
        'conflict',
        'Für diesen Forstbetrieb läuft schon ein Import. Bitte warten Sie, bis er fertig ist.',
      )
    const begun = await tx.query({ ...BEGIN, values: [id, JSON.stringify(werte)] })
    if (begun.rowCount === 0)
      throw new Refusal('conflict', 'Diese Datei ist schon importiert. Laden Sie die Seite neu.')
    const cleared = await tx.query<{ weg: number }>({ ...CLEAR, values: [id] })
    const bericht = { bestaende: 0, baumarten: 0, entfernt: cleared.rows[0]?.weg ?? 0, bereinigt: 0 }
    for await (const message of readForeign<Message>(
      WORKER,
      { ...jobSpec, readOut: true },
      { limits, signal },
    )) {
      if (message.art === 'zeilen' && message.tabelle === 'bestand') {
        const { rows } = await tx.query<{ neu: number; bereinigt: number; leer: string }>({
          ...STANDS,
          values: [id, message.json],
        })
        bericht.bestaende += rows[0]?.neu ?? 0
        bericht.bereinigt += rows[0]?.bereinigt ?? 0
        const leer = JSON.parse(rows[0]?.leer ?? '[]') as number[]
        if (leer.length > 0)
          throw new InputFault(
            leer.map((nr) => ({
              schicht: message.schicht,
              nr,
              feld: 'geometrie',
              art: 'geometrie_kaputt' as const,
              wert: '',
            })),
            leer.length,
          )
      }
      if (message.art === 'zeilen' && message.tabelle === 'baumarten') {
        const { rows } = await tx.query<{ neu: number }>({ ...SPECIES, values: [id, message.json] })
        if (rows[0]?.neu !== message.anzahl) throw new Error('species without a stand')
        bericht.baumarten += message.anzahl
      }
      if (message.art === 'fertig') {
        if (message.fehlerzahl > 0) throw new InputFault([...message.fehler], message.fehlerzahl)
        if (werte.uebernehmen) await tx.query({ ...TAKE_OVER, values: [idHQ] })
        await tx.query({ ...END, values: [id, 'fertig', JSON.stringify(bericht), null] })
        return bericht
      }
    }
    throw new FileFault('datei_kaputt')
  }

  return {
    async add(
      caller: Caller,
      hq: string,
      { name, body }: { readonly name: string; readonly body: Readable },
      signal: AbortSignal,
    ): Promise<BestandImport> {
      if (!/^[1-9]\d{0,14}$/.test(hq)) throw new Refusal('not_found')
      const { rows } = await database.once<{ client_id: number; ebenen: string }>(
        asNutzer(caller, { readOnly: true }),
        {
          ...HQ,
          values: [hq],
        },
      )
      const [found] = rows
      if (found === undefined) throw new Refusal('not_found')
      const datei = await fileStore.take(body, FE_MOST_BYTES)
      try {
        const jobSpec = {
          datei: datei.filePath,
          name,
          ebenen: JSON.parse(found.ebenen) as string[],
          werte: null,
          readOut: false,
        }
        const order = { person: caller.person, signal }
        const { format, schichten } = await queue.run('short', order, () =>
          only('lage', jobSpec, { limits, signal }),
        )
        const made = await database.once<{ id: number }>(asNutzer(caller), {
          ...ADD,
          values: [hq, found.client_id, name, format, datei.groesse, datei.sha256],
        })
        const id = made.rows[0]!.id
        await fileStore.keep(id, datei, schichten)
        return await shown(await rowOf(caller, String(id)))
      } finally {
        await rm(datei.filePath, { force: true })
      }
    },
    read: async (caller: Caller, id: string): Promise<BestandImport> => shown(await rowOf(caller, id)),
    async check(caller: Caller, id: string, body: unknown, signal: AbortSignal): Promise<FePreview> {
      const { jobSpec } = await prepared(caller, id, body)
      const order = { person: caller.person, signal }
      return (
        await queue.run('short', order, () =>
          only('vorschau', { ...jobSpec, readOut: false }, { limits, signal }),
        )
      ).vorschau
    },
    /**
     * Resolves when the import is over, whatever its result; the browser that started it may be gone by then.
     */
    async start(caller: Caller, id: string, body: unknown): Promise<BestandImport> {
      const ready = await prepared(caller, id, body)
      const ende = new AbortController()
      running.add(ende)
      try {
        await queue.run('long', { person: caller.person, signal: ende.signal }, () =>
          database.transaction({ ...asNutzer(caller), timeoutMs: TIMEOUT_MS }, (tx) =>
            work(tx, ready, ende.signal),
          ),
        )
        await fileStore.drop(ready.zeile.id)
      } catch (error) {
        if (error instanceof Refusal) throw error
        const bericht = reportOf(error)
        if (bericht.grund === 'datenbank')
          log.error('plan not imported', { import: ready.zeile.id, reason: String(error).slice(0, 500) })
        await database.once(asNutzer(caller), {
          ...END,
          values: [ready.zeile.id, 'fehlgeschlagen', JSON.stringify(bericht), JSON.stringify(ready.werte)],
        })
      } finally {
        running.delete(ende)
      }
      return shown(await rowOf(caller, id))
    },
    async drop(caller: Caller, id: string): Promise<void> {
      const zeile = await rowOf(caller, id)
      const { rowCount } = await database.once(asNutzer(caller), { ...GONE, values: [zeile.id] })
      if (rowCount > 0) await fileStore.drop(zeile.id)
    },
    close(): void {
      for (const ende of running) ende.abort()
    },
  }
}

class InputFault extends Error {
  readonly fehler: FeFault[]
  readonly zahl: number
  constructor(fehler: FeFault[], zahl: number) {
    super('rows with faults')
    this.fehler = fehler
    this.zahl = zahl
  }
}
function reportOf(error: unknown): FeReport {
  if (error instanceof InputFault) return { grund: 'fehler', fehlerzahl: error.zahl, fehler: error.fehler }
  if (error instanceof ReaderEndedError) return { grund: 'abgebrochen' }
  if (error instanceof FileFault) return { grund: 'datei' }
  if (error instanceof DatabaseFault && error.code === '57014') return { grund: 'zeit' }
  return { grund: 'datenbank' }
}
