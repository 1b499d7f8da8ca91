// Which request or round of a job the code at hand works for, so that every line of the log can say so.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

export interface Trail {
  /** X-Request-Id of the answer. */
  readonly request?: string
  readonly job?: string
  /** Of one round of the job. */
  readonly round?: string
  /** Trace id of W3C Trace Context: the caller's, or that of our own trace. */
  trace?: string
}

const store = new AsyncLocalStorage<Trail>()
const NOTHING: Trail = Object.freeze({})

export const trailNow = (): Trail => store.getStore() ?? NOTHING

export const onJobTrail = <T>(job: string, work: () => T): T => store.run({ job, round: randomUUID() }, work)

const ofRequests = new WeakMap<object, Trail>()

/** From here on everything belongs to this request. */
export function beginTrail(request: object, trail: Trail, go: () => void): void {
  ofRequests.set(request, trail)
  store.run(trail, go)
}

/** Where a request ends, which an event of its connection tells. */
export const onTrailOf = <T>(request: object, work: () => T): T =>
  store.run(ofRequests.get(request) ?? NOTHING, work)

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/

/** Null: nothing that this header may contain. */
export function traceOf(header: string | readonly string[] | undefined): string | null {
  const trace = typeof header === 'string' ? TRACEPARENT.exec(header)?.[1] : undefined
  return trace === undefined || /^0+$/.test(trace) || header?.slice(0, 2) === 'ff' ? null : trace
}
