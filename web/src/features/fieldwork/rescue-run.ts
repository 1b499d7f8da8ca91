// One reading of a rescue file: a separate queue beside the device's, compared with the server, sent, and
// removed.
import type { Habitatbaum } from '#contract/habitat.ts'
import { oneOf } from '../../data/addresses.ts'
import { ownRequests } from '../../data/client.ts'
import { selectRows } from '../../data/rows.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { presentTime } from './device-clock.ts'
import { type AnyCapture, deleteFieldworkDb, openFieldworkDb, type Sub } from './fieldwork-db.ts'
import { fetchQueue, type ImageRow } from './queue-read.ts'
import { fillQueue, readRescue, type RescueContent, type RescueState, rescueStateOf } from './rescue-read.ts'
import { type Progress, syncAll, type SyncSummary } from './sync.ts'
import { createTransport, subOf } from './sync-transport.ts'

export interface Reading {
  readonly sub: Sub
  readonly content: RescueContent
  /** By kennung. */
  readonly states: ReadonlyMap<string, RescueState>
  readonly storedPhotos: number
}
export interface RescueOutcome {
  readonly summary: SyncSummary
  /** What the server did not take. */
  readonly captures: readonly AnyCapture[]
  readonly photos: readonly ImageRow[]
}

class NotSignedInError extends ToldError {
  override readonly name = 'NotSignedIn'
  readonly code = 'not_signed_in'
  readonly origin = undefined
}
const NAME = 'forstkontor-feldsicherung'
const AT_ONCE = 100
const PHOTOS_AT_ONCE = 40

const partsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

const transportFor = (sub: Sub) =>
  createTransport(sub, {
    dataApi: ownRequests.rows('').replace(/\/$/, ''),
    generalApi: ownRequests.address('').replace(/\/$/, ''),
    token: ownRequests.token,
    renew: ownRequests.renew,
  })

/** What the server has of these, each in the table of its kind. */
async function fetchVersions(captures: readonly AnyCapture[]): Promise<Map<string, { version: number }>> {
  const found = new Map<string, { version: number }>()
  for (const [table, all] of Map.groupBy(captures, ({ tabelle }) => tabelle ?? 'habitatbaeume'))
    for (const some of partsOf(all, AT_ONCE)) {
      const ids = some.map(({ kennung }) => kennung)
      // oxlint-disable-next-line no-await-in-loop -- the address of a request has a limit
      const rows = await selectRows<Pick<Habitatbaum, 'kennung' | 'version'>>(table, {
        select: ['kennung', 'version'],
        filters: [oneOf('kennung', ids)],
      })
      for (const row of rows) found.set(row.kennung, row)
    }
  return found
}

/** Reads the file and asks the server what of it is there. */
export async function readInto(file: Blob): Promise<Reading> {
  const sub = subOf(ownRequests.token() ?? '')
  if (sub === null)
    throw new NotSignedInError(t('Bitte melden Sie sich wieder an und wählen Sie die Datei noch einmal.'))
  const content = await readRescue(file, sub)
  const { erfassungen, bilder } = content
  const server = await fetchVersions(erfassungen)
  const transport = transportFor(sub)
  let storedPhotos = 0
  for (const some of partsOf(bilder, PHOTOS_AT_ONCE)) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    storedPhotos += (await transport.fetchStoredImages(some, new AbortController().signal)).length
  }
  const states = new Map(
    erfassungen.map(
      (capture) => [capture.kennung, rescueStateOf(capture, server.get(capture.kennung))] as const,
    ),
  )
  return { sub, content, states, storedPhotos }
}

/** After a broken line it is sent once more: the server knows what it has. */
export async function sendReading(
  { sub, content }: Reading,
  signal: AbortSignal,
  notify: (progress: Progress) => void,
): Promise<RescueOutcome> {
  await removeRemains()
  // Of its own, so that it never mixes with what waits on this device; it is here only while it is sent.
  const name = `${NAME}-${Date.now()}-${Math.random()}`
  return alone(name, async () => {
    const db = await openFieldworkDb({ name })
    try {
      await fillQueue(db, content)
      const summary = await syncAll({ db, sub, weg: transportFor(sub), signal, present: presentTime, notify })
      const { erfassungen, bilder } = await fetchQueue(db, sub)
      return { summary, captures: erfassungen, photos: bilder }
    } finally {
      db.close()
      await deleteFieldworkDb(name)
    }
  })
}
/** No other window takes it for remains meanwhile; older browsers have no locks, and remove none. */
const alone = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work()

/** Of windows that were closed while they were sending. */
async function removeRemains(): Promise<void> {
  // Older browsers do not say which there are.
  const all = (await indexedDB.databases?.()) ?? []
  for (const { name } of all) {
    if (name?.startsWith(`${NAME}-`) && 'locks' in navigator)
      // oxlint-disable-next-line no-await-in-loop -- rarely more than one
      await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await deleteFieldworkDb(name)
      })
  }
}
