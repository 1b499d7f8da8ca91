// Started by watchdog.test.ts: starts a watchdog for a process that no longer exists, and reports at the end
// that nothing was killed.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

if (process.argv[2] === 'neighbour') setTimeout(() => process.exit(), 30_000)
else {
  const short = spawn(process.execPath, ['-e', ''])
  await once(short, 'exit')
  const neighbour = fork(import.meta.filename, ['neighbour'], { stdio: 'ignore' })
  const [milliseconds = '0'] = process.argv.slice(2)
  const words = [String(Date.now()), milliseconds, String(short.pid)]
  const watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog-process.ts'), ...words], {
    stdio: 'ignore',
  })
  await once(watchdog, 'exit')
  process.stdout.write(
    neighbour.exitCode === null && neighbour.signalCode === null ? 'all alive' : 'a neighbour was killed',
  )
  neighbour.kill()
  neighbour.disconnect()
}
