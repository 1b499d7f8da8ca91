// What happens in the server, for those who watch it: metrics and traces. As long as nobody does, it costs
// a comparison. Names and facts are bounded words of the source, never an id, a name or a value of anybody.

export type HappeningKind = 'statement' | 'transaction' | 'owner' | 'wait' | 'job' | 'mail' | 'child'

export interface Happening {
  readonly kind: HappeningKind
  /** Of the statement, queue, job, program. */
  readonly name: string
}

/** Something without a duration: a refused place, a start of the engine, a process over its limit. */
export type EventKind = 'refusal' | 'renewal' | 'tile' | 'log' | 'loss'

export interface Observer {
  /** Runs the work and looks at how it ends. */
  around<T>(what: Happening, work: () => Promise<T>): Promise<T>
  noted(kind: EventKind, name: string): void
}

let observers: readonly Observer[] = []

/** Returns what ends it. */
export function addObserver(observer: Observer): () => void {
  observers = [...observers, observer]
  return () => {
    observers = observers.filter((other) => other !== observer)
  }
}

export const isObserved = (): boolean => observers.length > 0

export function observed<T>(what: Happening, work: () => Promise<T>): Promise<T> {
  if (observers.length === 0) return work()
  return observers.reduceRight<() => Promise<T>>(
    (inner, observer) => () => observer.around(what, inner),
    work,
  )()
}

export function note(kind: EventKind, name: string): void {
  for (const observer of observers) observer.noted(kind, name)
}

/** What is asked for at the moment somebody looks. */
export type LevelKind =
  | 'places'
  | 'working'
  | 'waiting'
  | 'connections'
  | 'idle_connections'
  | 'reachable'
  | 'engine_bytes'
  | 'job_interval'
  | 'children'

const levels = new Map<string, { readonly kind: LevelKind; readonly name: string; read(): number }>()

/** The last one that offers a level of this name is asked. */
export function offerLevel(kind: LevelKind, name: string, read: () => number): void {
  levels.set(`${kind} ${name}`, { kind, name, read })
}

export const readLevels = (kind: LevelKind): { name: string; value: number }[] =>
  [...levels.values()]
    .filter((level) => level.kind === kind)
    .map(({ name, read }) => ({ name, value: read() }))
