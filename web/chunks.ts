// Finds out which files of a build belong together, for the plugins in this folder.
import type { Rolldown } from 'vite'

export type Chunk = Rolldown.OutputChunk

/** File names of the chunks that match `isFirst` and of everything reachable from them through `next`. */
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

/** The chunks that the entry imports dynamically: the screens. */
export const screensOf = (chunks: readonly Chunk[]): ReadonlySet<string> =>
  new Set(chunks.flatMap(({ isEntry, dynamicImports }) => (isEntry ? dynamicImports : [])))
