// Started by watchdog.test.ts: hangs in every way at once. A SQLite thread that never returns, a process in
// its own group that never ends, and a blocked main thread.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { killOffspring } from './offspring.ts'
import { setWatchdog } from './watchdog.ts'

const [milliseconds = '500', way = 'blocked'] = process.argv.slice(2)
const ENDLESS = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n'
const thread = new Worker(
  `const query = new (require('node:sqlite').DatabaseSync)(':memory:').prepare(${JSON.stringify(ENDLESS)})
   require('node:worker_threads').parentPort.postMessage('busy')
   query.all()`,
  { eval: true },
)

if (way === 'child') for (;;);

const child = fork(import.meta.filename, ['0', 'child'], { detached: true, stdio: 'ignore' })
await once(thread, 'message')
// The thread is in the query a moment after it has said so.
setTimeout(() => {
  writeSync(1, `${child.pid}\n`)
  if (way === 'exit') killOffspring(process.pid)
  setWatchdog(Number(milliseconds))
  if (way === 'exit') process.exit(0)
  for (;;);
}, 500)
