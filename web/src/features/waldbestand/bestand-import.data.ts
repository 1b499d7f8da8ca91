// Calls of the import: the file, its contents, and the jobs on it; and the export of the holding.
import {
  type BestandImport,
  bestandPaths,
  type FeExportFormat,
  type FePreview,
  type FeValues,
} from '#contract/bestand-import.ts'
import { fetchBlob } from '../../data/blob.ts'
import { callGeneral } from '../../data/client.ts'

/** Allows for large files over slow connections, and for reading and writing all of them. */
const FILE_TIMEOUT_MS = 30 * 60_000
const WORK_TIMEOUT_MS = 10 * 60_000
const EXPORT_TIMEOUT_MS = 180_000
const path = (way: string): string => way.slice(1)

export const uploadPlan = (hq: string, file: File, signal: AbortSignal): Promise<BestandImport> =>
  callGeneral('POST', path(bestandPaths.upload(hq, file.name)), {
    body: file,
    quiet: true,
    timeoutMs: FILE_TIMEOUT_MS,
    signal,
  })
export const fetchPlan = (id: number, signal?: AbortSignal): Promise<BestandImport> =>
  callGeneral('GET', path(bestandPaths.import(id)), { quiet: true, signal })
export const checkPlan = (id: number, values: FeValues): Promise<FePreview> =>
  callGeneral('POST', path(bestandPaths.pruefen(id)), {
    body: values,
    quiet: true,
    timeoutMs: WORK_TIMEOUT_MS,
  })
export const startPlan = (id: number, values: FeValues): Promise<BestandImport> =>
  callGeneral('POST', path(bestandPaths.start(id)), { body: values, quiet: true, timeoutMs: WORK_TIMEOUT_MS })
export const dropPlan = (id: number): Promise<unknown> =>
  callGeneral('DELETE', path(bestandPaths.import(id)), { quiet: true, timeoutMs: 60_000 })
export const fetchGisFile = (hq: number, format: FeExportFormat): Promise<Blob> =>
  fetchBlob(path(bestandPaths.export(hq, format)), undefined, { timeoutMs: EXPORT_TIMEOUT_MS })
