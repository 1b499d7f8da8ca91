// npm run bench:start: time from the start of the process until /healthz answers ok.
import { rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { startApp, temporaryFolder } from '../../e2e/app.ts'
import { SHORT } from '../extent.ts'
import { atMost, median, report, shown } from '../figures.ts'

const ROUNDS = SHORT ? 1 : 3
const times = { empty: [] as number[], filled: [] as number[], killed: [] as number[] }

for (let round = 0; round < ROUNDS; round++) {
  const dataDir = temporaryFolder()
  const first = await startApp({ dataDir })
  times.empty.push(first.readyMs)
  await first.stop()
  const second = await startApp({ dataDir })
  times.filled.push(second.readyMs)
  await second.kill()
  const third = await startApp({ dataDir })
  times.killed.push(third.readyMs)
  await third.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

report('start', [
  atMost('trial on an empty data folder', 15_000, median(times.empty), 'ms'),
  atMost('trial on a filled data folder', 6_000, median(times.filled), 'ms'),
  atMost('trial after kill -9', 6_000, median(times.killed), 'ms'),
  shown('load average of the machine', loadavg()[0] ?? 0, ''),
])
