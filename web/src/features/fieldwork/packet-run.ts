// Saving a pack: progress shown on every field mode screen, continuing while the person uses another one, and
// cancellable at any time.
import { useSyncExternalStore } from 'react'
import type { BaseMap } from '#contract/base-map.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { presentTime } from './device-clock.ts'
import { type FieldworkDb, isSurvey, persistent, type Sub } from './fieldwork-db.ts'
import { retryOfflineReady, refetchPackets, choosePacket } from './fieldwork-state.ts'
import { fetchBetrieb, fetchKarte, type TileProgress } from './packet-fetch.ts'
import { putAway, tidyUp } from './packet.ts'
import type { Part } from './packet-extent.ts'

export interface Requested {
  readonly idHQ: number
  readonly sHQ: string
  readonly teil: Part
  /** Undefined keeps the base map; null means none. */
  readonly karte: BaseMap | null | undefined
}
export interface Run {
  readonly sHQ: string
  /** Out of four: stands, outlines, trees, photos. */
  readonly steps: number
  readonly kacheln: TileProgress | null
}
let run: Run | null = null
let controller: AbortController | null = null
const listeners = new Set<() => void>()
function setTo(next: Run | null) {
  run = next
  for (const listener of listeners) listener()
}
export const useRun = (): Run | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => run,
  )
export const abortRun = () => controller?.abort()

const sentence = (error: unknown): string =>
  error instanceof ToldError
    ? error.message
    : t(
        'Ein unerwarteter Fehler ist aufgetreten. Bitte laden Sie die Seite neu oder rufen Sie den Support an.',
      )

interface Taking extends Pick<Requested, 'idHQ' | 'teil'> {
  readonly signal: AbortSignal
  readonly onStep: (done: number) => void
}
async function takeBetrieb(db: FieldworkDb, sub: Sub, { idHQ, teil, signal, onStep }: Taking) {
  const fetched = await fetchBetrieb(idHQ, signal, onStep)
  signal.throwIfAborted()
  return putAway(db, sub, fetched, teil, presentTime())
}
/** Loaded only by those who take a survey along. */
async function takeSurvey(db: FieldworkDb, sub: Sub, { idHQ, teil, signal, onStep }: Taking) {
  const { fetchSurvey, putAwaySurvey } = await import('./survey-packet.ts')
  const fetched = await fetchSurvey({ client_id: -idHQ, part: teil, signal, onStep })
  signal.throwIfAborted()
  return putAwaySurvey(db, sub, fetched, teil, presentTime())
}

/**
 * One at a time. Stands and trees are stored before the base map is fetched, so they are usable whatever
 * happens to it.
 */
export async function persist(
  db: FieldworkDb,
  sub: Sub,
  { idHQ, sHQ, teil, karte }: Requested,
): Promise<void> {
  if (run !== null) return
  controller = new AbortController()
  const { signal } = controller
  setTo({ sHQ, steps: 0, kacheln: null })
  let stored = false
  try {
    const onStep = (steps: number) => setTo({ sHQ, steps, kacheln: null })
    const packet = isSurvey({ idHQ })
      ? await takeSurvey(db, sub, { idHQ, teil, signal, onStep })
      : await takeBetrieb(db, sub, { idHQ, teil, signal, onStep })
    stored = true
    await refetchPackets()
    choosePacket(idHQ)
    // The application's files load alongside the tiles; success is reported once both are stored.
    const offlinePending = retryOfflineReady()
    // Not awaited, because some browsers ask the person.
    void persistent()
    if (karte !== undefined && karte !== null)
      await fetchKarte({
        db,
        sub,
        packet,
        karte,
        signal,
        now: presentTime(),
        onProgress: (tiles) => setTo({ sHQ, steps: 4, kacheln: tiles }),
      })
    await offlinePending
    toast.success(t('{name} liegt jetzt auf diesem Gerät.', { name: packet.sHQ || sHQ }))
  } catch (error) {
    if (signal.aborted)
      toast.info(
        stored
          ? t('Die Hintergrundkarte wurde nicht gespeichert. Alles andere liegt auf diesem Gerät.')
          : t('Abgebrochen. Auf diesem Gerät ist alles wie zuvor.'),
      )
    else {
      console.error('a pack could not be saved', error)
      toast.error(
        stored
          ? t('Alles liegt auf diesem Gerät, nur die Hintergrundkarte nicht: {why}', {
              why: sentence(error),
            })
          : t('Nicht gespeichert, auf diesem Gerät ist alles wie zuvor: {why}', { why: sentence(error) }),
      )
    }
    await tidyUp(db, sub).catch(() => {})
  } finally {
    controller = null
    setTo(null)
    await refetchPackets().catch(() => {})
  }
}
