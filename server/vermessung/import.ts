// Imports: a file waits, is looked at, and becomes objects in one transaction under the name of whoever ordered it. The work goes on without the browser; a server that ends takes nothing half done along.
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  type DateiSchicht,
  type ImportBericht,
  type ImportWerte,
  type ImportZaehler,
  UPLOAD_MOST_BYTES,
  type VermessungImport,
  type Vorschau,
} from '#contract/vermessung-import.ts'
import { type Tabelle, zoneOf } from '#domain/vermessung/felder.ts'
import type { Caller } from '#server/caller.ts'
import { type Context, type Database, DatabaseFault, type Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { Turn, WorkQueue } from '#server/work-queue.ts'
import type { Ablage } from '../geodaten/ablage.ts'
import { LeserEnde } from '../geodaten/foreign.ts'
import { readLage, readObjekte, readVorschau } from './leser.ts'
import { DateiFault } from '../geodaten/quelle.ts'
import { Ablehnung } from '../geodaten/ablehnung.ts'
import { importWerteOf } from './werte.ts'

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
/** Only one import of a customer at a time: the other would find half of it. */
const BEGIN = {
  name: 'vermessung_beginn',
  text: `update app.vermessung_import i set stand = 'laeuft', modus = $2, werte = $3::jsonb, bericht = null, begonnen_am = now(), beendet_am = null
    where i.id = $1 and i.stand <> 'laeuft' and i.stand <> 'fertig' and not exists (select from app.vermessung_import o where o.client_id = i.client_id and o.stand = 'laeuft') returning i.id`,
}
const ONE_AT_A_TIME = { name: 'vermessung_sperre', text: `select pg_advisory_xact_lock(hashtext('vermessung'))` }
const END = {
  name: 'vermessung_ende',
  text: `update app.vermessung_import set stand = $2, bericht = $3::jsonb, beendet_am = now() where id = $1`,
}
/** Held by the transaction of an import for as long as it lasts: what is under way and not held was ended with its server. */
const HOLD = { name: 'vermessung_halten', text: `select pg_advisory_xact_lock(hashtext('vermessung_import'), $1::integer)` }
const UNDER_WAY = { name: 'vermessung_laeuft', text: `select i.id from app.vermessung_import i where i.id = $1 and i.stand = 'laeuft'` }
const RECOVER = {
  name: 'vermessung_verwaist',
  text: `update app.vermessung_import i set stand = 'abgebrochen', bericht = '{"grund": "server"}', beendet_am = now()
    where i.stand = 'laeuft' and i.client_id = $1 and i.id <> all ($2::bigint[]) and pg_try_advisory_xact_lock(hashtext('vermessung_import'), i.id::integer)`,
}
const GONE = { name: 'vermessung_weg', text: `delete from app.vermessung_import where id = $1 and stand not in ('laeuft', 'fertig')` }
const ROWS = { name: 'vermessung_zeilen', text: 'select neu, geaendert from rechte.vermessung_zeilen($1, $2, $3, $4::jsonb)' }
const TIDY = { name: 'vermessung_aufraeumen', text: 'select rechte.vermessung_aufraeumen($1, $2) as weg' }
const IMPORT_TIMEOUT_MS = 5 * 60_000
/** A file that nobody came back for. */
const KEPT_DAYS = 14

interface Zeile extends Omit<VermessungImport, 'werte' | 'bericht' | 'fortschritt' | 'schichten'> {
  readonly werte: string | null
  readonly bericht: string | null
  readonly epsg: number
  readonly bundesland: string | null
}
interface Laufend {
  fortschritt: number
  /** Whoever ordered it is answered from here: the embedded engine has one session, and the import holds it. */
  readonly von: Caller
  readonly zuletzt: VermessungImport
  readonly ende: AbortController
  readonly done: Promise<void>
}

export interface ImportOptions {
  readonly database: Database
  readonly ablage: Ablage<DateiSchicht>
  readonly log: Log
  readonly now: () => Date
  /** Of the process that reads a file. */
  readonly limits: Limits
  readonly work: WorkQueue
}

export function createImporte({ database, ablage, log, now, limits, work: queue }: ImportOptions) {
  const laufend = new Map<number, Laufend>()
  /** Customers whose survey is being changed. */
  const kunden = new Set<number>()
  void ablage.tidy(now(), KEPT_DAYS)

  async function zeileOf(caller: Caller, id: string): Promise<Zeile> {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw new Refusal('not_found')
    const { rows } = await database.once<Zeile>(asNutzer(caller, { readOnly: true }), { ...READ, values: [id] })
    if (rows[0] === undefined) throw new Refusal('not_found')
    return rows[0]
  }
  const shown = async (zeile: Zeile): Promise<VermessungImport> => {
    const { epsg: _epsg, bundesland: _land, werte, bericht, ...plain } = zeile
    return {
      ...plain,
      werte: werte === null ? null : (JSON.parse(werte) as ImportWerte),
      bericht: bericht === null ? null : (JSON.parse(bericht) as ImportBericht),
      fortschritt: zeile.stand === 'fertig' ? 100 : (laufend.get(zeile.id)?.fortschritt ?? 0),
      schichten: await ablage.schichten(zeile.id),
    }
  }
  const eigener = (caller: Caller, id: string): Laufend | undefined => {
    const lauf = laufend.get(Number(id))
    return lauf !== undefined && lauf.von.claims.iss === caller.claims.iss && lauf.von.claims.sub === caller.claims.sub ? lauf : undefined
  }
  async function prepared(caller: Caller, id: string, body: unknown) {
    const zeile = await zeileOf(caller, id)
    if (zeile.stand === 'fertig') throw new Ablehnung('import_schon_fertig')
    const schichten = await ablage.schichten(zeile.id)
    if (schichten.length === 0) throw new Ablehnung('import_datei_weg')
    const werte = importWerteOf(body, schichten)
    return {
      zeile,
      werte,
      auftrag: { datei: ablage.pfad(zeile.id), name: zeile.dateiname, zone: zoneOf(zeile.epsg, zeile.bundesland), werte },
    }
  }

  type Auftrag = Awaited<ReturnType<typeof prepared>>['auftrag']

  async function work(tx: Transaction, id: number, auftrag: Auftrag, lauf: Laufend): Promise<ImportZaehler[]> {
    const counts = new Map<Tabelle, ImportZaehler>()
    for (const { tabelle } of auftrag.werte.schichten) counts.set(tabelle, { tabelle, neu: 0, geaendert: 0, entfernt: 0 })
    const { fehlerzahl, fehler } = await readObjekte(
      auftrag,
      async ({ tabelle, json, gelesen, gesamt }) => {
        const { rows } = await tx.query<{ neu: number; geaendert: number }>({ ...ROWS, values: [id, tabelle, auftrag.zone, json] })
        const count = counts.get(tabelle)!
        count.neu += rows[0]?.neu ?? 0
        count.geaendert += rows[0]?.geaendert ?? 0
        lauf.fortschritt = Math.min(95, Math.round((95 * gelesen) / Math.max(1, gesamt)))
      },
      { limits, signal: lauf.ende.signal },
    )
    if (fehlerzahl > 0) throw new FehlerFault({ grund: 'fehler', fehlerzahl, fehler: [...fehler] })
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
    { auftrag, turn }: { readonly auftrag: Auftrag; readonly turn: Turn },
    lauf: Laufend,
  ): Promise<void> {
    const begun = now().getTime()
    let stand: 'fertig' | 'fehlgeschlagen' | 'abgebrochen' = 'fertig'
    let bericht: ImportBericht
    try {
      await turn.come.catch(() => {
        throw new LeserEnde()
      })
      const objekte = await database.transaction({ ...context, timeoutMs: IMPORT_TIMEOUT_MS }, async (tx) => {
        await tx.query({ ...HOLD, values: [id] })
        // While it waited, another server may have taken it for one whose server had ended.
        if ((await tx.query({ ...UNDER_WAY, values: [id] })).rowCount === 0) throw new LeserEnde()
        return work(tx, id, auftrag, lauf)
      })
      bericht = { objekte, dauer_ms: now().getTime() - begun }
    } catch (error) {
      ;[stand, bericht] = outcomeOf(error)
      if (bericht.grund === 'datenbank') log.error('survey not imported', { import: id, reason: String(error).slice(0, 500) })
    }
    await database
      .once(context, { ...END, values: [id, stand, JSON.stringify(bericht)] })
      .catch((error: unknown) => log.error('import not ended', { import: id, reason: String(error).slice(0, 300) }))
    if (stand === 'fertig') await ablage.drop(id)
  }

  async function begin(caller: Caller, { zeile, werte, auftrag }: Awaited<ReturnType<typeof prepared>>): Promise<VermessungImport> {
    const context = asNutzer(caller)
    const ende = new AbortController()
    // Asked for before the row says that it is under way: what may not even wait is refused.
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
      throw new Ablehnung('import_laeuft')
    }
    const started = Promise.withResolvers<void>()
    const zuletzt: VermessungImport = { ...(await shown(zeile)), stand: 'laeuft', modus: werte.modus, werte, bericht: null }
    const lauf: Laufend = { fortschritt: 0, von: caller, zuletzt, ende, done: started.promise }
    laufend.set(zeile.id, lauf)
    void run(context, zeile.id, { auftrag, turn }, lauf).finally(() => {
      turn.release()
      laufend.delete(zeile.id)
      kunden.delete(zeile.client_id)
      started.resolve()
    })
    return zuletzt
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
      const datei = await ablage.take(body, UPLOAD_MOST_BYTES)
      try {
        const auftrag = { datei: datei.pfad, name, zone: 25832 } as const
        const { format, schichten } = await queue.run('short', { person: caller.person, signal }, () =>
          readLage(auftrag, { limits, signal }),
        )
        const made = await database.once<{ id: number }>(asNutzer(caller), {
          ...ADD,
          values: [kunde, name, format, datei.groesse, datei.sha256],
        })
        const id = made.rows[0]!.id
        await ablage.keep(id, datei, schichten)
        return await shown(await zeileOf(caller, String(id)))
      } finally {
        await rm(datei.pfad, { force: true })
      }
    },
    async read(caller: Caller, id: string): Promise<VermessungImport> {
      const own = eigener(caller, id)
      if (own !== undefined) return { ...own.zuletzt, fortschritt: own.fortschritt }
      const zeile = await zeileOf(caller, id)
      if (zeile.stand !== 'laeuft' || laufend.has(zeile.id)) return shown(zeile)
      await database.once(asNutzer(caller), { ...RECOVER, values: [zeile.client_id, [...laufend.keys()]] })
      return shown(await zeileOf(caller, id))
    },
    async check(caller: Caller, id: string, body: unknown, signal: AbortSignal): Promise<Vorschau> {
      const { auftrag } = await prepared(caller, id, body)
      return queue.run('short', { person: caller.person, signal }, () => readVorschau(auftrag, { limits, signal }))
    },
    async start(caller: Caller, id: string, body: unknown): Promise<VermessungImport> {
      const { zeile, werte, auftrag } = await prepared(caller, id, body)
      // Before the first wait: with one session the database would answer the second only when the first is done.
      if (kunden.has(zeile.client_id)) throw new Ablehnung('import_laeuft')
      kunden.add(zeile.client_id)
      try {
        return await begin(caller, { zeile, werte, auftrag })
      } catch (error) {
        kunden.delete(zeile.client_id)
        throw error
      }
    },
    /** Breaks off what is under way; throws away what waits. */
    async drop(caller: Caller, id: string): Promise<void> {
      const own = eigener(caller, id)
      const zeile = own?.zuletzt ?? (await zeileOf(caller, id))
      const lauf = own ?? laufend.get(zeile.id)
      if (lauf !== undefined) {
        lauf.ende.abort()
        await lauf.done
        return
      }
      const { rowCount } = await database.once(asNutzer(caller), { ...GONE, values: [zeile.id] })
      if (rowCount > 0) await ablage.drop(zeile.id)
    },
    async close(): Promise<void> {
      for (const { ende } of laufend.values()) ende.abort()
      await Promise.all([...laufend.values()].map(({ done }) => done))
    },
  }
}
export type Importe = ReturnType<typeof createImporte>

class FehlerFault extends Error {
  readonly bericht: ImportBericht
  constructor(bericht: ImportBericht) {
    super('objects with faults')
    this.bericht = bericht
  }
}
function outcomeOf(error: unknown): ['fehlgeschlagen' | 'abgebrochen', ImportBericht] {
  if (error instanceof FehlerFault) return ['fehlgeschlagen', error.bericht]
  if (error instanceof LeserEnde) return ['abgebrochen', { grund: 'abgebrochen' }]
  if (error instanceof DateiFault) return ['fehlgeschlagen', { grund: 'datei' }]
  if (error instanceof DatabaseFault && error.code === '57014') return ['fehlgeschlagen', { grund: 'zeit' }]
  return ['fehlgeschlagen', { grund: 'datenbank' }]
}
