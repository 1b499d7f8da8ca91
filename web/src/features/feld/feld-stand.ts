// The state that all screens of the field mode share while the page is open: storage, person, packs, connection. Screens come and go with their addresses; this stays.
import { useSyncExternalStore } from 'react'
import { currentSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import type { FeldDb, FeldPaket, FeldPerson, Sub } from './feld-db.ts'
import { type Anbindung, beobachteGeraet, feldDb, leseGeraet, lesePerson, type Verbindung } from './feld-sitzung.ts'
import { entferne, nichtMehr, pakete as lesePakete, raeumeAuf } from './paket.ts'

export interface FeldStand {
  /** Null: not open yet, or `fehler` says why not. */
  readonly db: FeldDb | null
  readonly person: FeldPerson | null
  readonly pakete: readonly FeldPaket[]
  readonly paket: FeldPaket | null
  readonly verbindung: Verbindung
  /** The parts of the application are on this device. Null: not known yet. */
  readonly vorgehalten: boolean | null
  readonly fehler: unknown
}
const NICHTS: FeldStand = { db: null, person: null, pakete: [], paket: null, verbindung: 'prueft', vorgehalten: null, fehler: null }

let stand = NICHTS
const listeners = new Set<() => void>()
function setze(change: Partial<FeldStand>) {
  stand = { ...stand, ...change }
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useFeldStand = (): FeldStand => useSyncExternalStore(subscribe, () => stand)

/** Which of several packs is open. Of the person: it goes when they sign out. */
const GEWAEHLT = 'forstkontor.feld-paket'
const offenesPaket = (pakete: readonly FeldPaket[]): FeldPaket | null => {
  const idHQ = Number(localStorage.getItem(GEWAEHLT))
  return pakete.find((paket) => paket.idHQ === idHQ) ?? pakete[0] ?? null
}
export function waehlePaket(idHQ: number) {
  localStorage.setItem(GEWAEHLT, String(idHQ))
  setze({ paket: offenesPaket(stand.pakete) })
}
export async function lesePaketeNeu(): Promise<void> {
  const { db, person } = stand
  if (db === null || person === null) return
  const pakete = (await lesePakete(db, person.sub)).toSorted((a, b) => a.sHQ.localeCompare(b.sHQ, 'de'))
  setze({ pakete, paket: offenesPaket(pakete) })
}

let geoeffnet: Promise<void> | null = null
let anbindung: Anbindung | null = null
/** Once for the page, however often its screens come and go. */
export function oeffne(to: Anbindung): Promise<void> {
  anbindung = to
  geoeffnet ??= beginne(to).catch((error: unknown) => {
    geoeffnet = null
    setze({ fehler: error })
  })
  return geoeffnet
}
export function nochmal() {
  setze({ fehler: null })
  if (anbindung) void oeffne(anbindung)
}

async function beginne(to: Anbindung) {
  const db = await feldDb()
  const signedIn = currentSession()?.lokal !== true
  const sub = signedIn ? await to.merke() : leseGeraet()?.sub
  const person = sub ? await lesePerson(db, sub) : undefined
  if (!sub || !person) throw new Error('nobody works in the field mode here')
  setze({ db, person, verbindung: signedIn ? 'angemeldet' : 'prueft', fehler: null })
  await lesePaketeNeu()
  beobachte(to, sub)
  // Neither is in the way of what is shown.
  void raeumeAuf(db, sub).catch((error: unknown) => console.warn('old tiles are still there', error))
  if (signedIn) {
    await gibZurueck(db, person)
    void halteVor(to)
  } else void verbinde()
}

/** The parts of the application that are needed without a connection. */
async function halteVor(to: Anbindung) {
  try {
    await to.vorhalten()
    setze({ vorgehalten: true })
  } catch (error) {
    console.warn('the field mode will not start without a connection', error)
    setze({ vorgehalten: false })
  }
}
export const halteVorNeu = () => (anbindung ? halteVor(anbindung) : Promise.resolve())

let laufend: Promise<void> | null = null
/** Looks whether the server is there, and signs in again where that needs no question. One at a time. */
export function verbinde(): Promise<void> {
  const to = anbindung
  if (to === null || stand.db === null) return Promise.resolve()
  laufend ??= (async () => {
    setze({ verbindung: 'prueft' })
    const verbindung = await to.verbinde().catch((error: unknown) => {
      console.warn('no connection', error)
      return 'ohne-netz' as const
    })
    setze({ verbindung })
    if (verbindung === 'angemeldet') await angemeldet(to)
  })().finally(() => {
    laufend = null
  })
  return laufend
}
async function angemeldet(to: Anbindung) {
  const { db } = stand
  if (db === null) return
  const sub = await to.merke()
  const person = await lesePerson(db, sub)
  if (person) {
    setze({ person })
    await gibZurueck(db, person)
  }
  void halteVor(to)
}

/** Holdings in which the person may not capture any more leave the device. What is not transferred stays: the server says of each capture what becomes of it. */
async function gibZurueck(db: FeldDb, person: FeldPerson) {
  const { sub } = person
  const lost = nichtMehr(stand.pakete, person)
  for (const { idHQ, sHQ } of lost) {
    // oxlint-disable-next-line no-await-in-loop -- seldom more than one
    await entferne(db, sub, idHQ)
    toast.info(t('{name} liegt nicht mehr auf diesem Gerät: Sie dürfen dort nicht mehr erfassen.', { name: sHQ }))
  }
  if (lost.length > 0) await lesePaketeNeu()
}

const SIEHT_NACH_MS = 60_000
function beobachte(to: Anbindung, sub: Sub) {
  to.beiEnde((gesperrt) => {
    if (gesperrt) setze({ verbindung: 'gesperrt' })
    else void verbinde()
  })
  // Somebody else works on this device now, or nobody: nothing of this person may stay on screen.
  beobachteGeraet((now) => {
    if (now !== sub) location.replace('/feld')
  })
  const look = () => {
    if (document.visibilityState === 'visible' && stand.verbindung === 'ohne-netz') void verbinde()
  }
  window.addEventListener('online', () => {
    if (stand.verbindung !== 'angemeldet') void verbinde()
  })
  window.addEventListener('offline', () => setze({ verbindung: 'ohne-netz' }))
  document.addEventListener('visibilitychange', look)
  setInterval(look, SIEHT_NACH_MS)
}
export const verbindungJetzt = (): Verbindung => stand.verbindung
/** What only the application can do. */
export const anwendung = (): Anbindung | null => anbindung
