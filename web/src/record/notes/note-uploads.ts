// Uploads of files to notes. They belong to no page, so that they continue when the record's page is closed. Sent
// in pieces (tus), one file at a time; what was started is remembered in this browser until the person signs out.
import type { Upload as TusUpload } from 'tus-js-client'
import { NOTE_FILE_BYTES, notePaths, type NoteRecord } from '#contract/note.ts'
import { BEGUN_UPLOADS, begunNames } from '../../data/begun-uploads.ts'
import { ownRequests } from '../../data/client.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

type UploadState = 'waiting' | 'sending' | 'interrupted' | 'checking' | 'failed'

export interface NoteUploading {
  readonly key: number
  readonly record: NoteRecord
  readonly name: string
  readonly size: number
  readonly state: UploadState
  /** Bytes sent. */
  readonly done: number
  readonly fault: string | null
}

/** Files that were chosen together: those without a text share one note, which the first of them makes. */
interface Batch {
  note: number | null
  readonly forKunde: boolean
}
interface Entry {
  shown: NoteUploading
  readonly file: File
  readonly batch: Batch
  readonly onDone: (file: number) => void
  tus: TusUpload | null
  /** The token that was refused. */
  refused: string | null
}

/** Limits are round: 50 MB, not 50,0 MB. */
export const wholeMegabytes = (bytes: number): string => `${formatNumber(bytes / 1e6)} MB`

const PIECE = 4 * 1024 * 1024
const PAUSES_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000]

const entries = new Map<number, Entry>()
const listeners = new Set<() => void>()
let all: readonly NoteUploading[] = []
let lastKey = 0

