// Started by watchdog.ts: when the time is up, kills its parent and everything the parent has started. Exits
// as soon as the parent is gone.
import { killOffspring } from './offspring.ts'

const [at = 0, most = 0, parent = 0] = process.argv.slice(2).map(Number)
// If the parent is already gone, this process belongs to the system's first one, whose
// descendants must not be killed.
if (parent <= 1 || process.ppid !== parent) process.exit()
// Part of the time has passed when this runs; a clock that was set back must not make it longer.
const left = Math.min(most, Math.max(0, at - Date.now()))

setInterval(() => {
  if (process.ppid !== parent) process.exit()
}, 50)

setTimeout(() => {
  if (process.ppid === parent) {
    killOffspring(parent, process.pid)
    process.kill(parent, 'SIGKILL')
  }
  process.exit()
}, left)
