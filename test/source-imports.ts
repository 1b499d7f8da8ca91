// What the source files import from each other.
import { dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** Path from the root. */
  readonly path: string
  readonly text: string
}

export interface Import {
  readonly from: string
  /** A path from the root for our own files, otherwise the package name. */
  readonly to: string
  readonly own: boolean
  /** Types are gone at run time. */
  readonly typeOnly: boolean
}

const SPECIFIER =
  /(?:^|[\s;])(?:import|export)\s(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;(])import\s*\(?\s*['"]([^'"]+)['"]/g

export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(SPECIFIER)].map(([, type, named, bare]) => {
    const target = named ?? bare ?? ''
    const typeOnly = type !== undefined
    if (target.startsWith('#')) return { from: path, to: target.slice(1), own: true, typeOnly }
    if (target.startsWith('.'))
      return { from: path, to: normalize(join(dirname(path), target)), own: true, typeOnly }
    return { from: path, to: target, own: false, typeOnly }
  })
}

/** Cycles of files that import each other, including type imports; each as the list of its files. */
export function circlesIn(files: readonly SourceFile[]): string[][] {
  const targets = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ own }) => own)
        .map(({ to }) => to),
    ]),
  )
  const circles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) return void circles.push(trail.slice(at))
    if (done.has(path)) return
    for (const next of targets.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) walk(path, [])
  return circles
}
