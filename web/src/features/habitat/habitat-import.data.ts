// Calls of the import: inspect a file, preview the result, import. The file is sent with each of them.
import {
  type HabitatFileContent,
  type HabitatImportResult,
  type HabitatImportValues,
  habitatFilePaths,
} from '#contract/habitat-file.ts'
import { callGeneral } from '../../data/client.ts'
import { pathOf } from '../../karte/path.ts'

/** Allows for 64 MB over a slow connection, and 20,000 trees checked by the database. */
const TIMEOUT_MS = 30 * 60_000

const sendFile = <T>(path: string, file: File, signal?: AbortSignal): Promise<T> =>
  callGeneral('POST', pathOf(path), { body: file, quiet: true, timeoutMs: TIMEOUT_MS, signal })

export const fetchLayers = (hq: string, file: File, signal: AbortSignal) =>
  sendFile<HabitatFileContent>(habitatFilePaths.lage(hq, file.name), file, signal)
export const checkFile = (hq: string, file: File, values: HabitatImportValues, signal: AbortSignal) =>
  sendFile<HabitatImportResult>(habitatFilePaths.pruefen(hq, file.name, values), file, signal)
/** Cannot be cancelled: the server completes it whether or not somebody still waits. */
export const startImport = (hq: string, file: File, values: HabitatImportValues) =>
  sendFile<HabitatImportResult>(habitatFilePaths.importieren(hq, file.name, values), file)
