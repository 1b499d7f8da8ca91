// CPU time and memory of this process and all it has started, as counted by Linux.
import { readFileSync } from 'node:fs'

const TICK_MS = 10
const PAGE = 4096
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
/** The fields of /proc/…/stat after the name, which may contain spaces. */
const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')

/** A process that has just ended is counted in its parent from then on. */
const orGone = (read: () => number): number => {
  try {
    return read()
  } catch {
    return 0
  }
}

/** User and system time, including ended children. */
export const treeCpuMs = (pid = process.pid): number =>
  orGone(() => {
    const [own, ended] = [statOf(pid).slice(11, 13), statOf(pid).slice(13, 15)]
    const ticks = [...own, ...ended].reduce((sum, field) => sum + Number(field), 0)
    return ticks * TICK_MS + childrenOf(pid).reduce((sum, child) => sum + treeCpuMs(child), 0)
  })

/** Bytes in memory; pages shared by several processes count once for each. */
export const treeRss = (pid = process.pid): number =>
  orGone(
    () =>
      Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE +
      childrenOf(pid).reduce((sum, child) => sum + treeRss(child), 0),
  )

/** Each process of the tree with its memory, to find the one that holds it. */
export const treeParts = (
  pid = process.pid,
): readonly { readonly pid: number; readonly command: string; readonly rss: number }[] => {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 6).join(' ')
    const rss = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE
    return [{ pid, command, rss }, ...childrenOf(pid).flatMap((child) => treeParts(child))]
  } catch {
    return []
  }
}
