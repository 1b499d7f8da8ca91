// Work that takes more than a moment waits for its turn: imports, exports, reports, previews, pictures.
// Limited per machine and per person; people take turns, no matter how much each of them asked for, and so do a
// person's screen and their keys (share.ts).
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply } from 'fastify'
import { inRank } from './rank.ts'
import { Refusal } from './errors.ts'
import { isObserved, note, observed, offerLevel } from './observe.ts'
import { longestBut, shareOf } from './share.ts'

/**
 * `long`: imports, exports, reports, archives. `short`: looking at a file, drawing a document or a picture.
 * `tile`: cutting a tile out of a plan. `map`: a tile of a third-party service, a piece of the base map's file. No kind
 * waits for another.
 */
export type WorkKind = 'long' | 'short' | 'tile' | 'map'

export interface Shares {
  readonly atOnce: number
  readonly perPerson: number
  readonly waiting: number
  readonly waitingPerPerson: number
}

/** Seconds after which to retry. */
export const RETRY_AFTER_S = 15

/** Thrown at once when more is asked for than may wait. */
export class CrowdedRefusal extends Refusal {
  constructor(own: boolean) {
    super(
      'too_many_requests',
      own
        ? 'Von Ihnen warten schon mehrere Vorgänge. Bitte warten Sie, bis der erste fertig ist, ' +
            'und versuchen Sie es dann noch einmal.'
        : 'Der Server ist gerade mit vielen Vorgängen beschäftigt. Bitte versuchen Sie es in einer Minute noch einmal.',
    )
  }
}

export interface Turn {
  /** Rejects if the signal aborts first. */
  readonly come: Promise<void>
  /** Whether it has to wait for others. */
  readonly waits: boolean
  /** Ends the turn, or gives up the place in the queue. Calling it twice does no harm. */
  release(): void
}

export interface Order {
  /** Whose share it counts against; without one it is the server's own work. */
  readonly person?: string | undefined
  /** Aborting it while waiting gives up the place. */
  readonly signal?: AbortSignal | undefined
  readonly onWait?: (() => void) | undefined
}

export interface WorkQueue {
  /** @throws CrowdedRefusal */
  admit(kind: WorkKind, order?: Order): Turn
  /**
   * Inside the work of another turn it runs at once, because that turn is already held. @throws
   * Crowded, or the signal's reason
   */
  run<T>(kind: WorkKind, order: Order, work: () => Promise<T>): Promise<T>
}

export const sharesOf = (atOnce: number, perPerson: number): Record<WorkKind, Shares> => ({
  long: { atOnce, perPerson, waiting: 20 * atOnce, waitingPerPerson: 4 },
  short: { atOnce, perPerson, waiting: 100 * atOnce, waitingPerPerson: 24 },
  tile: { atOnce: 2 * atOnce, perPerson: 2 * perPerson, waiting: 400 * atOnce, waitingPerPerson: 200 },
  // Waits for others and costs no processor. Fewer than the connections to a service (map-service/fetcher.ts), so that
  // nobody alone has all of them.
  map: { atOnce: 24, perPerson: 6, waiting: 4_800, waitingPerPerson: 200 },
})

export function createWorkQueue(shares: Readonly<Record<WorkKind, Shares>> = sharesOf(2, 1)): WorkQueue {
  const lanes = {
    long: createLane('long', shares.long),
    short: createLane('short', shares.short),
    tile: createLane('tile', shares.tile),
    map: createLane('map', shares.map),
  }
  const within = new AsyncLocalStorage<true>()
  const admit = (kind: WorkKind, order: Order = {}): Turn => lanes[kind](order)
  return {
    admit,
    async run(kind, order, work) {
      if (within.getStore() === true) return work()
      const turn = admit(kind, order)
      try {
        if (turn.waits) order.onWait?.()
        await turn.come
        return await within.run(true, () => (kind === 'long' ? inRank('long', work) : work()))
      } finally {
        turn.release()
      }
    },
  }
}

/** What waits of one of those within a share. */
interface Row {
  readonly isSelf: boolean
  readonly waiting: Set<Place>
}

interface Place {
  readonly go: () => void
  readonly refuse: (fault: Error) => void
}

interface Person {
  running: number
  /** The next one first. */
  readonly rows: Map<string, Row>
  /** Their own work went last, so that of a key goes next: neither waits long for the other. */
  selfWentLast: boolean
}

