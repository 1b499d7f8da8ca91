// Memory of a busy time goes back to the machine when it is over. V8 collects when somebody asks it for memory: a server that nobody asks any more would keep the garbage of its busiest minute. What V8 frees goes to the C library, which has to be asked as well.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { giveMemoryBack } from './allocator.ts'

export interface QuietMemory {
  /** Milliseconds from one look to the next. */
  readonly everyMs?: number
}

/** Share of the time in which the loop of events works: above the first it has been busy, below the second it is quiet and a tenth of a second is nobody's loss. */
const [BUSY, QUIET] = [0.2, 0.05]

/** Of the ways V8 offers the one that also gives empty pages back: a plain collection keeps 100 MB of them for the next busy time. Takes 50 to 100 ms. */
const THOROUGH = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const

/** Collects once after each busy time, and at the next look gives back what that has freed. Answers how to end it. */
export function collectWhenQuiet({ everyMs = 5_000 }: QuietMemory = {}): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: typeof THOROUGH) => void
  let last = performance.eventLoopUtilization()
  let due = false
  let freed = false
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > BUSY) due = true
    if (utilization > QUIET) return
    if (freed) void giveMemoryBack()
    freed = due
    if (due) collect(THOROUGH)
    due = false
  }
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}
