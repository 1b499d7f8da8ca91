// Uploads of scans. They belong to no page, so that they continue when the plan's page is closed. Sent in
// chunks (tus), so that a lost connection or a reload costs one chunk and not the file; started uploads are
// remembered in this browser until the person signs out.
import type { Upload as TusUpload } from 'tus-js-client'
import { kartePaths, type ScanPlace, UPLOAD_PIECE } from '#contract/karte-files.ts'
import { begunNames, BEGUN_UPLOADS } from '../../data/begun-uploads.ts'
import { ownRequests } from '../../data/client.ts'
import { BY_UPLOAD, type UploadFault, uploadFault } from './upload-fault.ts'
import type { BesidePlace } from './place-beside.ts'
import type { HashMessage } from './sha256.worker.ts'

export type UploadState =
  /** Queued behind others. */
  | 'wartet'
  | 'pruefsumme'
  | 'laedt'
  /** The connection broke; it resumes automatically. */
  | 'unterbrochen'
  | 'pausiert'
  /** Fully sent, the server is checking it. */
  | 'prueft'
  | 'fertig'
  | 'fehler'

export interface Uploading {
  readonly karte: number
  readonly name: string
  readonly size: number
  readonly stand: UploadState
  /** Bytes hashed or sent. */
  readonly done: number
  readonly fehler: UploadFault | null
  /** What became of the place that the scan, or a file beside it, has. */
  readonly lage: BesidePlace | null
  /** The stored file, and how many sheets it holds, if there are several. */
  readonly pages: { readonly datei: number; readonly count: number } | null
}

interface Entry {
  shown: Uploading
  readonly file: File
  /** Says where the scan is. */
  readonly beside: File | null
  readonly onDone: () => void
  tus: TusUpload | null
  hashing: Worker | null
  /** The token that was refused. */
  refused: string | null
}

export const ACCEPT =
  '.tif,.tiff,.jpg,.jpeg,.png,.webp,.pdf,image/tiff,image/jpeg,image/png,image/webp,application/pdf'
const AT_ONCE = 2
const PAUSES_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000]

const entries = new Map<number, Entry>()
const listeners = new Set<() => void>()
let all: readonly Uploading[] = []

/** The same object until something changes, as useSyncExternalStore requires. */
export const uploadList = (): readonly Uploading[] => all
export function subscribeUploads(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const isBusy = (stand: UploadState) =>
  stand === 'pruefsumme' || stand === 'laedt' || stand === 'unterbrochen' || stand === 'prueft'
const askBack = (event: BeforeUnloadEvent) => event.preventDefault()

function changed() {
  all = [...entries.values()].map(({ shown }) => shown)
  if (all.some(({ stand }) => isBusy(stand) || stand === 'wartet'))
    window.addEventListener('beforeunload', askBack)
  else window.removeEventListener('beforeunload', askBack)
  for (const listener of listeners) listener()
}
function set(entry: Entry, change: Partial<Uploading>) {
  entry.shown = { ...entry.shown, ...change }
  // If it was removed meanwhile, a late response must not bring it back.
  if (entries.get(entry.shown.karte) === entry) changed()
}

/** A plan has one upload at a time; another file is refused while one is running. */
export function uploadScan(
  karte: number,
  file: File,
  onDone: () => void,
  beside: File | null = null,
): boolean {
  const former = entries.get(karte)
  if (
    former &&
    (isBusy(former.shown.stand) || former.shown.stand === 'wartet' || former.shown.stand === 'pausiert')
  )
    return false
  const entry: Entry = {
    shown: {
      karte,
      name: file.name,
      size: file.size,
      stand: 'wartet',
      done: 0,
      fehler: null,
      lage: null,
      pages: null,
    },
    file,
    beside,
    onDone,
    tus: null,
    hashing: null,
    refused: null,
  }
  entries.set(karte, entry)
  const fault =
    file.size === 0
      ? BY_UPLOAD.leer
      : file.size > ownRequests.uploadLimitMb() * 2 ** 20
        ? BY_UPLOAD.gross
        : null
  if (fault) set(entry, { stand: 'fehler', fehler: fault })
  else {
    changed()
    next()
  }
  return true
}

/** Two at a time: more would only share the same connection. */
function next() {
  const waiting = [...entries.values()].filter(({ shown }) => shown.stand === 'wartet')
  const busy = [...entries.values()].filter(({ shown }) => isBusy(shown.stand)).length
  for (const entry of waiting.slice(0, Math.max(0, AT_ONCE - busy))) void begin(entry)
}

async function begin(entry: Entry): Promise<void> {
  set(entry, { stand: 'pruefsumme', done: 0, fehler: null })
  const sha256 = await hashOf(entry)
  if (entries.get(entry.shown.karte) !== entry) return
  if (sha256 === null) return fail(entry, BY_UPLOAD.readOut)
  try {
    await send(entry, sha256)
  } catch {
    fail(entry, BY_UPLOAD.connection)
  }
}
function fail(entry: Entry, fault: UploadFault) {
  set(entry, { stand: 'fehler', fehler: fault })
  next()
}

/** Null if the file could not be read, for example because it was moved or changed since. */
function hashOf(entry: Entry): Promise<string | null> {
  const worker = new Worker(new URL('./sha256.worker.ts', import.meta.url), { type: 'module' })
  entry.hashing = worker
  return new Promise<string | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
      if ('done' in data) set(entry, { done: data.done })
      else resolve('sha256' in data ? data.sha256 : null)
    }
    worker.onerror = () => resolve(null)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(entry.file)
  }).finally(() => {
    worker.terminate()
    entry.hashing = null
  })
}

