// kill -9 while invoices are issued, twice on the embedded engine, which is the slowest to start: no gap, no
// duplicate, no half document, an intact chain, and work continues. KILL_ROUNDS=20 runs that many on each
// engine, which takes minutes; npm run bench:absturz does the same to the whole server.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { TEMPLATES } from '#server/prepare.ts'
import { crash, type Victim } from '../../test/crash.ts'
import { asUser } from '../../test/databases.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { isMissing, openEngine } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { A } from './world.ts'

const more = process.env['KILL_ROUNDS']
const ROUNDS =
  more === undefined ? { postgres: 8, embedded: 2 } : { postgres: Number(more), embedded: Number(more) }
const children = new Set<ChildProcess>()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const end of ends.splice(0)) await end()
})

async function victimOn(place: string): Promise<Victim> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crash.child.ts'), place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const said = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const [origin] = await Promise.race([
    said,
    once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`the server did not start: it ended with ${String(code)}`)),
    ),
  ])
  return {
    origin,
    async kill() {
      if (!children.delete(child)) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const SOUND = { lost: 0, gaps: 0, doubles: 0, halves: 0, brokenChains: 0, stuck: 0, badFiles: 0 }

async function survives(place: string, rounds: number, atOnce: number): Promise<void> {
  const report = await crash({
    rounds,
    seed: 20261121,
    atOnce,
    start: () => victimOn(place),
    authorization: () => 'Bearer apus_admin',
    client_id: A,
  })
  expect(report).toMatchObject({ ...SOUND, kills: rounds })
  // Enough kills hit while issuing, and enough was issued for them to damage.
  expect(report.hits).toBeGreaterThanOrEqual(Math.floor(rounds / 3))
  expect(report.issued).toBeGreaterThan(2 * rounds)
}

describe('kill -9 while issuing', () => {
  test.skipIf(isMissing('postgres'))(
    'on PostgreSQL, twelve at once',
    { timeout: 300_000 + 20_000 * ROUNDS.postgres },
    async () => {
      const engine = await openEngine('postgres')
      ends.push(() => engine.close())
      await buildWorld(engine.owner)
      const { rows } = await engine.owner.query<{ name: string }>('select current_database() as name')
      const url = new URL(postgresUrl()!)
      url.pathname = `/${rows[0]!.name}`
      await survives(asUser(url.toString(), 'forst_api'), ROUNDS.postgres, 12)
    },
  )
  test('on the embedded engine', { timeout: 600_000 + 60_000 * ROUNDS.embedded }, async () => {
    const first = await openTestDatabase({ templateArchive: TEMPLATES.empty, loginRole: 'forst_api' })
    ends.push(() => rmSync(first.folder, { recursive: true, force: true }))
    await first.asOwner((connection) =>
      buildWorld({
        engine: 'embedded',
        query: (text, values) => connection.query(text, values),
        script: (text) => connection.script(text),
        close: () => Promise.resolve(),
      }),
    )
    await first.close()
    await survives(first.folder, ROUNDS.embedded, 6)
  })
})
