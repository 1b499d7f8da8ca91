// Downloads a file that takes a while: the answer first reports progress in lines and then contains the
// file's bytes (contract/habitat-report.ts).
import { REPORT_STREAM, type ReportLine } from '#contract/habitat-report.ts'
import { ApiError, errorText, inLanguage, toApiError } from './api-error.ts'
import { ownRequests } from './client.ts'

export type Step = Extract<ReportLine, { art: 'schritt' }>
export interface ReceivedFile {
  readonly blob: Blob
  readonly name: string
}

async function ask(path: string, body: object, signal: AbortSignal): Promise<Response> {
  const once = () =>
    fetch(ownRequests.address(path.replace(/^\//, '')), {
      method: 'POST',
      signal,
      cache: 'no-store',
      headers: {
        Accept: REPORT_STREAM,
        'Content-Type': 'application/json',
        Authorization: `Bearer ${ownRequests.token() ?? ''}`,
      },
      body: JSON.stringify(body),
    })
  const used = ownRequests.token()
  const first = await once()
  return first.status === 401 && (await ownRequests.renew(used)) ? once() : first
}

export async function postForFile(
  path: string,
  body: object,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (step: Step) => void },
): Promise<ReceivedFile> {
  try {
    const response = await ask(path, body, signal)
    if (!response.ok)
      throw await toApiError(response.status, await response.json().catch(() => undefined), {
        headers: response.headers,
      })
    if (!(response.headers.get('content-type') ?? '').startsWith(REPORT_STREAM) || response.body === null)
      throw new ApiError('unavailable', errorText('unavailable'), { detail: 'the answer is no report' })
    return await readStream(response.body, onStep)
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error
    throw new ApiError('unavailable', errorText('unavailable'), {
      detail: error instanceof Error ? error.message : undefined,
    })
  }
}

/** Reads progress lines up to the one that announces the file, then its bytes. Rejects if any are missing. */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  onStep: (step: Step) => void,
): Promise<ReceivedFile> {
  let head = new Uint8Array(0)
  let file: Extract<ReportLine, { art: 'datei' }> | null = null
  const parts: Uint8Array<ArrayBuffer>[] = []
  const text = new TextDecoder()
  const reader = stream.getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a stream is read sequentially
    const { done, value } = await reader.read()
    if (done) break
    if (file !== null) {
      parts.push(value as Uint8Array<ArrayBuffer>)
      continue
    }
    const joined: Uint8Array<ArrayBuffer> = new Uint8Array(head.length + value.length)
    joined.set(head)
    joined.set(value, head.length)
    let start = 0
    for (let end = joined.indexOf(10); end >= 0 && file === null; end = joined.indexOf(10, start)) {
      const row = JSON.parse(text.decode(joined.subarray(start, end))) as ReportLine
      start = end + 1
      if (row.art === 'schritt') onStep(row)
      else if (row.art === 'datei') file = row
      else throw new ApiError('bad_value', await inLanguage(row.message))
    }
    if (file === null) head = joined.slice(start)
    else parts.push(joined.slice(start))
  }
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  if (file === null || size !== file.groesse)
    throw new ApiError('unavailable', errorText('unavailable'), { detail: `${size} bytes came` })
  return { blob: new Blob(parts, { type: file.typ }), name: file.name }
}
