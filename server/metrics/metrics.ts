// The figures of a running server for Prometheus: what is counted where something happens, and what is asked
// for when they are read. Loaded only when METRICS_PORT is set. Every label is a word of the source or a
// template of a route, so the number of series has a bound whatever is sent to the server.
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client'
import { ShareFault } from '#server/database/database.ts'
import { endOfStatement } from '#server/statement-end.ts'
import { type LevelKind, type Observer, readLevels } from '#server/observe.ts'
import type { Backlog } from './backlog.ts'
import { ENDS, KNOWN } from './known-words.ts'

const PREFIX = 'forstkontor_'
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** Rounds of jobs and processes take longer than requests. */
const LONG_SECONDS = [0.1, 1, 10, 60, 600, 3_600]

export interface Figures {
  readonly observer: Observer
  readonly requests: RequestFigures
  /** In the text format of OpenMetrics. */
  read(): Promise<{ readonly type: string; readonly text: string }>
  close(): void
}

export interface RequestFigures {
  begun(): void
  ended(request: {
    readonly route: string
    readonly method: string
    readonly outcome: Outcome
    readonly s: number
  }): void
}

/** `limited`: 429. `unavailable`: 503 and 504. `aborted`: the client was gone before the answer was sent. */
export type Outcome = 'ok' | 'refused' | 'limited' | 'unavailable' | 'failed' | 'aborted'

export function createFigures(
  facts: { readonly version: string; readonly engine: string },
  backlog: Backlog,
): Figures {
  const register = new Registry<OpenMetricsContentType>()
  register.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  collectDefaultMetrics({ register })
  const shared = { registers: [register] }
  info(facts, shared)
  levels(shared)
  backlogFigures(backlog, shared)
  return {
    observer: createObserver(shared),
    requests: createRequests(shared),
    read: async () => {
      await backlog.refresh()
      return { type: register.contentType, text: await register.metrics() }
    },
    close: () => register.clear(),
  }
}

interface Shared {
  readonly registers: Registry<OpenMetricsContentType>[]
}

function info(facts: Readonly<Record<'version' | 'engine', string>>, shared: Shared): void {
  const gauge = new Gauge({
    ...shared,
    name: `${PREFIX}info`,
    help: 'Always 1; its labels say which version runs on which engine',
    labelNames: ['version', 'engine'],
  })
  gauge.set(facts, 1)
}