/** The same object until something changes, as useSyncExternalStore requires. */
export const noteUploads = (): readonly NoteUploading[] => all
export function subscribeNoteUploads(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const isUnderWay = ({ state }: NoteUploading) => state !== 'failed'
const askBack = (event: BeforeUnloadEvent) => event.preventDefault()

function changed() {
  all = [...entries.values()].map(({ shown }) => shown)
  if (all.some(isUnderWay)) window.addEventListener('beforeunload', askBack)
  else window.removeEventListener('beforeunload', askBack)
  for (const listener of listeners) listener()
}
function set(entry: Entry, change: Partial<NoteUploading>) {
  entry.shown = { ...entry.shown, ...change }
  // If it was removed meanwhile, a late response must not bring it back.
  if (entries.get(entry.shown.key) === entry) changed()
}

interface NewUploads {
  readonly record: NoteRecord
  /** The note they belong to; null: they make one of their own. */
  readonly note: number | null
  readonly forKunde: boolean
  readonly files: readonly File[]
  /** `file`: its number at the record. */
  readonly onDone: (file: number) => void
}
export function uploadToNote({ record, note, forKunde, files, onDone }: NewUploads) {
  const batch: Batch = { note, forKunde }
  for (const file of files) {
    lastKey += 1
    const shown: NoteUploading = {
      key: lastKey,
      record,
      name: file.name,
      size: file.size,
      state: 'waiting',
      done: 0,
      fault: null,
    }
    entries.set(lastKey, { shown, file, batch, onDone, tus: null, refused: null })
  }
  changed()
  next()
}

function next() {
  const list = [...entries.values()]
  if (list.some(({ shown }) => shown.state === 'sending' || shown.state === 'checking')) return
  const waiting = list.find(({ shown }) => shown.state === 'waiting')
  if (waiting) void begin(waiting)
}

async function begin(entry: Entry): Promise<void> {
  const { size } = entry.shown
  if (size === 0) return fail(entry, t('Die Datei ist leer. Bitte wählen Sie eine andere.'))
  if (size > NOTE_FILE_BYTES)
    return fail(entry, t('Die Datei ist größer als {most}.', { most: wholeMegabytes(NOTE_FILE_BYTES) }))
  set(entry, { state: 'sending', done: 0, fault: null })
  try {
    await send(entry, await digestOf(entry.file))
  } catch {
    fail(
      entry,
      t(
        'Die Datei ließ sich nicht lesen. Vielleicht wurde sie verschoben oder geändert: Bitte wählen ' +
          'Sie sie noch einmal.',
      ),
    )
  }
  return undefined
}
function fail(entry: Entry, fault: string) {
  set(entry, { state: 'failed', fault })
  next()
}

/** Null if the browser has no crypto.subtle, as on plain http addresses inside a company. */
async function digestOf(file: File): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const beginningOf = ({ art, datensatz }: NoteRecord): string => `notiz.${art}.${datensatz}.`

async function send(entry: Entry, sha256: string | null): Promise<void> {
  const { Upload } = await import('tus-js-client')
  const { record, size } = entry.shown
  const { file, batch } = entry
  const known = sha256 ?? `${file.name}.${file.lastModified}`
  const tus = new Upload(file, {
    endpoint: ownRequests.address(notePaths.upload(record.art, record.datensatz).slice(1)),
    chunkSize: PIECE,
    retryDelays: PAUSES_MS,
    metadata: {
      filename: file.name,
      ...(sha256 !== null && { sha256 }),
      ...(batch.note !== null && { notiz: String(batch.note) }),
      ...(batch.forKunde && { fuer_kunde: 'ja' }),
    },
    urlStorage: BEGUN_UPLOADS,
    fingerprint: () => Promise.resolve(`${beginningOf(record)}${known}.${size}`),
    removeFingerprintOnSuccess: true,
    ...tokenOf(entry),
    onProgress: (done) => set(entry, { state: done === size ? 'checking' : 'sending', done }),
    onError: (error) => {
      const response = 'originalResponse' in error ? error.originalResponse : null
      if (response === null) return waitForLine(entry)
      void faultOf(response.getStatus(), response.getBody()).then((fault) => fail(entry, fault))
      return undefined
    },
    onSuccess: ({ lastResponse }) => {
      const note = Number(lastResponse.getHeader('Notiz'))
      if (note > 0) batch.note ??= note
      entries.delete(entry.shown.key)
      changed()
      entry.onDone(Number(lastResponse.getHeader('Notiz-Datei')))
      next()
    },
  })
  entry.tus = tus
  const [former] = await tus.findPreviousUploads()
  if (former) tus.resumeFromPreviousUpload(former)
  if (entries.get(entry.shown.key) === entry) tus.start()
}

/** Sends the present token; after a refusal once more with a fresh one. */
const tokenOf = (entry: Entry): Pick<TusUpload['options'], 'onBeforeRequest' | 'onShouldRetry'> => ({
  onBeforeRequest: async (request) => {
    if (entry.refused !== null) await ownRequests.renew(entry.refused)
    entry.refused = null
    const token = ownRequests.token()
    if (token !== null) request.setHeader('Authorization', `Bearer ${token}`)
  },
  onShouldRetry: (error) => {
    const status = error.originalResponse?.getStatus() ?? 0
    if (status === 401) {
      const used = ownRequests.token()
      if (entry.refused === used) return false
      entry.refused = used
      return true
    }
    const again = status === 0 || status === 423 || status === 429 || (status >= 500 && status !== 507)
    if (again) set(entry, { state: 'interrupted' })
    return again
  },
})

/** All retries failed: resumes when the browser is online again, or on request. */
function waitForLine(entry: Entry) {
  set(entry, { state: 'interrupted' })
  window.addEventListener('online', () => resumeNoteUpload(entry.shown.key), { once: true })
}

export function resumeNoteUpload(key: number) {
  const entry = entries.get(key)
  if (!entry) return
  if (entry.shown.state === 'failed') {
    entry.tus = null
    set(entry, { state: 'waiting', done: 0, fault: null })
    next()
  } else if (entry.shown.state === 'interrupted') {
    set(entry, { state: 'sending' })
    entry.tus?.start()
  }
}
/** Cancels it here and on the server. */
export function cancelNoteUpload(key: number) {
  const entry = entries.get(key)
  if (!entry) return
  entries.delete(key)
  // If the server cannot be reached, it discards the partial upload after a while.
  void entry.tus?.abort(true).catch(() => undefined)
  changed()
  next()
}

/** Names of files whose upload to this record was started in this browser and is not running. */
export function begunNoteUploads(record: NoteRecord): readonly string[] {
  const running = new Set(all.map(({ name }) => name))
  return begunNames(beginningOf(record)).filter((name) => !running.has(name))
}

async function faultOf(status: number, body: string): Promise<string> {
  if (status === 401)
    return t('Ihre Sitzung ist abgelaufen. Melden Sie sich neu an und setzen Sie den Upload fort.')
  if (status === 413) return t('Die Datei ist größer als {most}.', { most: wholeMegabytes(NOTE_FILE_BYTES) })
  try {
    const { hint, message } = JSON.parse(body) as { hint?: unknown; message?: unknown }
    const { BY_RULE } = await import('../../data/rule-texts.ts')
    const told = typeof hint === 'string' ? BY_RULE[hint] : undefined
    if (told !== undefined) return t(told)
    if (typeof message === 'string' && message !== '') return message
  } catch {
    // Answered by something between here and the server.
  }
  return t('Der Server hat die Datei nicht angenommen. Bitte versuchen Sie es noch einmal.')
}
