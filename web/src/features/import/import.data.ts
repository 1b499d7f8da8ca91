// Calls of the import: existing customers, remembered mappings, upload in chunks, and the run itself.
import type { ImportReport, ImportRun, ImportMappingRow } from '#contract/import.ts'
import type { KnownKunde, Duplicates, UploadRow } from '#domain/import.ts'
import type { SavedMapping } from '#domain/import-fields.ts'
import { eq } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { insert, removeOne, selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

const NAMES_PER_CALL = 1000
/** Well below the server's body limit; umlauts count twice. */
const CHUNK_BYTES = 500_000
const CHUNK_ROWS = 500
/** A chunk is fast; creating thousands of customers is not. */
const CHUNK_TIMEOUT_MS = 30_000
const RUN_TIMEOUT_MS = 120_000

export type KundeKey = { readonly schluessel: string; readonly name: string; readonly plz: string }

/** Which of these customers the database has, by key. */
export async function findKunden(
  kunden: readonly KundeKey[],
  signal: AbortSignal,
): Promise<[string, KnownKunde][]> {
  const found: [string, KnownKunde][] = []
  for (let at = 0; at < kunden.length; at += NAMES_PER_CALL) {
    const part = kunden.slice(at, at + NAMES_PER_CALL)
    const rows = await rpc(
      'a_import_find_kunden',
      { kunden: part.map(({ name, plz }) => ({ name, plz })) },
      { signal, timeoutMs: CHUNK_TIMEOUT_MS },
    )
    for (const { nr, client_id, name } of rows) found.push([part[nr]!.schluessel, { client_id, name }])
  }
  return found
}

export async function fetchMapping(head: string): Promise<Record<string, unknown> | null> {
  const [row] = await selectRows<ImportMappingRow>('import_zuordnung', {
    filters: [eq('kopf', head)],
    limit: 1,
  })
  return row?.felder ?? null
}
export const rememberMapping = (head: string, fields: SavedMapping) =>
  rpc('a_import_set_zuordnung', { kopf: head, felder: { ...fields } })

/** Chunks small enough for the server. */
export function chunksOf(lines: readonly UploadRow[]): UploadRow[][] {
  const chunks: UploadRow[][] = []
  let bytes = CHUNK_BYTES
  for (const line of lines) {
    // Up to three bytes per character.
    const size = 3 * JSON.stringify(line).length
    if (bytes + size > 3 * CHUNK_BYTES || (chunks.at(-1)?.length ?? CHUNK_ROWS) >= CHUNK_ROWS) {
      chunks.push([])
      bytes = 0
    }
    chunks.at(-1)!.push(line)
    bytes += size
  }
  return chunks
}

export interface RunOptions {
  readonly dateiname: string
  readonly doppelte: Duplicates
  readonly signal: AbortSignal
  /** Rows uploaded so far; null once customers are being created, which can no longer be cancelled. */
  readonly onProgress: (rows: number | null) => void
}

/** Uploads and imports. If cancelled or failed before the last step, nothing is left behind. */
export async function runImport(
  lines: readonly UploadRow[],
  { dateiname, doppelte, signal, onProgress }: RunOptions,
): Promise<ImportReport> {
  const { import_id } = await insert<ImportRun>('import_lauf', { dateiname, doppelte }, { signal })
  try {
    let done = 0
    for (const chunk of chunksOf(lines)) {
      await rpc('a_import_zeilen', { import_id, zeilen: chunk }, { signal, timeoutMs: CHUNK_TIMEOUT_MS })
      done += chunk.length
      onProgress(done)
    }
    signal.throwIfAborted()
  } catch (error) {
    await removeOne('import_lauf', [eq('import_id', import_id)]).catch(() => undefined)
    throw error
  }
  onProgress(null)
  return makeKunden(import_id)
}

/**
 * Repeats the request if its response was lost: a finished run returns its report and creates nothing twice.
 */
async function makeKunden(import_id: number): Promise<ImportReport> {
  for (let tries = 1; ; tries++) {
    try {
      return await rpc('a_import_kunden', { import_id }, { timeoutMs: RUN_TIMEOUT_MS })
    } catch (error) {
      if (tries === 3 || !(error instanceof ApiError) || !['timeout', 'unavailable'].includes(error.code))
        throw error
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
  }
}
