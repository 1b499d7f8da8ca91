// Finds duplicated code.
import type { SourceFile } from './source-imports.ts'

/** Runs of this many lines count. */
const RUN = 6
/** Text in more files than this is idiom rather than duplication. */
const MOST_PLACES = 8

/** A line without its indentation; empty for brackets, imports and comments. */
function contentOf(line: string): string {
  const trimmed = line.trim()
  return /^(?:\/\/|\*|\/\*|--|import\b|export \{|\} from\b|[\])}{(;,]*$)/.test(trimmed) ? '' : trimmed
}

/** Number of file pairs that share a run of six or more identical lines. */
export function duplicatePairs(files: readonly SourceFile[]): number {
  const places = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const contents = text
      .split('\n')
      .map(contentOf)
      .filter((content) => content !== '')
    for (let at = 0; at + RUN <= contents.length; at++) {
      const run = contents.slice(at, at + RUN).join('\n')
      const seen = places.get(run) ?? new Set()
      places.set(run, seen.add(path))
    }
  }
  const pairs = new Set<string>()
  for (const seen of places.values()) {
    if (seen.size < 2 || seen.size > MOST_PLACES) continue
    const sorted = [...seen].toSorted()
    for (const [at, one] of sorted.entries())
      for (const other of sorted.slice(at + 1)) pairs.add(`${one} ${other}`)
  }
  return pairs.size
}
