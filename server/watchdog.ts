// Ends this process at a given time, whatever it is doing then: its own timer cannot fire while the main
// thread or a native reader is busy, and even process.exit waits for threads.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url))

/**
 * A separate process that exits as soon as this one does. If it cannot be started, only the
 * orderly shutdown remains.
 */
export function setWatchdog(milliseconds: number): ChildProcess {
  const at = Date.now() + milliseconds
  const watchdog = spawn(
    process.execPath,
    ['--max-semi-space-size=1', PROGRAM, String(at), String(milliseconds), String(process.pid)],
    {
      env: {},
      stdio: 'ignore',
      // It must survive a signal to the terminal's whole process group.
      detached: true,
    },
  )
  watchdog.on('error', () => undefined)
  watchdog.unref()
  return watchdog
}
