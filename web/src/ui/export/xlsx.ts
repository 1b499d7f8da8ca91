// Creates an Excel file in a worker that is started on demand and terminated afterwards.
import type { ExportTable } from './cells.ts'

export function xlsxFile(table: ExportTable, signal: AbortSignal): Promise<Blob> {
  const worker = new Worker(new URL('./xlsx.worker.ts', import.meta.url), { type: 'module' })
  const made = new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ file?: Blob; fault?: string }>) =>
      data.file ? resolve(data.file) : reject(new Error(data.fault))
    worker.onerror = (event) => reject(new Error(event.message || 'the export worker did not start'))
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  worker.postMessage(table)
  return made.finally(() => worker.terminate())
}
