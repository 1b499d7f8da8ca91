// Adds the objects of a file to a customer's survey, within the transaction of their import.
import type { ImportCount, ImportReport } from '#contract/vermessung-import.ts'
import type { Table } from '#domain/vermessung/fields.ts'
import { createMovedTally, type MovedObject } from '#domain/vermessung/moved.ts'
import type { Transaction } from '#server/database/database.ts'
import { ReaderEndedError } from '../geodata/foreign.ts'
import { movedObjects } from './moved-objects.ts'
import { type ImportQuestion, takeObjects } from './reader.ts'
import type { Message } from './work.ts'

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
const ROWS = {
  name: 'store_vermessung_rows',
  text: 'select neu, geaendert, behalten from maps.store_vermessung_rows($1, $2, $3, $4::jsonb)',
}
const TIDY = {
  name: 'remove_missing_vermessung',
  text: 'select maps.remove_missing_vermessung($1, $2) as weg',
}

/** Once for all objects, for the map's low levels. */
const COUNT = { name: 'count_import', text: 'select maps.count_import($1)' }

/** Objects of the file cannot be added. */
export class InputFault extends Error {
  readonly bericht: ImportReport
  constructor(report: ImportReport) {
    super('objects with faults, far away, or to be moved')
    this.bericht = report
  }
}

export interface WriteOptions {
  readonly messages: AsyncIterable<Message>
  /** 0 to 1. */
  onProgress(share: number): void
}

/** What was done, as the report says it. */
export type Written = Required<Pick<ImportReport, 'objekte'>> & Pick<ImportReport, 'hinweise'>

/** What is written: the import's row, its customer, and what is read of the file. */
interface Import {
  readonly id: number
  readonly client_id: number
  readonly question: ImportQuestion
}

/** @throws InputFault, FileFault, ReaderEndedError */
export async function writeObjects(
  tx: Transaction,
  { id, client_id, question }: Import,
  { messages, onProgress }: WriteOptions,
): Promise<Written> {
  await tx.query({ ...HOLD, values: [id] })
  // While this waited, another server may have mistaken the import for one whose server had ended.
  if ((await tx.query({ ...UNDER_WAY, values: [id] })).rowCount === 0) throw new ReaderEndedError()
  const counts = new Map<Table, ImportCount>()
  for (const { tabelle } of question.werte.schichten)
    counts.set(tabelle, { tabelle, neu: 0, geaendert: 0, entfernt: 0 })
  const { ort_bestaetigt, verschiebung_bestaetigt, modus, schichten } = question.werte
  const moved = createMovedTally()
  const asksMoved = verschiebung_bestaetigt !== true && schichten.some(({ felder }) => felder['schluessel'])
  const { fehlerzahl, fehler, fern, hinweise } = await takeObjects(
    messages,
    async ({ tabelle, json, gelesen, total }) => {
      if (asksMoved)
        moved.count(
          (await tx.query<MovedObject>(movedObjects(client_id, { tabelle, json }, question.zone))).rows,
        )
      const { rows } = await tx.query<{ neu: number; geaendert: number; behalten: number }>({
        ...ROWS,
        values: [id, tabelle, question.zone, json],
      })
      const count = counts.get(tabelle)!
      count.neu += rows[0]?.neu ?? 0
      count.geaendert += rows[0]?.geaendert ?? 0
      const kept = rows[0]?.behalten ?? 0
      if (kept > 0) count.behalten = (count.behalten ?? 0) + kept
      onProgress(gelesen / Math.max(1, total))
    },
  )
  if (fehlerzahl > 0) throw new InputFault({ grund: 'fehler', fehlerzahl, fehler: [...fehler] })
  if (fern !== null && ort_bestaetigt !== true) throw new InputFault({ grund: 'ort', fern })
  const moves = moved.result()
  if (moves !== null) throw new InputFault({ grund: 'verschiebung', verschoben: moves })
  if (modus === 'ersetzen')
    for (const count of counts.values()) {
      const { rows } = await tx.query<{ weg: number }>({ ...TIDY, values: [id, count.tabelle] })
      count.entfernt = rows[0]?.weg ?? 0
    }
  await tx.query({ ...COUNT, values: [id] })
  return { objekte: [...counts.values()], ...(hinweise.length > 0 && { hinweise: [...hinweise] }) }
}
