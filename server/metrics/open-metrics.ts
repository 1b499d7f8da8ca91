// Puts the figures of a server together and opens their port.
import type { FastifyInstance } from 'fastify'
import type { AsOwner } from '#server/as-betrieb.ts'
import { addObserver } from '#server/observe.ts'
import { Backlog } from './backlog.ts'
import { type ExporterOptions, openExporter } from './exporter.ts'
import { createFigures, type Outcome, type RequestFigures } from './metrics.ts'

export interface OpenedMetrics {
  /** Counts the requests of an application. */
  readonly watch: (app: FastifyInstance) => void
  /** From now on the database can be asked what waits in it. */
  attach(asOwner: AsOwner): void
  close(): Promise<void>
}

export interface MetricsOptions extends Pick<ExporterOptions, 'host' | 'port' | 'key'> {
  readonly version: string
  readonly engine: 'embedded' | 'postgres'
  /** Whose disks are watched, by the words that label them. */
  readonly folders: Readonly<Record<string, string>>
  /** Dumps are made here. */
  readonly dumps: boolean
  readonly now: () => Date
}

export async function openMetrics(options: MetricsOptions): Promise<OpenedMetrics> {
  const { host, port, key, version, engine } = options
  const backlog = new Backlog(options)
  const figures = createFigures({ version, engine }, backlog)
  const server = await openExporter({ host, port, key, read: figures.read })
  const end = addObserver(figures.observer)
  return {
    watch: (app) => watchRequests(app, figures.requests),
    attach: (asOwner) => backlog.attach(asOwner),
    async close() {
      end()
      figures.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function watchRequests(app: FastifyInstance, figures: RequestFigures): void {
  app.addHook('onRequest', (request, reply, done) => {
    const from = performance.now()
    figures.begun()
    const { raw } = reply
    raw.once('close', () =>
      figures.ended({
        // The template, never the address.
        route: request.routeOptions.url ?? '(none)',
        method: request.method,
        outcome: raw.writableFinished ? outcomeOf(raw.statusCode) : 'aborted',
        s: (performance.now() - from) / 1000,
      }),
    )
    done()
  })
}

function outcomeOf(status: number): Outcome {
  if (status < 400) return 'ok'
  if (status === 429) return 'limited'
  if (status === 503 || status === 504) return 'unavailable'
  return status < 500 ? 'refused' : 'failed'
}
