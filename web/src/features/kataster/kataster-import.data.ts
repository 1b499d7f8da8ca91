// Calls of the import: the file, its contents, and the jobs on it.
import {
  type ImportValues,
  type VermessungImport,
  type Preview,
  vermessungPaths,
} from '#contract/vermessung-import.ts'
import { callGeneral } from '../../data/client.ts'

/** Allows for large files over slow connections, and for reading all objects once. */
const FILE_TIMEOUT_MS = 30 * 60_000
const READ_TIMEOUT_MS = 10 * 60_000

const path = (way: string): string => way.slice(1)

export const uploadFile = (kunde: string, file: File, signal: AbortSignal): Promise<VermessungImport> =>
  callGeneral('POST', path(vermessungPaths.upload(kunde, file.name)), {
    body: file,
    quiet: true,
    timeoutMs: FILE_TIMEOUT_MS,
    signal,
  })
export const fetchImport = (id: number, signal?: AbortSignal): Promise<VermessungImport> =>
  callGeneral('GET', path(vermessungPaths.import(id)), { quiet: true, signal })
export const checkImport = (id: number, values: ImportValues, signal: AbortSignal): Promise<Preview> =>
  callGeneral('POST', path(vermessungPaths.pruefen(id)), {
    body: values,
    quiet: true,
    timeoutMs: READ_TIMEOUT_MS,
    signal,
  })
export const startImport = (id: number, values: ImportValues): Promise<VermessungImport> =>
  callGeneral('POST', path(vermessungPaths.start(id)), { body: values, quiet: true, timeoutMs: 60_000 })
export const dropImport = (id: number): Promise<unknown> =>
  callGeneral('DELETE', path(vermessungPaths.import(id)), { quiet: true, timeoutMs: 60_000 })
