// Sends what is pending, trees and survey objects before their photos, and may be interrupted anywhere: unanswered
// items are resent unchanged, and the server recognizes them by their kennung. Storage and network are injected.
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import type { FieldworkImage, FieldworkDb, Identifier, Sub } from './fieldwork-db.ts'
import {
  type AnyAnswer,
  beginCaptures,
  fetchImage,
  fetchSendable,
  rememberImageState,
  type Sendable,
  settleAnswers,
  settleImage,
} from './queue-sync.ts'
import type { ImageRow } from './queue-read.ts'
import { notifyChanged } from './queue-watch.ts'

/** netz: try again later · anmeldung: the person has to sign in · abgelehnt: retrying alone will not help. */
export type TransportErrorKind = 'netz' | 'anmeldung' | 'abgelehnt'
export class TransportError extends ToldError {
  override readonly name = 'TransportError'
  readonly code: TransportErrorKind
  readonly origin: string | undefined
  /** Stable code of the broken rule. */
  readonly regel: string | null
  /** The line was alive, but what was sent did not pass within its time. Less of it may pass. */
  readonly timedOut: boolean
  constructor(
    code: TransportErrorKind,
    message: string,
    rule: string | null = null,
    origin?: string,
    timedOut = false,
  ) {
    super(message)
    this.code = code
    this.regel = rule
    this.origin = origin
    this.timedOut = timedOut
  }
}
export const isTimeout = (error: unknown): error is TransportError =>
  error instanceof TransportError && error.timedOut

export interface PhotoUpload {
  readonly bild: FieldworkImage
  readonly signal: AbortSignal
  /** Called with the address at which the upload can be resumed. */
  readonly onUpload: (address: string) => Promise<void>
  readonly onSent: (bytes: number) => void
}
/** Methods reject with TransportError. */
export interface Channel {
  /** All of one kind. */
  sync(captures: readonly Sendable[], signal: AbortSignal): Promise<AnyAnswer[]>
  /** Which of these photos, of any kind, the server has a row for, with its SHA-256. */
  fetchStoredImages(
    photos: readonly Pick<FieldworkImage, 'kennung' | 'tabelle'>[],
    signal: AbortSignal,
  ): Promise<{ kennung: Identifier; sha256: string }[]>
  /** Resolves once all bytes were accepted. */
  sendFile(transfer: PhotoUpload): Promise<void>
}

export interface Progress {
  readonly art: 'baeume' | 'bilder'
  readonly fertig: number
  readonly total: number
  readonly bytes: number
  readonly totalBytes: number
}
export interface SyncSummary {
  readonly baeume: number
  readonly bilder: number
  /** Conflicts, and trees deleted by somebody else. */
  readonly konflikte: number
  readonly abgelehnt: number
}

export interface SyncOptions {
  readonly db: FieldworkDb
  readonly sub: Sub
  readonly weg: Channel
  readonly signal: AbortSignal
  readonly present: () => Date
  readonly notify?: (fortschritt: Progress) => void
}

/** The server accepts 500; a smaller batch costs less when a weak connection breaks. */
const CAPTURE_BATCH = 100
const IMAGES = 40
/** A capture that keeps changing, here or on the server, waits for the next sync. */
const MAX_ROUNDS = 5

/** Characters of JSON. What is smaller passes over any line that is alive. */
const SMALL = 16_000

export async function syncAll(options: SyncOptions): Promise<SyncSummary> {
  const { late, ...trees } = await sendCaptures(options)
  const photos = await sendImages(options)
  // The rest has gone; the runner tries these again.
  const left = late ?? photos.late
  if (left !== null) throw left
  return { ...trees, bilder: photos.bilder, abgelehnt: trees.abgelehnt + photos.abgelehnt }
}