async function send(entry: Entry, sha256: string): Promise<void> {
  const { Upload } = await import('tus-js-client')
  const { karte, size } = entry.shown
  const tus = new Upload(entry.file, {
    endpoint: ownRequests.address(kartePaths.upload(karte).slice(1)),
    chunkSize: UPLOAD_PIECE,
    retryDelays: PAUSES_MS,
    metadata: { filename: entry.file.name, sha256 },
    urlStorage: BEGUN_UPLOADS,
    fingerprint: (file) => Promise.resolve(`${karte}.${sha256}.${file.size}`),
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      if (entry.refused !== null) await ownRequests.renew(entry.refused)
      entry.refused = null
      const token = ownRequests.token()
      if (token !== null) request.setHeader('Authorization', `Bearer ${token}`)
    },
    onProgress: (done) => {
      if (entry.shown.stand !== 'pausiert') set(entry, { stand: done === size ? 'prueft' : 'laedt', done })
    },
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0
      // Retry once with a fresh token; a second refusal is final.
      if (status === 401) {
        const used = ownRequests.token()
        if (entry.refused === used) return false
        entry.refused = used
        return true
      }
      const again = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
      if (again && status !== 507) set(entry, { stand: 'unterbrochen' })
      return again && status !== 507
    },
    onError: (error) => {
      const response = 'originalResponse' in error ? error.originalResponse : null
      if (response === null) return waitForLine(entry)
      const began = 'originalRequest' in error && error.originalRequest.getMethod() !== 'POST'
      void uploadFault(response.getStatus(), response.getBody(), began).then((fault) => fail(entry, fault))
      return undefined
    },
    onAfterResponse: (_request, response) => {
      const place = response.getHeader('Karte-Lage')
      if (place !== undefined) set(entry, { lage: place as ScanPlace })
      const [fileId, count] = ['Karte-Datei', 'Karte-Seiten'].map((name) => response.getHeader(name))
      if (fileId !== undefined && count !== undefined)
        set(entry, { pages: { datei: Number(fileId), count: Number(count) } })
    },
    onSuccess: () => void finish(entry),
  })
  entry.tus = tus
  const [former] = await tus.findPreviousUploads()
  if (former) tus.resumeFromPreviousUpload(former)
  if (entries.get(karte) !== entry) return
  set(entry, { stand: 'laedt', done: 0 })
  tus.start()
}

async function finish(entry: Entry): Promise<void> {
  const { shown, beside } = entry
  if (beside !== null && shown.lage !== 'uebernommen') {
    set(entry, { stand: 'prueft' })
    const place = await import('./place-beside.ts')
      .then(({ placeBeside }) => placeBeside(shown.karte, beside, shown.lage === 'annahme'))
      .catch((): BesidePlace => 'unklar')
    set(entry, { lage: place })
  }
  set(entry, { stand: 'fertig', done: shown.size })
  entry.onDone()
  next()
}

/** All retries failed: resumes when the browser is online again, or on request. */
function waitForLine(entry: Entry) {
  set(entry, { stand: 'unterbrochen' })
  window.addEventListener('online', () => entry.shown.stand === 'unterbrochen' && entry.tus?.start(), {
    once: true,
  })
}

export function pauseUpload(karte: number) {
  const entry = entries.get(karte)
  if (!entry?.tus || !['laedt', 'unterbrochen'].includes(entry.shown.stand)) return
  set(entry, { stand: 'pausiert' })
  void entry.tus.abort()
  next()
}
export function resumeUpload(karte: number) {
  const entry = entries.get(karte)
  if (!entry) return
  if (entry.shown.stand === 'fehler') {
    entry.tus = null
    set(entry, { stand: 'wartet', done: 0, fehler: null })
    next()
  } else if (entry.tus && ['pausiert', 'unterbrochen'].includes(entry.shown.stand)) {
    set(entry, { stand: 'laedt' })
    entry.tus.start()
  }
}
/** Cancels it here and on the server. */
export function cancel(karte: number) {
  const entry = entries.get(karte)
  if (!entry) return
  entries.delete(karte)
  entry.hashing?.terminate()
  // If the server cannot be reached, it discards the partial upload after a while.
  if (entry.shown.stand !== 'fertig') void entry.tus?.abort(true).catch(() => undefined)
  changed()
  next()
}

/** Names of files whose upload to this plan was started in this browser and is not running. */
export const begunUploads = (karte: number): readonly string[] =>
  entries.has(karte) ? [] : begunNames(`${karte}.`)
