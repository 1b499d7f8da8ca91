// Which files of a build belong to what, for the plugins beside this file.
import type { Rolldown } from 'vite'

export type Chunk = Rolldown.OutputChunk

/** Names of the chunks that are `isFirst`, and of all that one comes to from them by `next`. */
export function reached(
  chunks: readonly Chunk[],
  isFirst: (chunk: Chunk) => boolean,
  next: (chunk: Chunk) => readonly string[],
): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<string>()
  const open = chunks.filter(isFirst)
  for (let chunk = open.pop(); chunk !== undefined; chunk = open.pop()) {
    if (found.has(chunk.fileName)) continue
    found.add(chunk.fileName)
    open.push(...next(chunk).flatMap((name) => byName.get(name) ?? []))
  }
  return found
}

/** What the entry imports once it runs: the screens. */
export const screensOf = (chunks: readonly Chunk[]): ReadonlySet<string> =>
  new Set(chunks.flatMap(({ isEntry, dynamicImports }) => (isEntry ? dynamicImports : [])))
