// A saving in progress: shown on every screen of the field mode, going on while the person looks at another one, to be broken off at any time.
import { useSyncExternalStore } from 'react'
import type { Grundkarte } from '#contract/grundkarte.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { type FeldDb, haltbar, type Sub } from './feld-db.ts'
import { halteVorNeu, lesePaketeNeu, waehlePaket } from './feld-stand.ts'
import { hole, holeKarte, type Kachelstand } from './paket-holen.ts'
import { legeAb, raeumeAuf } from './paket.ts'
import type { Teil } from './paket-umfang.ts'

export interface Wunsch {
  readonly idHQ: number
  readonly sHQ: string
  readonly teil: Teil
  /** Undefined: the ground stays as it is. Null: none. */
  readonly karte: Grundkarte | null | undefined
}
export interface Lauf {
  readonly sHQ: string
  /** Of four: stands, outlines, trees, photos. */
  readonly schritte: number
  readonly kacheln: Kachelstand | null
}
let lauf: Lauf | null = null
let abbruch: AbortController | null = null
const listeners = new Set<() => void>()
function setze(next: Lauf | null) {
  lauf = next
  for (const listener of listeners) listener()
}
export const useLauf = (): Lauf | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => lauf,
  )
export const brichAb = () => abbruch?.abort()

const sentence = (error: unknown): string =>
  error instanceof ToldError
    ? error.message
    : t('Ein unerwarteter Fehler ist aufgetreten. Bitte laden Sie die Seite neu oder rufen Sie den Support an.')

/** One at a time. Stands and trees are there before the ground is asked for: whatever becomes of that, they can be worked with. */
export async function speichere(db: FeldDb, sub: Sub, { idHQ, sHQ, teil, karte }: Wunsch): Promise<void> {
  if (lauf !== null) return
  abbruch = new AbortController()
  const { signal } = abbruch
  setze({ sHQ, schritte: 0, kacheln: null })
  let abgelegt = false
  try {
    const geholt = await hole(idHQ, signal, (schritte) => setze({ sHQ, schritte, kacheln: null }))
    signal.throwIfAborted()
    const paket = await legeAb(db, sub, geholt, teil, new Date())
    abgelegt = true
    await lesePaketeNeu()
    waehlePaket(idHQ)
    // The application's own parts come beside the tiles; "it lies here" is said once both do.
    const gehalten = halteVorNeu()
    // Some browsers ask the person: nothing waits for the answer.
    void haltbar()
    if (karte !== undefined && karte !== null)
      await holeKarte({ db, sub, paket, karte, signal, now: new Date(), onStand: (kacheln) => setze({ sHQ, schritte: 4, kacheln }) })
    await gehalten
    toast.success(t('{name} liegt jetzt auf diesem Gerät.', { name: geholt.sHQ || sHQ }))
  } catch (error) {
    if (signal.aborted)
      toast.info(
        abgelegt
          ? t('Die Hintergrundkarte wurde nicht gespeichert. Bestände und Bäume liegen auf diesem Gerät.')
          : t('Abgebrochen. Auf diesem Gerät ist alles wie zuvor.'),
      )
    else {
      console.error('a pack could not be saved', error)
      toast.error(
        abgelegt
          ? t('Bestände und Bäume liegen auf diesem Gerät, die Hintergrundkarte nicht: {why}', { why: sentence(error) })
          : t('Nicht gespeichert, auf diesem Gerät ist alles wie zuvor: {why}', { why: sentence(error) }),
      )
    }
    await raeumeAuf(db, sub).catch(() => {})
  } finally {
    abbruch = null
    setze(null)
    await lesePaketeNeu().catch(() => {})
  }
}
