// Ends this process at a given time, whatever it does then: a timer of its own cannot fire while the main thread or a native reader is busy, and even process.exit waits for threads.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url))

/** A process of its own, gone as soon as this one is. Where none can be started there is none: the way out in order remains. */
export function setWatchdog(milliseconds: number): ChildProcess {
  const at = Date.now() + milliseconds
  const watchdog = spawn(
    process.execPath,
    ['--max-semi-space-size=1', PROGRAM, String(at), String(milliseconds), String(process.pid)],
    {
      env: {},
      stdio: 'ignore',
      // A signal for the whole group of a terminal is not meant for it.
      detached: true,
    },
  )
  watchdog.on('error', () => undefined)
  watchdog.unref()
  return watchdog
}
