// The product as its own process on a PostgreSQL of its own with the sample data, and a member of staff who is signed in: what is measured over HTTP.
import { readFileSync } from 'node:fs'
import type { KarteAuftrag } from '#contract/karte-dateien.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppOptions, type RunningApp, SAMPLE_URL, startApp } from '../../e2e/app.ts'
import { call } from '../../e2e/calls.ts'
import { tokensOf } from '../../e2e/http-sign-in.ts'
import { fillTrial } from '../../scripts/trial-archive.ts'
import { createOwnerConnection } from '../../server/database/postgres-owner.ts'
import { silentLog } from '../../server/log.ts'
import { SCHEMA_FOLDER } from '../../server/prepare.ts'
import { copyDatabase, withDatabase } from '../../test/databases.ts'
import { startPrivatePostgres } from '../api/private-postgres.ts'

export const GENERAL = '/prod-api'

export interface Haus {
  readonly app: RunningApp
  readonly token: string
  readonly pid: number
  /** An empty plan of a customer. */
  newPlan(name: string): Promise<number>
  /** Until nothing is under way for a plan. */
  settled(karte: number): Promise<KarteAuftrag[]>
}

/** `prepare` changes the sample before the server starts on it. */
export async function inHaus<T>(work: (haus: Haus) => Promise<T>, { prepare }: Pick<AppOptions, 'prepare'> = {}): Promise<T> {
  const server = await startPrivatePostgres()
  try {
    const sample = await copyDatabase(withDatabase(server.url, 'template1'), 'probe')
    const owner = await createOwnerConnection(sample)
    await fillTrial(owner, { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() })
    // Documents of the sample are nothing that is measured here.
    await owner.script(`select rechte.dokument_fehlende(); update app.dokument_auftrag set naechster = 'infinity'`)
    await owner.close()
    process.env[SAMPLE_URL] = sample
    const before = childrenOf(process.pid)
    const app = await startApp(prepare === undefined ? {} : { prepare })
    try {
      const pid = childrenOf(process.pid).find((child) => !before.includes(child) && commandOf(child).includes('e2e/trial-on-postgres.ts'))
      if (pid === undefined) throw new Error('the server’s process is not found')
      const { access_token: token } = await tokensOf(app, 'apus_team')
      const rpc = async <A>(name: string, body: object): Promise<A> => {
        const { status, json } = await call(app, token, `/rest/rpc/${name}`, body)
        if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(json)}`)
        return json as A
      }
      // The sample's own scans are cut first.
      await sleep(8000)
      return await work({
        app,
        token,
        pid,
        async newPlan(map_name) {
          const answer = await fetch(`${app.origin}/rest/karte`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'return=representation' },
            body: JSON.stringify({ client_id: 1, map_name, epsg: 25833 }),
          })
          if (answer.status !== 201) throw new Error(`no plan: ${answer.status} ${await answer.text()}`)
          return ((await answer.json()) as { id: number }[])[0]!.id
        },
        async settled(karte) {
          for (;;) {
            const all = await rpc<KarteAuftrag[]>('a_get_karte_auftraege', { karte_id: karte })
            if (all.every(({ stand }) => stand !== 'wartet' && stand !== 'laeuft')) return all
            await sleep(100)
          }
        },
      })
    } finally {
      await app.stop()
      delete process.env[SAMPLE_URL]
    }
  } finally {
    await server.stop()
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

/** Bytes of one process alone: work on pictures happens in others. */
export const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
