// State shared by all field mode screens while the page is open: storage, person, packs, connection. Unlike
// the screens, it survives navigation.
import { useSyncExternalStore } from 'react'
import { currentSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { countDaysBy } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'
import { askTheTime, presentTime } from './device-clock.ts'
import type { FieldworkDb, FieldworkPacket, FieldworkPerson, Sub } from './fieldwork-db.ts'
import {
  type AppBridge,
  watchDevice,
  fieldworkDb,
  readDevice,
  fetchPerson,
  type Connection,
} from './fieldwork-session.ts'
import { besideHere } from './mark-cookie.ts'
import { compareMarks } from './storage-mark.ts'
import { freeDraftImages } from './queue.ts'
import { remove, noLongerAllowed, packetsOf as lesePakete, tidyUp } from './packet.ts'

export interface FieldworkState {
  /** Null if not open yet; `fehler` says why, if opening failed. */
  readonly db: FieldworkDb | null
  readonly person: FieldworkPerson | null
  readonly pakete: readonly FieldworkPacket[]
  readonly packet: FieldworkPacket | null
  readonly connection: Connection
  /** Whether the application's files are on this device. Null if not known yet. */
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

/** The open one of several packs. Belongs to the person and is removed when they sign out. */
const CHOSEN = 'forstkontor.feld-paket'
const openPacketOf = (packets: readonly FieldworkPacket[]): FieldworkPacket | null => {
  const idHQ = Number(localStorage.getItem(CHOSEN))
  return packets.find((packet) => packet.idHQ === idHQ) ?? packets[0] ?? null
}
export function choosePacket(idHQ: number) {
  localStorage.setItem(CHOSEN, String(idHQ))
  setTo({ packet: openPacketOf(stand.pakete) })
}
export async function refetchPackets(): Promise<void> {
  const { db, person } = stand
  if (db === null || person === null) return
  const packets = (await lesePakete(db, person.sub)).toSorted((a, b) => a.sHQ.localeCompare(b.sHQ, 'de'))
  setTo({ pakete: packets, packet: openPacketOf(packets) })
}

let opened: Promise<void> | null = null
let bridge: AppBridge | null = null
/** Runs once per page, however often the screens are mounted. */
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
  countDaysBy(presentTime)
  const db = await fieldworkDb()
  await compareMarks(db, besideHere()).catch((error: unknown) =>
    console.warn('nobody knows whether the storage was emptied', error),
  )
  const signedIn = currentSession()?.localOnly !== true
  const sub = signedIn ? await to.keep() : readDevice()?.sub
  const person = sub ? await fetchPerson(db, sub) : undefined
  if (!sub || !person) throw new Error('nobody works in the field mode here')
  setTo({ db, person, connection: signedIn ? 'angemeldet' : 'prueft', fehler: null })
  await refetchPackets()
  watch(to, sub)
  // In the background, so that they do not delay the first screen.
  void freeDraftImages(db, sub).catch((error: unknown) => console.warn('photos were not freed', error))
  void tidyUp(db, sub).catch((error: unknown) => console.warn('old tiles are still there', error))
  if (signedIn) {
    void askTheTime()
    await giveBack(db, person)
    void makeOfflineReady(to)
  } else void connect()
}

/** Stores the application's files that are needed offline. */
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

let running: Promise<void> | null = null
/** Contacts the server and signs in again if that works without interaction. One attempt at a time. */
export function connect(): Promise<void> {
  const to = bridge
  if (to === null || stand.db === null) return Promise.resolve()
  running ??= (async () => {
    setTo({ connection: 'prueft' })
    const connection = await to.connect().catch((error: unknown) => {
      console.warn('no connection', error)
      return 'ohne-netz' as const
    })
    setTo({ connection })
    if (connection !== 'ohne-netz') void askTheTime()
    if (connection === 'angemeldet') await afterSignIn(to)
  })().finally(() => {
    running = null
  })
  return running
}
async function afterSignIn(to: AppBridge) {
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

/**
 * Removes holdings in which the person may no longer capture. Untransferred captures stay: the server decides
 * on each of them.
 */
async function giveBack(db: FieldworkDb, person: FieldworkPerson) {
  const { sub } = person
  const lost = noLongerAllowed(stand.pakete, person)
  for (const { idHQ, sHQ } of lost) {
    // oxlint-disable-next-line no-await-in-loop -- rarely more than one
    await remove(db, sub, idHQ)
    toast.info(
      t('{name} liegt nicht mehr auf diesem Gerät: Sie dürfen dort nicht mehr erfassen.', { name: sHQ }),
    )
  }
  if (lost.length > 0) await refetchPackets()
}

const LOOK_AGAIN_MS = 60_000
function watch(to: AppBridge, sub: Sub) {
  to.onSessionEnd((blocked) => {
    if (blocked) setTo({ connection: 'gesperrt' })
    else void connect()
  })
  // Somebody else or nobody is signed in on this device now: nothing of this person may stay on screen.
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
/** The application's functions; null before the field mode was opened. */
export const application = (): AppBridge | null => bridge
