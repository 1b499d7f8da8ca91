// The processes that a process has started, and theirs: readers of foreign files, typesetters, GDAL. None may outlive the server.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process that is being ended may still start another one; then they are looked up again. */
const ROUNDS = 3

/** @param spared stays, with all that it started */
export function killOffspring(parent: number, spared?: number): void {
  // The system's first process has adopted whatever has lost its parent: none of it is ours to end.
  if (!(parent > 1)) return
  for (let round = 0; round < ROUNDS; round++) {
    const found = offspringOf(parent, spared)
    if (found.length === 0) return
    for (const pid of found) kill(pid)
  }
}

export function offspringOf(parent: number, spared?: number): number[] {
  // The first process of a system adopts everybody's children.
  if (parent <= 1) return []
  const children = childrenOf(parent).filter((pid) => pid !== spared)
  return children.flatMap((pid) => [pid, ...offspringOf(pid, spared)])
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** A child belongs to the thread that started it. */
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
    return '' // a thread that has ended meanwhile
  }
}

/** Systems without /proc; the program itself is among its own children and gone when it is looked at. */
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
