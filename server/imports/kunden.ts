// Customers with their headquarters from a table: checked as on the screen, and created by the same procedures in one
// transaction.
import type { ImportFault, ImportReport } from '#contract/import.ts'
import type { Duplicates, KnownKunde, UploadRow } from '#domain/import.ts'
import { FAULTS, type FaultKind } from '#domain/import-faults.ts'
import { MAX_FILE_BYTES } from '#domain/import-table.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import type { Caller } from '#server/caller.ts'
import { asNutzer } from '#server/nutzer.ts'
import {
  type ImportOrder,
  type ImportResult,
  type ProgramImport,
  refusal,
  type RowFault,
  RowsRefusedError,
} from '#server/program-import.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { readKunden } from './reader.ts'

const MAY = { name: 'import_kunden_may', text: `select rights.refuse_unless(rights.has_role('ogf_admin'))` }
const FIND = {
  name: 'import_kunden_find',
  text: 'select nr, client_id, name from app.a_import_find_kunden($1::jsonb)',
}
const BEGIN = {
  name: 'import_kunden_begin',
  text: 'insert into app.import_lauf (dateiname, doppelte) values ($1, $2) returning import_id as id',
}
const ROWS = { name: 'import_kunden_rows', text: 'select app.a_import_zeilen($1, $2::jsonb)' }
const MAKE = { name: 'import_kunden_make', text: 'select app.a_import_kunden($1)::text as bericht' }

const NAMES_PER_CALL = 1_000
const ROWS_PER_CALL = 2_000
const TIMEOUT_MS = 150_000

interface Ground {
  readonly database: Database
  readonly limits: Limits
  readonly work: WorkQueue
  readonly now: () => Date
}

export const kundenByProgram = (ground: Ground): ProgramImport => ({
  was: 'kunden',
  programs: 'rpc/a_import_kunden',
  words: 'kunden',
  mostBytes: MAX_FILE_BYTES,
  settings: { doppelte: 'possible' },
  async may(caller, settings) {
    duplicatesOf(settings)
    await ground.database.once(asNutzer(caller, { readOnly: true }), MAY)
  },
  run(order) {
    const { caller, settings, signal } = order
    const duplicates = duplicatesOf(settings)
    return ground.work.run('long', { person: caller.person, signal }, () => take(ground, order, duplicates))
  },
})

/** @throws ImportRefusal */
function duplicatesOf(settings: ImportOrder['settings']): Duplicates {
  const duplicates = settings['doppelte'] ?? 'anhalten'
  if (duplicates === 'anhalten' || duplicates === 'ueberspringen') return duplicates
  throw refusal('import_doppelte')
}

async function take(ground: Ground, order: ImportOrder, duplicates: Duplicates): Promise<ImportResult> {
  const { caller, file, signal, isProbe } = order
  const task = { path: file.path, doppelte: duplicates, now: ground.now().getTime() }
  const options = { limits: ground.limits, signal }
  const first = await readKunden({ ...task, vorhanden: [] }, options)
  const known = await findKnown(ground.database, caller, first.schluessel)
  const read = known.length === 0 ? first : await readKunden({ ...task, vorhanden: known }, options)
  const faults = read.fehler.map(
    ({ zeile, feld, art, stufe, angaben }): RowFault => ({ zeile, feld, code: art, stufe, angaben }),
  )
  const figures = {
    zeilen: read.zeilen,
    kunden: read.schluessel.length,
    forstbetriebe: read.rows.length,
    uebersprungen: read.uebersprungen,
  }
  const checked = { zahlen: figures, fehlerzahl: read.fehlerzahl, fehler: faults }
  if (isProbe) return checked
  if (read.fehlerzahl > 0) throw new RowsRefusedError({ ...checked, zahlen: {} })
  if (read.rows.length === 0) return nothingNew(ground, order, checked)
  return store(ground.database, order, { rows: read.rows, doppelte: duplicates, checked })
}

/** All rows are there already and were to be skipped. */
async function nothingNew(
  { database }: Ground,
  { caller, keep }: ImportOrder,
  checked: ImportResult,
): Promise<ImportResult> {
  await database.once(asNutzer(caller), keep(checked))
  return checked
}

async function findKnown(
  database: Database,
  caller: Caller,
  kunden: readonly { readonly schluessel: string; readonly name: string; readonly plz: string }[],
): Promise<[string, KnownKunde][]> {
  const found: [string, KnownKunde][] = []
  for (let at = 0; at < kunden.length; at += NAMES_PER_CALL) {
    const part = kunden.slice(at, at + NAMES_PER_CALL)
    const asked = JSON.stringify(part.map(({ name, plz }) => ({ name, plz })))
    // oxlint-disable-next-line no-await-in-loop -- one statement at a time
    const { rows } = await database.once<KnownKunde & { nr: number }>(asNutzer(caller, { readOnly: true }), {
      ...FIND,
      values: [asked],
    })
    for (const { nr, client_id, name } of rows) found.push([part[nr]!.schluessel, { client_id, name }])
  }
  return found
}

async function store(
  database: Database,
  { caller, file, keep, onProgress }: ImportOrder,
  what: {
    readonly rows: readonly UploadRow[]
    readonly doppelte: Duplicates
    readonly checked: ImportResult
  },
): Promise<ImportResult> {
  const context = asNutzer(caller, { timeoutMs: TIMEOUT_MS })
  return database.transaction(context, async (tx) => {
    const report = await make(tx, what, { name: file.name, onProgress })
    const { fehlerzahl, kunden, forstbetriebe, uebersprungen, angelegt } = report
    // The transaction ends with the error, and nothing of it stays.
    if (report.zustand !== 'fertig')
      throw new RowsRefusedError({ zahlen: {}, fehlerzahl, fehler: report.fehler.map(faultOf) })
    const result = {
      zahlen: {
        ...what.checked.zahlen,
        kunden,
        forstbetriebe,
        uebersprungen: uebersprungen + (what.checked.zahlen['uebersprungen'] ?? 0),
      },
      fehlerzahl: 0,
      fehler: what.checked.fehler,
      angelegt: angelegt.map(({ client_id, zeile, forstbetriebe: hqs }) => ({ zeile, client_id, hqs })),
    }
    await tx.query(keep(result))
    return result
  })
}

async function make(
  tx: Transaction,
  { rows, doppelte }: { readonly rows: readonly UploadRow[]; readonly doppelte: Duplicates },
  { name, onProgress }: { readonly name: string } & Pick<ImportOrder, 'onProgress'>,
): Promise<ImportReport> {
  const begun = await tx.query<{ id: number }>({ ...BEGIN, values: [name.slice(0, 200), doppelte] })
  const { id } = begun.rows[0]!
  for (let at = 0; at < rows.length; at += ROWS_PER_CALL) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the rows
    await tx.query({ ...ROWS, values: [id, JSON.stringify(rows.slice(at, at + ROWS_PER_CALL))] })
    onProgress(Math.round((50 * at) / rows.length))
  }
  const made = await tx.query<{ bericht: string }>({ ...MAKE, values: [id] })
  return JSON.parse(made.rows[0]!.bericht) as ImportReport
}

const faultOf = ({ zeile, feld, art, angaben }: ImportFault): RowFault => ({
  zeile,
  feld,
  code: art,
  stufe: Object.hasOwn(FAULTS, art) ? FAULTS[art as FaultKind].stufe : 'fehler',
  angaben,
})
