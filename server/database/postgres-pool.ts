// A few connections shared by all requests. The one used last goes out first, because its statements are
// prepared.
import type { Log } from '#server/log.ts'
import { offerLevel } from '#server/observe.ts'
import type { Seat } from '#server/rank.ts'
import { LoginFault, NoPrimaryFault, UnavailableFault } from './database.ts'
import { FairQueue, type Shares } from './fair-queue.ts'
import { isServerError } from './faults.ts'
import type { Connector, Hosts } from './hosts.ts'
import { type Naming, type Session, sessions } from './postgres-session.ts'

export interface PoolOptions {
  readonly hosts: Hosts
  readonly shares: Shares
  readonly prepared: boolean
  readonly connectMs: number
  /** A connection unused for this long is closed. */
  readonly idleMs: number
  readonly answerBytes: number
  readonly log: Log
}

/** An answer that takes so long may never come: perhaps another server is the primary by now. */
const SUSPICIOUS_MS = 2_000

export class SessionPool {
  readonly #options: PoolOptions
  readonly #queue: FairQueue
  readonly #connector: Connector<Session>
  readonly #all = new Set<Session>()
  readonly #idle: Session[] = []
  readonly #sweep: NodeJS.Timeout
  #reachable = true
  #isLooking = false
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#queue = new FairQueue(options.shares)
    const onStop = () =>
      options.log.warn(
        'a prepared statement was missing or its name taken: statements are sent whole from now on',
      )
    const naming: Naming = { on: options.prepared, epoch: 0, onStop }
    const { connectMs, answerBytes } = options
    this.#connector = sessions({ connectMs, answerBytes, naming }, (broken) => this.#forget(broken))
    this.#sweep = setInterval(() => this.#cutOverdue(), 1000).unref()
    offerLevel('places', 'database', () => options.shares.places)
    offerLevel('working', 'database', () => this.#queue.working)
    offerLevel('waiting', 'database', () => this.#queue.waiting)
    offerLevel('connections', 'database', () => this.#all.size)
    offerLevel('idle_connections', 'database', () => this.#idle.length)
    offerLevel('reachable', 'database', () => Number(this.#reachable))
  }

  /**
   * There are as many connections as places, so a place is a connection. Give it back with release().
   * @param reads a standby will do while no server takes changes
   */
  async acquire({ person, rank }: Seat, reads: boolean): Promise<Session> {
    if (this.#closed) throw new UnavailableFault('the database was closed')
    await this.#queue.enter(person, rank)
    const session = this.#idle.pop()
    if (session !== undefined) return session
    try {
      return await this.#open(reads)
    } catch (fault) {
      this.#queue.leave(person, rank)
      throw fault
    }
  }

  release(session: Session, { person, rank }: Seat): void {
    session.limit(null)
    if (!session.broken) {
      session.idleSince = performance.now()
      if (this.#closed || session.isStandIn) void session.close()
      else this.#idle.push(session)
    }
    this.#queue.leave(person, rank)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#sweep)
    this.#queue.rejectAll(new UnavailableFault('the database was closed'))
    await Promise.all(this.#idle.splice(0).map((session) => session.close()))
  }

  async #open(reads: boolean): Promise<Session> {
    try {
      const { connection: session, writable } = await this.#options.hosts.open(this.#connector, reads)
      session.isStandIn = !writable
      if (writable) this.#leaveIdle(session.url)
      this.#tellReachable(writable, 'no server takes changes; a standby answers reads')
      if (!session.broken) this.#all.add(session)
      return session
    } catch (fault) {
      this.#tellReachable(false, fault)
      // Without any connection nobody can be served: all are refused at once instead of waiting for their
      // time limit.
      // A standby may still serve those who read.
      if (this.#all.size === 0 && !(fault instanceof NoPrimaryFault)) this.#queue.rejectAll(fault as Error)
      throw fault
    }
  }

  #forget(session: Session): void {
    this.#all.delete(session)
    const at = this.#idle.indexOf(session)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  #cutOverdue(): void {
    const now = performance.now()
    for (const session of this.#all) session.cutWhenOverdue(now)
    for (const session of this.#idle.filter(({ idleSince }) => now - idleSince > this.#options.idleMs))
      void session.close()
    const silent = [...this.#all].filter((session) => session.waitsFor(now) > SUSPICIOUS_MS)
    if (silent.length > 0) void this.#look(new Set(silent.map(({ url }) => url)))
  }

  /**
   * A primary that went silent keeps its connections, and callers waiting on them would wait for the time
   * limit.
   * @param hosts where somebody waits
   */
  async #look(silent: ReadonlySet<string>): Promise<void> {
    const { hosts } = this.#options
    if (!hosts.areSeveral || this.#isLooking) return
    this.#isLooking = true
    try {
      const { connection, url: primary } = await hosts.open(this.#connector)
      void connection.close()
      this.#leaveIdle(primary)
      // Two addresses may lead to the same server, and a statement may be long: then nobody is silent.
      // oxlint-disable-next-line no-await-in-loop -- there are hardly ever two
      for (const url of silent)
        if (url !== primary && !(await this.#takesChanges(url)))
          for (const session of this.#all) if (session.url === url && !session.isStandIn) session.discard()
    } catch {
      // No server takes changes yet.
    } finally {
      this.#isLooking = false
    }
  }

  async #takesChanges(url: string): Promise<boolean> {
    const session = await this.#connector.open(url).catch((fault: Error) => fault)
    // One that is full or refuses a login has answered.
    if (session instanceof Error)
      return isServerError(session.cause) && !session.cause.code.startsWith('57P0')
    const takes = await this.#connector.isWritable(session).catch(() => false)
    this.#connector.close(session)
    return takes
  }

  /** Another server has taken over: connections to the former one are not used again. */
  #leaveIdle(primary: string): void {
    for (const session of this.#idle.filter(({ url }) => url !== primary)) session.discard()
  }

  /** Logs one line when the database goes away and one when it is back, not one per request. */
  #tellReachable(reachable: boolean, fault?: unknown): void {
    if (this.#reachable === reachable) return
    this.#reachable = reachable
    const { log } = this.#options
    const reason = fault instanceof Error ? fault.message : String(fault)
    if (reachable) log.info('database is reachable again')
    else if (fault instanceof LoginFault) log.error('the database refuses the login of requests', { reason })
    else log.warn('database cannot be reached', { reason })
  }
}