/** How many captures are sent at once: one after a timeout, then twice as many, up to half of what was too many. */
class Batch {
  size = CAPTURE_BATCH
  #ceiling = CAPTURE_BATCH
  passed(): void {
    this.size = Math.min(this.#ceiling, this.size * 2)
  }
  timedOut(count: number): void {
    this.#ceiling = Math.max(1, Math.floor(count / 2))
    this.size = 1
  }
}

/** `late`: why some were put aside, if some were. */
type Sent = Omit<SyncSummary, 'bilder'> & { readonly late: TransportError | null }

async function sendCaptures({ db, sub, weg, signal, present, notify }: SyncOptions): Promise<Sent> {
  let [trees, conflicts, declined] = [0, 0, 0]
  let late: TransportError | null = null
  /** Singles in a row that did not pass. */
  let stuck = 0
  const batch = new Batch()
  const turns = new Map<Identifier, number>()
  const aside = new Set<Identifier>()
  const summary = () => ({ baeume: trees, konflikte: conflicts, abgelehnt: declined, late })
  for (;;) {
    signal.throwIfAborted()
    const tired = [...turns].filter(([, count]) => count >= MAX_ROUNDS).map(([identifier]) => identifier)
    const sent = await beginCaptures(db, sub, batch.size, new Set([...aside, ...tired]))
    if (sent.length === 0) return summary()
    notify?.({ art: 'baeume', fertig: trees, total: trees + sent.length, bytes: 0, totalBytes: 0 })
    let answers: AnyAnswer[]
    try {
      answers = await weg.sync(sent, signal)
    } catch (error) {
      if (!isTimeout(error)) throw error
      if (sent.length > 1) {
        batch.timedOut(sent.length)
        continue
      }
      late = error
      aside.add(sent[0]!.kennung)
      if (++stuck < 2) continue
      // Two small ones: nothing passes. Two large ones: those behind them are no smaller, but photos come in pieces.
      if (JSON.stringify(sent).length < SMALL) throw error
      return summary()
    }
    stuck = 0
    batch.passed()
    for (const { kennung } of sent) turns.set(kennung, (turns.get(kennung) ?? 0) + 1)
    if (answers.length !== sent.length || answers.some(({ kennung }, at) => kennung !== sent[at]!.kennung))
      throw new TransportError(
        'netz',
        t(
          'Der Server hat anders geantwortet, als er sollte. Es ist nichts verloren; die Übertragung wird wiederholt.',
        ),
      )
    const done = await settleAnswers(db, sub, answers, present())
    trees += done.fertig
    conflicts += done.konflikte
    declined += done.abgelehnt
    notify?.({ art: 'baeume', fertig: trees, total: trees, bytes: 0, totalBytes: 0 })
  }
}

interface SentImages {
  readonly bilder: number
  readonly abgelehnt: number
  readonly late: TransportError | null
}
async function sendImages(options: SyncOptions): Promise<SentImages> {
  const { db, sub, signal, notify } = options
  const waiting = await fetchSendable(db, sub)
  const totalBytes = waiting.reduce((sum, { groesse }) => sum + groesse, 0)
  let [pictures, declined, bytes] = [0, 0, 0]
  let late: TransportError | null = null
  /** In a row. */
  let stuck = 0
  const tell = (more: number) =>
    notify?.({
      art: 'bilder',
      fertig: pictures,
      total: waiting.length,
      bytes: Math.min(bytes + more, totalBytes),
      totalBytes,
    })
  for (let at = 0; at < waiting.length; at += IMAGES) {
    const some = waiting.slice(at, at + IMAGES)
    // What arrived before the connection broke need not be sent again.
    const known = await confirmImages(options, some)
    pictures += known.size
    for (const row of some) {
      signal.throwIfAborted()
      if (!known.has(row.kennung))
        try {
          if (!(await sendImage(options, row.kennung, tell))) declined++
          stuck = 0
        } catch (error) {
          // The next one may pass. If it does not either, nothing does.
          if (!isTimeout(error) || ++stuck === 2) throw error
          late = error
        }
      bytes += row.groesse
      tell(0)
    }
    pictures += (
      await confirmImages(
        options,
        some.filter(({ kennung }) => !known.has(kennung)),
      )
    ).size
    tell(0)
  }
  return { bilder: pictures, abgelehnt: declined, late }
}

/** Asks the server which of these photos it has, deletes those here, and returns them. */
async function confirmImages(
  { db, sub, weg, signal }: SyncOptions,
  rows: readonly ImageRow[],
): Promise<Set<Identifier>> {
  const gone = new Set<Identifier>()
  if (rows.length === 0) return gone
  const there = new Map(
    (await weg.fetchStoredImages(rows, signal)).map(({ kennung, sha256 }) => [kennung, sha256]),
  )
  for (const { kennung, stand } of rows) {
    const sha256 = there.get(kennung)
    if (sha256 !== undefined) {
      if (await settleImage(db, sub, { kennung, sha256 })) gone.add(kennung)
      else
        await rememberImageState(db, sub, kennung, {
          stand: 'abgelehnt',
          regel: 'habitat_kennung_vergeben',
          fehler: t('Unter dieser Kennung liegt auf dem Server ein anderes Foto.'),
        })
    } else if (stand === 'gesendet') await rememberImageState(db, sub, kennung, { stand: 'wartet' })
  }
  return gone
}

/** False if refused; the row has the reason. */
async function sendImage(
  { db, sub, weg, signal }: SyncOptions,
  identifier: Identifier,
  tell: (bytes: number) => void,
): Promise<boolean> {
  const picture = await fetchImage(db, sub, identifier)
  // Discarded, or sent by another window.
  if (picture === undefined || picture.stand === 'abgelehnt') return picture === undefined
  await rememberImageState(db, sub, identifier, { versuche: picture.versuche + 1 })
  try {
    await weg.sendFile({
      bild: picture,
      signal,
      onUpload: (upload) => rememberImageState(db, sub, identifier, { upload }),
      onSent: tell,
    })
  } catch (error) {
    if (!(error instanceof TransportError) || error.code !== 'abgelehnt') throw error
    await rememberImageState(db, sub, identifier, {
      stand: 'abgelehnt',
      fehler: error.message,
      regel: error.regel,
      upload: null,
    })
    notifyChanged()
    return false
  }
  await rememberImageState(db, sub, identifier, {
    stand: 'gesendet',
    gesendet: picture.groesse,
    fehler: null,
    regel: null,
  })
  return true
}

/**
 * Delay before the next attempt after so many failures, with jitter so that a team's devices do not all retry
 * at once.
 */
export function pauseMs(failures: number, random: number): number {
  const steps = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000]
  const base = steps[Math.min(Math.max(failures, 1), steps.length) - 1]!
  return Math.round(base * (0.9 + random * 0.2))
}
