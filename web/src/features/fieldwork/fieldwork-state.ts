// The state that all screens of the field mode share while the page is open: storage, person, packs, connection. Screens come and go with their addresses; this stays.
import { useSyncExternalStore } from 'react'
import { currentSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import type { FieldworkDb, FieldworkPacket, FieldworkPerson, Sub } from './fieldwork-db.ts'
import {
  type AppBridge,
  watchDevice,
  fieldworkDb,
  readDevice,
  fetchPerson,
  type Connection,
} from './fieldwork-session.ts'
import { remove, noLongerAllowed, pakete as lesePakete, tidyUp } from './packet.ts'

export interface FieldworkState {
  /** Null: not open yet, or `fehler` says why not. */
  readonly db: FieldworkDb | null
  readonly person: FieldworkPerson | null
  readonly pakete: readonly FieldworkPacket[]
  readonly packet: FieldworkPacket | null
  readonly connection: Connection
  /** The parts of the application are on this device. Null: not known yet. */
  readonly offlineReady: boolean | null
  readonly fehler: unknown
}
const NOTHING: FieldworkState = {
  db: null,
  person: null,
  pakete: [],
  packet: null,
  connection: 'prueft',
  offlineReady: null,
  fehler: null,
}

let stand = NOTHING
const listeners = new Set<() => void>()
function setTo(change: Partial<FieldworkState>) {
  stand = { ...stand, ...change }
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useFieldworkState = (): FieldworkState => useSyncExternalStore(subscribe, () => stand)

/** Which of several packs is open. Of the person: it goes when they sign out. */
const CHOSEN = 'forstkontor.feld-paket'
const openPacketOf = (pakete: readonly FieldworkPacket[]): FieldworkPacket | null => {
  const idHQ = Number(localStorage.getItem(CHOSEN))
  return pakete.find((packet) => packet.idHQ === idHQ) ?? pakete[0] ?? null
}
export function choosePacket(idHQ: number) {
  localStorage.setItem(CHOSEN, String(idHQ))
  setTo({ packet: openPacketOf(stand.pakete) })
}
export async function refetchPackets(): Promise<void> {
  const { db, person } = stand
  if (db === null || person === null) return
  const pakete = (await lesePakete(db, person.sub)).toSorted((a, b) => a.sHQ.localeCompare(b.sHQ, 'de'))
  setTo({ pakete, packet: openPacketOf(pakete) })
}

let opened: Promise<void> | null = null
let bridge: AppBridge | null = null
/** Once for the page, however often its screens come and go. */
export function openFieldwork(to: AppBridge): Promise<void> {
  bridge = to
  opened ??= begin(to).catch((error: unknown) => {
    opened = null
    setTo({ fehler: error })
  })
  return opened
}
export function retry() {
  setTo({ fehler: null })
  if (bridge) void openFieldwork(bridge)
}

async function begin(to: AppBridge) {
  const db = await fieldworkDb()
  const signedIn = currentSession()?.localOnly !== true
  const sub = signedIn ? await to.keep() : readDevice()?.sub
  const person = sub ? await fetchPerson(db, sub) : undefined
  if (!sub || !person) throw new Error('nobody works in the field mode here')
  setTo({ db, person, connection: signedIn ? 'angemeldet' : 'prueft', fehler: null })
  await refetchPackets()
  watch(to, sub)
  // Neither is in the way of what is shown.
  void tidyUp(db, sub).catch((error: unknown) => console.warn('old tiles are still there', error))
  if (signedIn) {
    await giveBack(db, person)
    void makeOfflineReady(to)
  } else void connect()
}

/** The parts of the application that are needed without a connection. */
async function makeOfflineReady(to: AppBridge) {
  try {
    await to.prepareOffline()
    setTo({ offlineReady: true })
  } catch (error) {
    console.warn('the field mode will not start without a connection', error)
    setTo({ offlineReady: false })
  }
}
export const retryOfflineReady = () => (bridge ? makeOfflineReady(bridge) : Promise.resolve())

let laufend: Promise<void> | null = null
/** Looks whether the server is there, and signs in again where that needs no question. One at a time. */
export function connect(): Promise<void> {
  const to = bridge
  if (to === null || stand.db === null) return Promise.resolve()
  laufend ??= (async () => {
    setTo({ connection: 'prueft' })
    const connection = await to.connect().catch((error: unknown) => {
      console.warn('no connection', error)
      return 'ohne-netz' as const
    })
    setTo({ connection })
    if (connection === 'angemeldet') await angemeldet(to)
  })().finally(() => {
    laufend = null
  })
  return laufend
}
async function angemeldet(to: AppBridge) {
  const { db } = stand
  if (db === null) return
  const sub = await to.keep()
  const person = await fetchPerson(db, sub)
  if (person) {
    setTo({ person })
    await giveBack(db, person)
  }
  void makeOfflineReady(to)
}

/** Holdings in which the person may not capture any more leave the device. What is not transferred stays: the server says of each capture what becomes of it. */
async function giveBack(db: FieldworkDb, person: FieldworkPerson) {
  const { sub } = person
  const lost = noLongerAllowed(stand.pakete, person)
  for (const { idHQ, sHQ } of lost) {
    // oxlint-disable-next-line no-await-in-loop -- seldom more than one
    await remove(db, sub, idHQ)
    toast.info(
      t('{name} liegt nicht mehr auf diesem Gerät: Sie dürfen dort nicht mehr erfassen.', { name: sHQ }),
    )
  }
  if (lost.length > 0) await refetchPackets()
}

const LOOK_AGAIN_MS = 60_000
function watch(to: AppBridge, sub: Sub) {
  to.onSessionEnd((gesperrt) => {
    if (gesperrt) setTo({ connection: 'gesperrt' })
    else void connect()
  })
  // Somebody else works on this device now, or nobody: nothing of this person may stay on screen.
  watchDevice((now) => {
    if (now !== sub) location.replace('/feld')
  })
  const look = () => {
    if (document.visibilityState === 'visible' && stand.connection === 'ohne-netz') void connect()
  }
  window.addEventListener('online', () => {
    if (stand.connection !== 'angemeldet') void connect()
  })
  window.addEventListener('offline', () => setTo({ connection: 'ohne-netz' }))
  document.addEventListener('visibilitychange', look)
  setInterval(look, LOOK_AGAIN_MS)
}
export const currentConnection = (): Connection => stand.connection
/** What only the application can do. */
export const application = (): AppBridge | null => bridge
