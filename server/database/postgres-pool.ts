// A few connections shared by all requests: the one used last goes out first, because its statements are prepared.
import type { Log } from '#server/log.ts'
import { PoolTimeoutFault, UnavailableFault } from './database.ts'
import { Session } from './postgres-session.ts'

export interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly prepared: boolean
  /** Longest wait for a free connection. */
  readonly waitMs: number
  readonly log: Log
}

interface Waiter {
  resolve(session: Session): void
  reject(fault: Error): void
  readonly timer: NodeJS.Timeout
}

export class SessionPool {
  readonly #options: PoolOptions
  readonly #all = new Set<Session>()
  readonly #idle: Session[] = []
  readonly #waiters = new Set<Waiter>()
  readonly #sweep: NodeJS.Timeout
  #opening = 0
  #reachable = true
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#sweep = setInterval(() => this.#cutOverdue(), 1000).unref()
  }

  acquire(): Session | Promise<Session> {
    if (this.#closed) return Promise.reject(new UnavailableFault('the database was closed'))
    const session = this.#idle.pop()
    if (session !== undefined) return session
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter)
        reject(new PoolTimeoutFault(`no connection became free within ${this.#options.waitMs} ms`))
      }, this.#options.waitMs)
      const waiter: Waiter = { resolve, reject, timer }
      this.#waiters.add(waiter)
      this.#grow()
    })
  }

  release(session: Session): void {
    session.limit(null)
    if (session.broken) return
    if (this.#closed) {
      void session.close()
      return
    }
    const waiter = this.#takeWaiter()
    if (waiter === undefined) this.#idle.push(session)
    else waiter.resolve(session)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#sweep)
    this.#rejectAll(new UnavailableFault('the database was closed'))
    await Promise.all(this.#idle.splice(0).map((session) => session.close()))
  }

  #takeWaiter(): Waiter | undefined {
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter)
      clearTimeout(waiter.timer)
      return waiter
    }
    return undefined
  }

  #rejectAll(fault: Error): void {
    for (let waiter = this.#takeWaiter(); waiter !== undefined; waiter = this.#takeWaiter()) waiter.reject(fault)
  }

  #grow(): void {
    if (this.#waiters.size <= this.#opening || this.#all.size + this.#opening >= this.#options.size) return
    this.#opening++
    const { url, prepared, waitMs } = this.#options
    Session.open({ url, prepared, connectMs: waitMs }, (broken) => this.#forget(broken)).then(
      (session) => {
        this.#opening--
        this.#tellReachable(true)
        if (session.broken) return this.#grow()
        this.#all.add(session)
        this.release(session)
      },
      (fault: Error) => {
        this.#opening--
        this.#tellReachable(false, fault)
        // Without any connection nobody can be served: all are told at once instead of waiting for their time limit.
        if (this.#all.size === 0) this.#rejectAll(fault)
      },
    )
  }

  #forget(session: Session): void {
    this.#all.delete(session)
    const at = this.#idle.indexOf(session)
    if (at >= 0) this.#idle.splice(at, 1)
    if (!this.#closed) this.#grow()
  }

  #cutOverdue(): void {
    const now = performance.now()
    for (const session of this.#all) session.cutWhenOverdue(now)
  }

  /** One line when the database goes away and one when it is back, not one per request. */
  #tellReachable(reachable: boolean, fault?: Error): void {
    if (this.#reachable === reachable) return
    this.#reachable = reachable
    if (reachable) this.#options.log.info('database is reachable again')
    else this.#options.log.warn('database cannot be reached', { reason: fault?.message })
  }
}
