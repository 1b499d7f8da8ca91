// What is done with processes that read files from outside: how much memory they take, and how they end.
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** Ends it and all that it started. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  for (const target of [-pid, pid])
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // Gone already.
    }
}

/** Of the process and the programs it started; 0 where the system does not tell. */
export async function memoryOf(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number)
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
    return (await Promise.all(children.map(memoryOf))).reduce((sum, bytes) => sum + bytes, own)
  } catch {
    return 0
  }
}
