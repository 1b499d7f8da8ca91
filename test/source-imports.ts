// What the source files import from each other.
import { dirname, join, normalize } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

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

/** The parser's answer, so that a comment which mentions an import is none. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const { module, program } = parseSync(path, text)
  const importOf = (specifier: string, typeOnly: boolean): Import => {
    if (specifier.startsWith('#')) return { from: path, to: specifier.slice(1), own: true, typeOnly }
    if (specifier.startsWith('.'))
      return { from: path, to: normalize(join(dirname(path), specifier)), own: true, typeOnly }
    return { from: path, to: specifier, own: false, typeOnly }
  }
  const isTypeOnly = (start: number): boolean =>
    /^(?:import|export)\s+type\s/.test(text.slice(start, start + 20))
  const found = [
    ...module.staticImports.map(({ start, moduleRequest }) =>
      importOf(moduleRequest.value, isTypeOnly(start)),
    ),
    ...module.staticExports.flatMap(({ start, entries }) =>
      // Names exported again from one file stand in one statement: one import.
      [...new Set(entries.flatMap((entry) => entry.moduleRequest?.value ?? []))].map((specifier) =>
        importOf(specifier, isTypeOnly(start)),
      ),
    ),
  ]
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string')
        found.push(importOf(source.value, false))
    },
    TSImportType: ({ source }) => {
      found.push(importOf(source.value, true))
    },
  }).visit(program)
  return found
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
