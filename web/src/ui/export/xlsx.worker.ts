// Builds the workbook in a worker: 100,000 rows would block the page for seconds.
import type { ExportTable } from './cells.ts'
import { xlsxBlob } from './xlsx-sheet.ts'

interface Scope {
  onmessage: ((event: MessageEvent<ExportTable>) => void) | null
  postMessage(message: { readonly file?: Blob; readonly fault?: string }): void
}
const scope = globalThis as unknown as Scope

scope.onmessage = ({ data }) => {
  xlsxBlob(data).then(
    (file) => scope.postMessage({ file }),
    (fault: unknown) => scope.postMessage({ fault: String(fault) }),
  )
}
