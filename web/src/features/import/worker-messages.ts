// Messages between page and worker.
import type { KnownKunde, Duplicates, ImportCheck, UploadRow } from '#domain/import.ts'
import type { Mapping } from '#domain/import-fields.ts'
import type { Suggestion } from '#domain/import-row.ts'
import { FileFault } from './file-faults.ts'
import type { ReadTable } from '#domain/import-table.ts'

export interface CheckRequest {
  readonly kind: 'check'
  readonly mapping: Mapping
  readonly doppelte: Duplicates
  /** Customers in the database, by key. */
  readonly vorhanden: readonly (readonly [string, KnownKunde])[]
  /** Milliseconds. */
  readonly now: number
  /** Suggestions to apply to the rows first. */
  readonly apply: readonly Suggestion[]
}
export interface CheckResult extends Omit<ImportCheck, 'kunden'> {
  readonly mapping: Mapping
  readonly kunden: readonly { readonly schluessel: string; readonly name: string; readonly plz: string }[]
  readonly forstbetriebe: number
}
export interface WorkerRequest {
  readonly id: number
  readonly request: { readonly kind: 'read'; readonly file: File } | { readonly kind: 'lines' } | CheckRequest
}
export interface WorkerResponse {
  readonly id: number
  readonly result?: unknown
  readonly fault?: Pick<FileFault, 'code' | 'values'>
}

/** Promise interface to the worker. Created when the first file is chosen. */
export class CheckWorker {
  readonly #worker = new Worker(new URL('./check.worker.ts', import.meta.url), { type: 'module' })
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: unknown) => void }
  >()
  #last = 0

  constructor() {
    this.#worker.onmessage = ({ data: { id, result, fault } }: MessageEvent<WorkerResponse>) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (fault) waiting?.reject(new FileFault(fault.code, { ...fault.values }))
      else waiting?.resolve(result)
    }
    this.#worker.onerror = (event) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(event.message || 'the check worker did not start'))
      this.#waiting.clear()
    }
  }

  read = (file: File) => this.#ask<ReadTable>({ kind: 'read', file })
  check = (request: Omit<CheckRequest, 'kind'>) => this.#ask<CheckResult>({ kind: 'check', ...request })
  /** The rows to upload according to the last check. */
  lines = () => this.#ask<UploadRow[]>({ kind: 'lines' })
  close(): void {
    this.#worker.terminate()
  }

  #ask<T>(request: WorkerRequest['request']): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const id = ++this.#last
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.#worker.postMessage({ id, request } satisfies WorkerRequest)
    })
  }
}
