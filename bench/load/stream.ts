// A stream of requests from its own process: so many each second, whether or not the earlier ones are
// answered; or, without a rate, as fast as so many connections get answers.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Ask {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly body?: string
}
export interface StreamOrder {
  readonly port: number
  /** Asked in turn. */
  readonly asks: readonly Ask[]
  readonly seconds: number
  readonly perSecond?: number
  readonly connections?: number
}
export interface StreamResult {
  readonly seconds: number
  /** Milliseconds of the answers that did what was asked. */
  readonly served: readonly number[]
  /** Of those refused because of load: 503 and 429, each with Retry-After. */
  readonly refused: readonly number[]
  /** Everything else, by status or error. */
  readonly faults: Readonly<Record<string, number>>
}

const LONGEST_MS = 30_000

async function stream({ port, asks, seconds, perSecond, connections }: StreamOrder): Promise<StreamResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2_000 })
  const served: number[] = []
  const refused: number[] = []
  const faults: Record<string, number> = {}
  const one = ({ method, path, token, body }: Ask): Promise<void> =>
    new Promise((done) => {
      const from = performance.now()
      const end = (what: string | null) => {
        if (what !== null) faults[what] = (faults[what] ?? 0) + 1
        done()
      }
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      }
      const sent = request(
        { port, host: '127.0.0.1', method, path, headers, agent, timeout: LONGEST_MS },
        (answer) => {
          answer.resume()
          answer.once('end', () => {
            const ms = performance.now() - from
            const status = answer.statusCode ?? 0
            const asksToWait =
              (status === 503 || status === 429) && answer.headers['retry-after'] !== undefined
            if (status < 300) served.push(ms)
            else if (asksToWait) refused.push(ms)
            end(status < 300 || asksToWait ? null : `${status} ${method} ${path.slice(0, 60)}`)
          })
        },
      )
      sent.once('timeout', () => sent.destroy(new Error('no answer')))
      sent.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
      sent.end(body)
    })
  const begun = performance.now()
  const until = begun + seconds * 1000
  let nr = 0
  const next = (): Ask => asks[nr++ % asks.length]!
  if (perSecond === undefined)
    await Promise.all(
      Array.from({ length: connections ?? 32 }, async () => {
        while (performance.now() < until) await one(next())
      }),
    )
  else {
    const running: Promise<void>[] = []
    while (performance.now() < until) {
      const due = ((performance.now() - begun) / 1000) * perSecond
      while (nr < due) running.push(one(next()))
      await sleep(2)
    }
    await Promise.all(running)
  }
  agent.destroy()
  return { seconds: (performance.now() - begun) / 1000, served, refused, faults }
}

process.on('message', (order: StreamOrder) => {
  void stream(order).then((result) => process.send?.(result))
})
