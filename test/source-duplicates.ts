// Places of the source that say the same twice.
import type { SourceFile } from './source-imports.ts'

/** A run of so many lines counts. */
const RUN = 6
/** What stands in more places than this is a habit of the language. */
const MOST_PLACES = 8

/** A line without its indentation; empty for what says nothing: brackets, imports, comments. */
function contentOf(line: string): string {
  const trimmed = line.trim()
  return /^(?:\/\/|\*|\/\*|--|import\b|export \{|\} from\b|[\])}{(;,]*$)/.test(trimmed) ? '' : trimmed
}

/** Pairs of files that share runs of six or more lines of the same text. */
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
