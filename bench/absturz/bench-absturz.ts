// npm run bench:absturz: kills the whole server with -9 at twenty moments while it issues invoices, on the
// embedded engine. ROUNDS=100 for more. db/test/crash.sql.test.ts does the same on PostgreSQL, and a small
// version on both engines, in every test run.
import { loadavg } from 'node:os'
import { rmSync } from 'node:fs'
import { type RunningApp, startApp, temporaryFolder } from '../../e2e/app.ts'
import { demoPassword } from '../../e2e/browser.ts'
import { tokensOf } from '../../e2e/http-sign-in.ts'
import { crash } from '../../test/crash.ts'
import { freePort } from '../../test/private-postgres.ts'
import { SHORT } from '../extent.ts'
import { atLeast, atMost, report, shown } from '../figures.ts'

const rounds = Number(process.env['ROUNDS'] ?? (SHORT ? 2 : 20))
const dataDir = temporaryFolder()
const port = await freePort()
const readyMs: number[] = []
let running: RunningApp | undefined
async function start(): Promise<RunningApp> {
  running = await startApp({ dataDir, port })
  readyMs.push(running.readyMs)
  return running
}
let password: string | undefined
async function authorization(): Promise<string> {
  password ??= demoPassword(running!)
  return `Bearer ${(await tokensOf(running!, 'apus_admin', password)).access_token}`
}

const found = await crash({ rounds, seed: 20261121, atOnce: 8, start, authorization, client_id: 1 })
rmSync(dataDir, { recursive: true, force: true })

report('absturz', [
  atLeast('kill -9 while issuing: hit some of them', rounds / 3, found.hits, `of ${found.kills}`),
  shown('invoices issued meanwhile', found.issued, ''),
  atMost('acknowledged and lost', 0, found.lost, ''),
  atMost('gaps in the numbers', 0, found.gaps, ''),
  atMost('numbers twice', 0, found.doubles, ''),
  atMost('half documents', 0, found.halves, ''),
  atMost('broken chains', 0, found.brokenChains, ''),
  atMost('starts after which the next issue did not work', 0, found.stuck, ''),
  atMost('files missing or half', 0, found.badFiles, ''),
  shown('slowest start after a kill', Math.max(...readyMs), 'ms'),
  shown('load average of the machine', loadavg()[0] ?? 0, ''),
])
