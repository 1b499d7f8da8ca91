// For measuring over HTTP: the product in its own process on a private PostgreSQL with the sample data, and a
// signed-in member of staff.
import { readFileSync } from 'node:fs'
import type { KarteJob } from '#contract/karte-files.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppOptions, type RunningApp, startApp } from '../../e2e/app.ts'
import { call } from '../../e2e/calls.ts'
import { tokensOf } from '../../e2e/http-sign-in.ts'
import { SHORT } from '../extent.ts'
import { withSample } from '../sample.ts'

export const GENERAL = '/prod-api'

export interface House {
  readonly app: RunningApp
  readonly token: string
  readonly pid: number
  /** Creates an empty plan of a customer. */
  newPlan(name: string): Promise<number>
  /** Waits until no job of the plan is left. */
  settled(karte: number): Promise<KarteJob[]>
}

/** `prepare` changes the sample before the server starts on it. */
export async function inHouse<T>(
  work: (house: House) => Promise<T>,
  { prepare }: Pick<AppOptions, 'prepare'> = {},
): Promise<T> {
  return withSample(async () => {
    const app = await startApp(prepare === undefined ? {} : { prepare })
    try {
      const { access_token: token } = await tokensOf(app, 'apus_team')
      const rpc = async <A>(name: string, body: object): Promise<A> => {
        const { status, json } = await call(app, token, `/rest/rpc/${name}`, body)
        if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(json)}`)
        return json as A
      }
      // The sample's own scans are cut into tiles first.
      await sleep(SHORT ? 500 : 8000)
      return await work({
        app,
        token,
        pid: app.pid,
        async newPlan(map_name) {
          const answer = await fetch(`${app.origin}/rest/karte`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              prefer: 'return=representation',
            },
            body: JSON.stringify({ client_id: 1, map_name, epsg: 25833 }),
          })
          if (answer.status !== 201) throw new Error(`no plan: ${answer.status} ${await answer.text()}`)
          return ((await answer.json()) as { id: number }[])[0]!.id
        },
        async settled(karte) {
          for (;;) {
            const all = await rpc<KarteJob[]>('a_get_karte_auftraege', { karte_id: karte })
            if (all.every(({ stand }) => stand !== 'wartet' && stand !== 'laeuft')) return all
            await sleep(100)
          }
        },
      })
    } finally {
      await app.stop()
    }
  })
}

/** Bytes in memory of this process alone: pictures are processed in others. */
export const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
