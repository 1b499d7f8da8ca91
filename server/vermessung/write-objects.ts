// Adds the objects of a file to a customer's survey, within the transaction of their import.
import type { ImportCount, ImportReport } from '#contract/vermessung-import.ts'
import type { Table } from '#domain/vermessung/fields.ts'
import type { Transaction } from '#server/database/database.ts'
import { ReaderEndedError } from '../geodata/foreign.ts'
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

/** Objects of the file cannot be added. */
export class InputFault extends Error {
  readonly bericht: ImportReport
  constructor(report: ImportReport) {
    super('objects with faults, or far away')
    this.bericht = report
  }
}

export interface WriteOptions {
  readonly messages: AsyncIterable<Message>
  /** 0 to 1. */
  onProgress(share: number): void
}

/** @throws InputFault, FileFault, ReaderEndedError */
export async function writeObjects(
  tx: Transaction,
  id: number,
  question: ImportQuestion,
  { messages, onProgress }: WriteOptions,
): Promise<ImportCount[]> {
  await tx.query({ ...HOLD, values: [id] })
  // While this waited, another server may have mistaken the import for one whose server had ended.
  if ((await tx.query({ ...UNDER_WAY, values: [id] })).rowCount === 0) throw new ReaderEndedError()
  const counts = new Map<Table, ImportCount>()
  for (const { tabelle } of question.werte.schichten)
    counts.set(tabelle, { tabelle, neu: 0, geaendert: 0, entfernt: 0 })
  const { fehlerzahl, fehler, fern } = await takeObjects(
    messages,
    async ({ tabelle, json, gelesen, total }) => {
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
  if (fern !== null && question.werte.ort_bestaetigt !== true) throw new InputFault({ grund: 'ort' })
  if (question.werte.modus === 'ersetzen')
    for (const count of counts.values()) {
      const { rows } = await tx.query<{ weg: number }>({ ...TIDY, values: [id, count.tabelle] })
      count.entfernt = rows[0]?.weg ?? 0
    }
  return [...counts.values()]
}
