// The calls of the import: what a file holds, a look at what would become of it, and the import. The file goes with each of them.
import {
  type HabitatFileContent,
  type HabitatImportResult,
  type HabitatImportValues,
  habitatFilePaths,
} from '#contract/habitat-file.ts'
import { callGeneral } from '../../data/client.ts'
import { pathOf } from '../../karte/path.ts'

/** 64 MB over a slow line, and 20,000 trees checked by the database. */
const TIMEOUT_MS = 30 * 60_000

const sendFile = <T>(weg: string, file: File, signal?: AbortSignal): Promise<T> =>
  callGeneral('POST', pathOf(weg), { body: file, quiet: true, timeoutMs: TIMEOUT_MS, signal })

export const fetchLayers = (hq: string, file: File, signal: AbortSignal) =>
  sendFile<HabitatFileContent>(habitatFilePaths.lage(hq, file.name), file, signal)
export const checkFile = (hq: string, file: File, werte: HabitatImportValues, signal: AbortSignal) =>
  sendFile<HabitatImportResult>(habitatFilePaths.pruefen(hq, file.name, werte), file, signal)
/** Not to be broken off: the server takes all of it, whether somebody still waits or not. */
export const startImport = (hq: string, file: File, werte: HabitatImportValues) =>
  sendFile<HabitatImportResult>(habitatFilePaths.importieren(hq, file.name, werte), file)
