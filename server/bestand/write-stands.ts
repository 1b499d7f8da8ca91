// Replaces the stands of a holding by those of a plan, within the transaction of its import.
import type { FeReport } from '#contract/bestand-import.ts'
import type { FeFault } from '#domain/bestand-import.ts'
import type { FarAway } from '#domain/far-away.ts'
import type { Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { jsonForStorage } from '../geodata/imports.ts'
import { FileFault } from '../geodata/source.ts'
import type { ImportQuestion } from './reader.ts'
import type { Message } from './work.ts'

/** Only one import per holding at a time; a second one is refused at once. */
const LOCK = {
  name: 'bestand_sperre',
  text: `select pg_try_advisory_xact_lock(hashtext('bestand'), $1::integer) as mine`,
}
const BEGIN = {
  name: 'bestand_beginn',
  text: `update app.bestand_import set stand = 'laeuft', werte = $2::jsonb, bericht = null
    where id = $1 and stand in ('bereit', 'fehlgeschlagen')
    returning id`,
}
const CLEAR = { name: 'clear_bestand', text: 'select forest.clear_bestand($1) as weg' }
const STANDS = {
  name: 'store_bestand_rows',
  text: 'select neu, bereinigt, to_json(leer)::text as leer from forest.store_bestand_rows($1, $2::jsonb)',
}
const SPECIES = { name: 'store_baumart_rows', text: 'select forest.store_baumart_rows($1, $2::jsonb) as neu' }
/** How plans name areas that are not forest ground: Nichtholzboden, Nicht-Holzboden, NHB, 1 NHB – Wege. */
export const NO_FOREST_GROUND = '^\\W*(\\d+\\W*)?(nicht[ -]?holz|nhb\\M)'

/** They are not part of the plan's area. */
const TAKE_OVER = {
  name: 'bestand_uebernehmen',
  text: `update app.hq h set "dtFE" = coalesce(s.tag, h."dtFE"), "dcFLAEHB" = coalesce(s.ha, h."dcFLAEHB")
    from (select max(b.stichtag) as tag, sum(b.flaeche_ha) filter (where b.nutzungsart is null
      or b.nutzungsart !~* '${NO_FOREST_GROUND}') as ha from app.bestand b where b."idHQ" = $1) s
    where h."idHQ" = $1`,
}
/** Another start of the same file may have imported it meanwhile: what it did stays as it is. */
export const END = {
  name: 'bestand_ende',
  text: `update app.bestand_import set stand = $2, bericht = $3::jsonb, werte = coalesce($4::jsonb, werte),
    beendet_am = now()
    where id = $1 and stand <> 'fertig'`,
}
export const importedAlready = () =>
  new Refusal('conflict', 'Diese Datei ist schon importiert. Laden Sie die Seite neu.')

/** Rows of the file cannot become stands or species. */
export class InputFault extends Error {
  readonly fehler: FeFault[]
  readonly zahl: number
  constructor(fault: FeFault[], number: number) {
    super('rows with faults')
    this.fehler = fault
    this.zahl = number
  }
}

/** Stands far from the holding, which nobody has confirmed. */
export class FarFault extends Error {
  readonly fern: FarAway
  constructor(fern: FarAway) {
    super('stands far away')
    this.fern = fern
  }
}

export interface PlanImport {
  readonly id: number
  readonly idHQ: number
  readonly question: ImportQuestion
}
type Rows = Extract<Message, { art: 'zeilen' }>
type Counts = Required<Pick<FeReport, 'bestaende' | 'baumarten' | 'entfernt' | 'bereinigt'>>

/** @throws Refusal, InputFault, FarFault, FileFault */
export async function replaceStands(
  tx: Transaction,
  { id, idHQ, question }: PlanImport,
  messages: AsyncIterable<Message>,
): Promise<FeReport> {
  const counts = await begin(tx, { id, idHQ, question })
  for await (const message of messages) {
    if (message.art === 'zeilen' && message.tabelle === 'bestand') await addStands(tx, id, message, counts)
    if (message.art === 'zeilen' && message.tabelle === 'baumarten') await addSpecies(tx, id, message, counts)
    if (message.art === 'fertig') {
      if (message.fehlerzahl > 0) throw new InputFault([...message.fehler], message.fehlerzahl)
      if (message.fern !== null && question.werte.ort_bestaetigt !== true) throw new FarFault(message.fern)
      if (question.werte.uebernehmen) await tx.query({ ...TAKE_OVER, values: [idHQ] })
      const { hinweise } = message
      const report = { ...counts, ...(hinweise.length > 0 && { hinweise: [...hinweise] }) }
      await tx.query({ ...END, values: [id, 'fertig', jsonForStorage(report), null] })
      return report
    }
  }
  throw new FileFault('datei_kaputt')
}

/** Takes the lock and removes what the holding had. */
async function begin(tx: Transaction, { id, idHQ, question }: PlanImport): Promise<Counts> {
  const lock = await tx.query<{ mine: boolean }>({ ...LOCK, values: [idHQ] })
  if (lock.rows[0]?.mine !== true)
    throw new Refusal(
      'conflict',
      'Für diesen Forstbetrieb läuft schon ein Import. Bitte warten Sie, bis er fertig ist.',
    )
  const begun = await tx.query({ ...BEGIN, values: [id, JSON.stringify(question.werte)] })
  if (begun.rowCount === 0) throw importedAlready()
  const cleared = await tx.query<{ weg: number }>({ ...CLEAR, values: [id] })
  return { bestaende: 0, baumarten: 0, entfernt: cleared.rows[0]?.weg ?? 0, bereinigt: 0 }
}

async function addStands(
  tx: Transaction,
  id: number,
  { schicht, json }: Rows,
  counts: Counts,
): Promise<void> {
  const { rows } = await tx.query<{ neu: number; bereinigt: number; leer: string }>({
    ...STANDS,
    values: [id, json],
  })
  counts.bestaende += rows[0]?.neu ?? 0
  counts.bereinigt += rows[0]?.bereinigt ?? 0
  const leer = JSON.parse(rows[0]?.leer ?? '[]') as number[]
  const faultOf = (nr: number): FeFault => ({
    schicht,
    nr,
    feld: 'geometrie',
    art: 'geometrie_kaputt',
    wert: '',
  })
  if (leer.length > 0) throw new InputFault(leer.map(faultOf), leer.length)
}

async function addSpecies(
  tx: Transaction,
  id: number,
  { json, anzahl }: Rows,
  counts: Counts,
): Promise<void> {
  const { rows } = await tx.query<{ neu: number }>({ ...SPECIES, values: [id, json] })
  if (rows[0]?.neu !== anzahl) throw new Error('species without a stand')
  counts.baumarten += anzahl
}
