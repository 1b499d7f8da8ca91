// Repeats a step of the start while its fault may be temporary, then waits for the user. It resumes exactly
// where it was: the address and the sign-in are kept.
import { type Passing, passingOf } from './passing.ts'

/** Pauses between the tries of one round. */
export const PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000]
/** Maximum pause, even if the server asks for a longer one. */
const LONGEST_MS = 30_000
/**
 * While waiting for the user it also checks periodically, because a restarted server does not announce
 * itself.
 */
export const LOOK_MS = 30_000

export interface Trouble extends Passing {
  /** `again`: it will be retried automatically. `stopped`: it waits for the user. */
  readonly state: 'again' | 'stopped'
}
const steps = new Map<string, Trouble>()
const listeners = new Set<() => void>()
let pressed = Promise.withResolvers<void>()

/** What is holding up the start: the worst of the failing steps. */
export function currentTrouble(): Trouble | null {
  const all = [...steps.values()]
  return all.find(({ state }) => state === 'stopped') ?? all[0] ?? null
}
export function subscribeTrouble(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** Makes all waiting steps try again. */
export function tryAgain(): void {
  const before = pressed
  pressed = Promise.withResolvers()
  before.resolve()
}

function tell(step: string, trouble: Trouble | null): void {
  if (trouble === null && !steps.delete(step)) return
  if (trouble !== null) steps.set(step, trouble)
  for (const listener of listeners) listener()
}

export interface Rules {
  /** Null if the fault is permanent and goes to the caller. */
  readonly passing?: (error: unknown) => Passing | null
  /** While waiting for the user: when this settles, another attempt is worthwhile. */
  readonly meanwhile?: () => Promise<unknown> | undefined
  /** Runs before a new round that the user has requested. */
  readonly renew?: () => Promise<void>
}

export async function keepTrying<T>(
  step: string,
  attempt: () => Promise<T>,
  { passing = passingOf, meanwhile, renew }: Rules = {},
): Promise<T> {
  let looksOnly = false
  for (let tries = 0; ; tries++) {
    try {
      const value = await attempt()
      tell(step, null)
      return value
    } catch (error) {
      const fault = passing(error)
      const pause = looksOnly || isOffline() || fault?.hangs ? undefined : PAUSES_MS[tries]
      if (fault === null) {
        tell(step, null)
        throw error
      }
      console.warn(`${step} is tried again:`, fault.detail)
      if (pause !== undefined) {
        tell(step, { ...fault, state: 'again' })
        await sleep(Math.min(LONGEST_MS, Math.max(pause, fault.retryAfterMs ?? 0)))
        continue
      }
      tell(step, { ...fault, state: 'stopped' })
      looksOnly = !(await asked(meanwhile?.()))
      if (looksOnly) continue
      tell(step, { ...fault, state: 'again' })
      await renew?.()
      tries = -1
    }
  }
}

const isOffline = (): boolean => navigator.onLine === false
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** True: the user asked for a retry, or the browser is online again. False: time for a check. */
function asked(meanwhile?: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const online = () => resolve(true)
  const look = () => resolve(false)
  const timer = setTimeout(look, LOOK_MS)
  void meanwhile?.then(look, look)
  addEventListener('online', online)
  void pressed.promise.then(online)
  return promise.finally(() => {
    clearTimeout(timer)
    removeEventListener('online', online)
  })
}
