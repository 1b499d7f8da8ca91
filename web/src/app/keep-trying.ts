// A step of the start is repeated by itself while its fault may pass, then waits for the person. It goes on exactly where it was: the address and the sign-in stay as they are.
import { type Passing, passingOf } from './passing.ts'

/** Between the tries of one round. */
export const PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000]
/** Asked to wait longer, the next try comes all the same. */
const LONGEST_MS = 30_000
/** Waiting for the person it looks by itself now and then: a server that is started again sends no word. */
export const LOOK_MS = 30_000

export interface Trouble extends Passing {
  /** `again`: it goes on by itself. `stopped`: it waits for the person. */
  readonly state: 'again' | 'stopped'
}
const steps = new Map<string, Trouble>()
const listeners = new Set<() => void>()
let pressed = Promise.withResolvers<void>()

/** What holds up the start: the worst of its steps. */
export function currentTrouble(): Trouble | null {
  const all = [...steps.values()]
  return all.find(({ state }) => state === 'stopped') ?? all[0] ?? null
}
export function subscribeTrouble(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
/** All steps that wait try again. */
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
  /** Null: the fault will not pass, and the caller gets it. */
  readonly passing?: (error: unknown) => Passing | null
  /** While it waits for the person: settled, it is worth a look. */
  readonly meanwhile?: () => Promise<unknown> | undefined
  /** Done before another round that the person has asked for. */
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

/** True: the person has asked, or the browser says that there is a connection again. False: time to look. */
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
