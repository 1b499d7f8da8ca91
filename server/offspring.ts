// The processes that a process has started, and their descendants: file readers, typesetters, GDAL.
// None may outlive the server.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process that is being killed may still start another one, so they are looked up again. */
const ROUNDS = 3

/** @param spared stays, with everything it started */
export function killOffspring(parent: number, spared?: number): void {
  // The system's first process has adopted every orphan: none of them is ours to kill.
  if (!(parent > 1)) return
  for (let round = 0; round < ROUNDS; round++) {
    const found = offspringOf(parent, spared)
    if (found.length === 0) return
    for (const pid of found) kill(pid)
  }
}

export function offspringOf(parent: number, spared?: number): number[] {
  // The system's first process adopts every orphan.
  if (parent <= 1) return []
  const children = childrenOf(parent).filter((pid) => pid !== spared)
  return children.flatMap((pid) => [pid, ...offspringOf(pid, spared)])
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** Linux lists children per thread that started them. */
function childrenOf(parent: number): number[] {
  try {
    return readdirSync(`/proc/${parent}/task`).flatMap((thread) =>
      numbersIn(readOrNothing(`/proc/${parent}/task/${thread}/children`)),
    )
  } catch {
    return listedChildrenOf(parent)
  }
}

const numbersIn = (text: string): number[] => text.split(/\s+/).filter(Boolean).map(Number)

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // a thread that has ended in the meantime
  }
}

/**
 * For systems without /proc. The `ps` process itself is among its own results, and gone by
 * the time it is looked at.
 */
function listedChildrenOf(parent: number): number[] {
  if (process.platform === 'linux') return []
  try {
    const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 2_000 })
    return list
      .split('\n')
      .map(numbersIn)
      .filter(([, of]) => of === parent)
      .map(([pid = 0]) => pid)
  } catch {
    return []
  }
}
