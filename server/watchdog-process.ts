// Started by watchdog.ts: kills its parent, with all that the parent has started, when the time is over. Ends itself as soon as the parent is gone.
import { killOffspring } from './offspring.ts'

const [at = 0, most = 0, parent = 0] = process.argv.slice(2).map(Number)
// A parent that is gone by now has left this process to the system's first one, whose offspring is everybody's.
if (parent <= 1 || process.ppid !== parent) process.exit()
// Part of the time is over when this runs; a clock that was set back makes it no longer than it was.
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
