// Traces by OpenTelemetry: where a request spent its time. Loaded only where a collector is set.
// Spans have the template of a route, names of statements, jobs and programs, and how they ended; never an
// address, a text or value of a statement, a message of a fault, or anything of a person.
import { channel } from 'node:diagnostics_channel'
import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  parseKeyPairsIntoRecord,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#server/log.ts'
import { endOfStatement } from '#server/statement-end.ts'
import { addObserver, type Happening, type Observer } from '#server/observe.ts'
import { trailNow } from '#server/trail.ts'
import { type SamplerName, samplerOf } from './sampler.ts'

export interface OpenedTraces {
  /** A span for each request of an application. */
  readonly watch: (app: FastifyInstance) => void
  /** Delivers what is left. */
  close(): Promise<void>
}

export interface TracesOptions {
  /** Of the collector, with its path. */
  readonly url: string
  /** As `name=value`, separated by commas. */
  readonly headers: string | undefined
  /** What the traces say of this server. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  readonly ratio: number
  /** Origins that a trace is passed on to. */
  readonly ownServices: readonly string[]
  readonly version: string
  readonly log: Log
}

const propagator = new W3CTraceContextPropagator()
/** One line of the log for a collector that is away, not one for each attempt. */
const SAID_EVERY_MS = 60_000

export function openTraces(options: TracesOptions): OpenedTraces {
  const { url, headers, version, log } = options
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis: 5_000,
    ...(headers !== undefined && { headers: parseKeyPairsIntoRecord(headers) }),
  })
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.version': version, ...options.resource }),
    ),
    sampler: samplerOf(options.sampler, options.ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 2_000, maxQueueSize: 4_096 })],
  })
  let saidAt = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((error) => {
    if (performance.now() - saidAt < SAID_EVERY_MS) return
    saidAt = performance.now()
    log.warn('traces cannot be delivered', { reason: error instanceof Error ? error.name : 'unknown' })
  })
  const manager = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(manager)
  const tracer = provider.getTracer('forstkontor', version)
  const endObserving = addObserver(createTracer(tracer))
  const endPassing = passOn(new Set(options.ownServices))
  return {
    watch: (app) => watchRequests(app, tracer),
    async close() {
      endObserving()
      endPassing()
      await provider.shutdown().catch(() => undefined)
      context.disable()
    },
  }
}

function watchRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, { raw }, done) => {
    const from = propagator.extract.bind(propagator)
    const parent = from(ROOT_CONTEXT, request.headers, {
      get: (carrier, key) => (carrier as typeof request.headers)[key],
      keys: Object.keys,
    })
    const { method } = request
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent)
    trailNow().trace = span.spanContext().traceId
    raw.once('close', () => {
      const route = request.routeOptions.url ?? '(none)'
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': raw.statusCode,
        'forstkontor.request': request.id,
      })
      if (!raw.writableFinished) span.setAttribute('error.type', 'aborted')
      if (raw.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    context.with(trace.setSpan(parent, span), done)
  })
}

const createTracer = (tracer: Tracer): Observer => ({
  around(what, work) {
    const parent = context.active()
    // The server's own statements outside of requests and jobs are part of nothing.
    if (what.kind !== 'job' && trace.getSpan(parent) === undefined) return work()
    const span = startSpan(tracer, what, parent)
    return context.with(trace.setSpan(parent, span), async () => {
      try {
        return await work()
      } catch (error) {
        span.setAttribute('error.type', endOf(what, error))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  },
  noted: () => undefined,
})

function startSpan(tracer: Tracer, { kind, name }: Happening, parent: Context): Span {
  const inDatabase = kind === 'statement' || kind === 'transaction' || kind === 'owner'
  const span = tracer.startSpan(
    `${kind} ${name}`,
    {
      kind: inDatabase || kind === 'mail' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: inDatabase
        ? { 'db.system.name': 'postgresql', 'db.operation.name': name }
        : { 'forstkontor.kind': kind, 'forstkontor.name': name },
    },
    parent,
  )
  if (kind === 'job') trailNow().trace = span.spanContext().traceId
  return span
}

const endOf = ({ kind }: Happening, error: unknown): string =>
  kind === 'statement' || kind === 'transaction' || kind === 'owner'
    ? endOfStatement(error)
    : error instanceof Error
      ? error.name
      : 'unknown'

interface OutgoingRequest {
  readonly origin: string | URL
  addHeader(name: string, value: string): void
}

/** Adds the trace to what this server asks of these others. Returns what ends it. */
function passOn(origins: ReadonlySet<string>): () => void {
  const outgoing = channel('undici:request:create')
  const add = (message: unknown): void => {
    const { request } = message as { request: OutgoingRequest }
    if (!origins.has(String(request.origin).replace(/\/$/, ''))) return
    propagator.inject(context.active(), request, {
      set: (carrier, name, value) => carrier.addHeader(name, value),
    })
  }
  outgoing.subscribe(add)
  return () => {
    outgoing.unsubscribe(add)
  }
}
