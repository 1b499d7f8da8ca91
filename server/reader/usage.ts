// Measures the memory and CPU time of a process and the programs it started.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface Usage {
  readonly memoryBytes: number
  readonly cpuMs: number
}
const NOTHING: Usage = { memoryBytes: 0, cpuMs: 0 }
/** USER_HZ is 100 on every Linux. */
const TICK_MS = 10

const sum = (all: readonly Usage[]): Usage =>
  all.reduce((a, b) => ({ memoryBytes: a.memoryBytes + b.memoryBytes, cpuMs: a.cpuMs + b.cpuMs }), NOTHING)

/** Zero if the system does not say, and for a process that is gone. */
export const usageOf = (pid: number): Promise<Usage> =>
  process.platform === 'linux' ? usageInProc(pid) : usageByPs(pid)

async function usageInProc(pid: number): Promise<Usage> {
  try {
    const [stat, status, children] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''),
    ])
    // After the name, which may contain anything: state is the third field, utime, stime, cutime and cstime
    // are the 14th to the 17th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0)
    const own = {
      memoryBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
      cpuMs: ticks * TICK_MS,
    }
    return sum([
      own,
      ...(await Promise.all(children.split(' ').filter(Boolean).map(Number).map(usageInProc))),
    ])
  } catch {
    return NOTHING
  }
}

const run = promisify(execFile)

async function usageByPs(pid: number): Promise<Usage> {
  try {
    const { stdout } = await run('ps', ['-o', 'rss=,time=', '-p', String(pid)], { timeout: 5_000 })
    const [rss = '0', time = '0'] = stdout.trim().split(/\s+/)
    const seconds = time.split(/[:-]/).reduce((total, part) => total * 60 + Number(part), 0)
    return { memoryBytes: Number(rss) * 1024, cpuMs: seconds * 1000 }
  } catch {
    return NOTHING
  }
}