const waitingOf = ({ rows }: Person): number => {
  let waiting = 0
  for (const row of rows.values()) waiting += row.waiting.size
  return waiting
}

/** Whose work is next within a share. */
function nextIn({ rows, selfWentLast }: Person): readonly [name: string, row: Row] | undefined {
  const waiting = [...rows].filter(([, row]) => row.waiting.size > 0)
  return waiting.find(([, { isSelf }]) => isSelf !== selfWentLast) ?? waiting[0]
}

function createLane(
  kind: WorkKind,
  { atOnce, perPerson, waiting: mostWaiting, waitingPerPerson }: Shares,
): (order: Order) => Turn {
  /** In the order in which they get their turn. */
  const persons = new Map<string, Person>()
  let running = 0
  let waiting = 0
  offerLevel('places', kind, () => atOnce)
  offerLevel('working', kind, () => running)
  offerLevel('waiting', kind, () => waiting)
  const crowded = (own: boolean): CrowdedRefusal => {
    note('refusal', kind)
    return new CrowdedRefusal(own)
  }

  function next(): void {
    while (running < atOnce) {
      const found = [...persons].find(([, person]) => person.running < perPerson && waitingOf(person) > 0)
      if (found === undefined) return
      const [name, person] = found
      const [rowName, row] = nextIn(person)!
      const [place] = row.waiting
      row.waiting.delete(place!)
      waiting--
      running++
      person.running++
      person.selfWentLast = row.isSelf
      person.rows.delete(rowName)
      if (row.waiting.size > 0) person.rows.set(rowName, row)
      stepBack(name, person)
      place!.go()
    }
  }
  /** Moves the person to the end of the row; one with no more work is forgotten. */
  function stepBack(name: string, person: Person): void {
    persons.delete(name)
    if (person.running > 0 || waitingOf(person) > 0) persons.set(name, person)
  }
  /** When all places of a share are taken, the one with most of them gives the last one to one with fewer. */
  function makeRoom(person: Person, row: Row): void {
    const full = waitingOf(person) >= waitingPerPerson
    const last = full
      ? [...(longestBut(person.rows.values(), row, (one) => one.waiting.size)?.waiting ?? [])].at(-1)
      : undefined
    if (full && last === undefined) throw crowded(true)
    if (last === undefined && waiting >= mostWaiting) throw crowded(false)
    last?.refuse(crowded(true))
  }

  return ({ person: asking = '', signal }) => {
    signal?.throwIfAborted()
    const { party: name, row: rowName } = shareOf(asking)
    const person = persons.get(name) ?? { running: 0, rows: new Map<string, Row>(), selfWentLast: false }
    const row = person.rows.get(rowName) ?? { isSelf: rowName === '', waiting: new Set<Place>() }
    const free = running < atOnce && person.running < perPerson
    if (!free) makeRoom(person, row)
    persons.set(name, person)
    person.rows.set(rowName, row)
    const { promise: come, resolve, reject } = Promise.withResolvers<void>()
    // It may be given up when nothing is awaiting it.
    come.catch(() => undefined)
    if (!free && isObserved()) observed({ kind: 'wait', name: kind }, () => come).catch(() => undefined)
    let state: 'waiting' | 'running' | 'over' = 'waiting'
    const go = (): void => {
      state = 'running'
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    const refuse = (fault: Error): void => {
      if (state !== 'waiting') return
      state = 'over'
      signal?.removeEventListener('abort', leave)
      row.waiting.delete(place)
      waiting--
      if (row.waiting.size === 0 && person.rows.get(rowName) === row) person.rows.delete(rowName)
      if (person.running === 0 && person.rows.size === 0) persons.delete(name)
      reject(fault)
    }
    const place: Place = { go, refuse }
    const leave = (): void => refuse((signal?.reason as Error | undefined) ?? new Refusal('unavailable'))
    const release = (): void => {
      leave()
      if (state !== 'running') return
      state = 'over'
      running--
      person.running--
      stepBack(name, person)
      next()
    }
    signal?.addEventListener('abort', leave, { once: true })
    row.waiting.add(place)
    waiting++
    next()
    return { come, waits: !free, release }
  }
}

/** The client has hung up. */
class HungUpRefusal extends Refusal {
  constructor() {
    super('bad_value', 'Die Anfrage wurde abgebrochen.')
  }
}

/** Aborts when the connection ends before the answer has been sent. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new HungUpRefusal())
  })
  return gone.signal
}