function createRequests(shared: Shared): RequestFigures {
  const running = new Gauge({ ...shared, name: `${PREFIX}requests_running`, help: 'Requests being answered' })
  const ended = new Counter({
    ...shared,
    name: `${PREFIX}requests_total`,
    help: 'Answered requests by template of the route, method and outcome',
    labelNames: ['route', 'method', 'outcome'],
  })
  const seconds = new Histogram({
    ...shared,
    name: `${PREFIX}request_seconds`,
    help: 'Time from the head of a request to the last byte of its answer',
    labelNames: ['route'],
    buckets: SECONDS,
  })
  return {
    begun: () => running.inc(),
    ended: ({ route, method, outcome, s }) => {
      running.dec()
      ended.inc({ route, method: METHODS.has(method) ? method : 'other', outcome })
      seconds.observe({ route }, s)
    },
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function createObserver(shared: Shared): Observer {
  const begin = timersOf(shared)
  const count = countersOf(shared)
  return {
    async around(what, work) {
      const end = begin[what.kind](what.name)
      try {
        const result = await work()
        end(null)
        return result
      } catch (error) {
        end(error)
        throw error
      }
    },
    noted: (kind, name) => count[kind](name),
  }
}

/** Called with why it failed, or with null. */
type End = (fault: unknown) => void
type Begin = (name: string) => End
const started = () => {
  const from = performance.now()
  return () => (performance.now() - from) / 1000
}

function timersOf(shared: Shared): Record<Parameters<Observer['around']>[0]['kind'], Begin> {
  const statements = statementTimer(shared)
  const nothing: Begin = () => () => undefined
  return {
    statement: statements,
    // Their statements are counted one by one.
    transaction: nothing,
    owner: nothing,
    wait: waitTimer(shared),
    job: jobTimer(shared),
    mail: counted(shared, 'mails_total', 'Mails handed to the mail server, by kind and outcome', {
      label: 'kind',
      known: KNOWN.mail,
    }),
    child: counted(
      shared,
      'children_total',
      'Processes that read or draw files, by program and how they ended',
      {
        label: 'program',
        known: KNOWN.child,
      },
    ),
  }
}

function statementTimer(shared: Shared): Begin {
  const seconds = new Histogram({
    ...shared,
    name: `${PREFIX}statement_seconds`,
    help: 'Time of a statement of a request or job, with its wait for the database',
    buckets: [0.001, 0.005, ...SECONDS],
  })
  const total = new Counter({
    ...shared,
    name: `${PREFIX}statements_total`,
    help: 'Statements by outcome; `refused`: by a rule that the caller met. `crowded`, `share`: too many wait',
    labelNames: ['outcome'],
  })
  for (const outcome of KNOWN.statement) total.inc({ outcome }, 0)
  return () => {
    const elapsed = started()
    return (fault) => {
      total.inc({ outcome: fault === null ? 'ok' : endOfStatement(fault) })
      seconds.observe(elapsed())
    }
  }
}

function waitTimer(shared: Shared): Begin {
  const seconds = new Histogram({
    ...shared,
    name: `${PREFIX}wait_seconds`,
    help: 'Time that requests waited for their turn, by queue; what was served at once is not counted',
    labelNames: ['queue'],
    buckets: SECONDS,
  })
  const vain = new Counter({
    ...shared,
    name: `${PREFIX}waits_in_vain_total`,
    help: 'Waits that ended without a turn, by queue',
    labelNames: ['queue'],
  })
  for (const queue of KNOWN.wait) vain.inc({ queue }, 0)
  return (queue) => {
    const elapsed = started()
    return (fault) => {
      seconds.observe({ queue }, elapsed())
      // Somebody else got its place: that is counted as a refusal.
      if (fault !== null && !(fault instanceof ShareFault)) vain.inc({ queue })
    }
  }
}

/** Their label is not `job`, which Prometheus sets itself. */
function jobTimer(shared: Shared): Begin {
  const rounds: Counter<'task' | 'outcome'> = new Counter({
    ...shared,
    name: `${PREFIX}job_rounds_total`,
    help: 'Rounds of the jobs beside the requests, by outcome',
    labelNames: ['task', 'outcome'],
    collect: () => {
      for (const { name: task } of readLevels('job_interval'))
        for (const outcome of ENDS) rounds.inc({ task, outcome }, 0)
    },
  })
  const seconds = new Histogram({
    ...shared,
    name: `${PREFIX}job_seconds`,
    help: 'Time of a round',
    labelNames: ['task'],
    buckets: LONG_SECONDS,
  })
  const running = new Gauge({
    ...shared,
    name: `${PREFIX}job_running`,
    help: '1 while a round is under way',
    labelNames: ['task'],
  })
  const good = new Gauge({
    ...shared,
    name: `${PREFIX}job_last_success_timestamp_seconds`,
    help: 'When a round last ended without a fault',
    labelNames: ['task'],
  })
  return (task) => {
    const elapsed = started()
    running.set({ task }, 1)
    return (fault) => {
      running.set({ task }, 0)
      rounds.inc({ task, outcome: fault === null ? 'ok' : 'failed' })
      seconds.observe({ task }, elapsed())
      if (fault === null) good.setToCurrentTime({ task })
    }
  }
}

function counted(
  shared: Shared,
  name: string,
  help: string,
  { label, known }: { readonly label: string; readonly known: readonly string[] },
): Begin {
  const counter = new Counter({ ...shared, name: PREFIX + name, help, labelNames: [label, 'outcome'] })
  for (const value of known) for (const outcome of ENDS) counter.inc({ [label]: value, outcome }, 0)
  return (value) => (fault) => counter.inc({ [label]: value, outcome: fault === null ? 'ok' : 'failed' })
}

function countersOf(shared: Shared): Record<Parameters<Observer['noted']>[0], (name: string) => void> {
  const counter = (name: string, help: string, label: string, known: readonly string[]) => {
    const made = new Counter({ ...shared, name: PREFIX + name, help, labelNames: [label] })
    for (const value of known) made.inc({ [label]: value }, 0)
    return (value: string) => made.inc({ [label]: value })
  }
  const tiles = new Counter({
    ...shared,
    name: `${PREFIX}tiles_total`,
    help: 'Tiles by source and step; `asked` minus `fetched` came from memory',
    labelNames: ['source', 'step'],
  })
  return {
    refusal: counter(
      'refused_places_total',
      'Requests refused at once because too many wait, by queue',
      'queue',
      KNOWN.refusal,
    ),
    renewal: counter(
      'engine_starts_total',
      'Starts of the embedded engine: orderly (also renewals), or recovered',
      'how',
      KNOWN.renewal,
    ),
    loss: counter(
      'children_ended_total',
      'Processes that were ended because they exceeded a limit',
      'limit',
      KNOWN.loss,
    ),
    log: counter('log_lines_total', 'Lines of the log by level', 'level', KNOWN.log),
    tile: (name) => {
      const [source = '', step = ''] = name.split(' ')
      tiles.inc({ source, step })
    },
  }
}

const LEVELS: Readonly<Record<LevelKind, readonly [name: string, help: string, label: string]>> = {
  places: ['queue_places', 'How many may work at a time, by queue', 'queue'],
  working: ['queue_working', 'How many work at the moment, by queue', 'queue'],
  waiting: ['queue_waiting', 'How many wait at the moment, by queue', 'queue'],
  connections: ['connections', 'Open connections to PostgreSQL', 'pool'],
  idle_connections: ['connections_idle', 'Open connections that nobody uses', 'pool'],
  reachable: ['reachable', '0 while PostgreSQL cannot be reached', 'pool'],
  engine_bytes: ['engine_memory_bytes', 'Memory of the embedded engine', 'engine'],
  children: ['children_running', 'Processes that read or draw files at the moment', 'kind'],
  job_interval: ['job_interval_seconds', 'How often a round of a job begins if all is well', 'task'],
}

function levels(shared: Shared): void {
  for (const [kind, [name, help, label]] of Object.entries(LEVELS) as [
    LevelKind,
    (typeof LEVELS)[LevelKind],
  ][]) {
    const gauge: Gauge = new Gauge({
      ...shared,
      name: PREFIX + name,
      help,
      labelNames: [label],
      collect: () => {
        for (const { name: value, value: amount } of readLevels(kind))
          if (Number.isFinite(amount)) gauge.set({ [label]: value }, amount)
      },
    })
  }
}

function backlogFigures(backlog: Backlog, shared: Shared): void {
  const gauge = (
    name: string,
    help: string,
    label: string,
    read: () => Iterable<readonly [string, number]>,
  ) => {
    const made: Gauge = new Gauge({
      ...shared,
      name: PREFIX + name,
      help,
      labelNames: [label],
      collect: () => {
        made.reset()
        for (const [value, amount] of read()) made.set({ [label]: value }, amount)
      },
    })
  }
  gauge('backlog', 'What waits in the database to be done, by kind', 'kind', () => backlog.counts())
  gauge('backlog_age_seconds', 'How long the oldest of it has waited', 'kind', () => backlog.ages())
  gauge('check_ok', '1 if the last dump, check of the database or of the books was good', 'check', () =>
    backlog.results(),
  )
  gauge('check_timestamp_seconds', 'When that was last good', 'check', () => backlog.times())
  gauge('disk_free_bytes', 'Free space on the disk of a folder', 'folder', () => backlog.free())
  gauge('backlog_read_timestamp_seconds', 'When these figures of the database were last read', 'source', () =>
    backlog.readAt(),
  )
}
