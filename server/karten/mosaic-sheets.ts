// The files of a mosaic's sheets on this machine while it is made.
import type { Context, Database } from '#server/database/database.ts'
import type { Store } from '#server/files/store.ts'
import { type PlacedResult, WorkFault } from './work.ts'

const FILES = {
  name: 'mosaic_files',
  text: 'select name, sha256, epsg, umriss from maps.mosaic_files($1)',
}
interface SheetFile {
  readonly name: string
  readonly sha256: string | null
  readonly epsg: number | null
  readonly umriss: string | null
}
interface Source {
  readonly fileStore: Store
  /** Ends it between two files. */
  readonly signal: AbortSignal | undefined
}
interface Places extends Source {
  readonly database: Database
  readonly context: Context
}

export async function withSheets<T>(
  { database, context, ...source }: Places,
  job: number,
  work: (sheets: PlacedResult[]) => Promise<T>,
): Promise<T> {
  const { rows } = await database.once<SheetFile>(context, { ...FILES, values: [job] })
  return withFiles(source, rows, work)
}

/** Where the store keeps no files on this machine, it copies them here and they are removed afterwards. */
export async function withFiles<T>(
  { fileStore, signal }: Source,
  files: readonly SheetFile[],
  work: (sheets: PlacedResult[]) => Promise<T>,
): Promise<T> {
  const copies: string[] = []
  try {
    const sheets: PlacedResult[] = []
    for (const { name, sha256, epsg, umriss } of files) {
      signal?.throwIfAborted()
      const copy = await fileStore.workFile()
      copies.push(copy)
      const filePath = sha256 === null ? null : await fileStore.filePath(sha256, copy)
      if (filePath === null || epsg === null || umriss === null)
        throw new WorkFault('karte_blatt_fehlt', `no file of ${name}`, name)
      sheets.push({ filePath, epsg, umriss: JSON.parse(umriss) as PlacedResult['umriss'] })
    }
    return await work(sheets)
  } finally {
    for (const copy of copies) await fileStore.removeWork(copy).catch(() => undefined)
  }
}
