// What a browser must fetch before one of our pages can show itself, in bytes as transferred (gzip): exact,
// so that it can be a test.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '../..')

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

/** Written by scripts/build.ts. */
export const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(ROOT, 'build/web-manifest.json'), 'utf8')) as Manifest

/** Files that these modules need, including everything they import statically. */
export function filesOf(manifest: Manifest, entries: readonly string[]): string[] {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`the build has no ${name}`)
    if (seen.has(name)) return
    seen.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    chunk.imports?.forEach(visit)
  }
  entries.forEach(visit)
  return [...files].sort()
}

const sizeOf = (file: string): number => {
  const path = join(ROOT, 'web/dist', file)
  return existsSync(`${path}.gz`)
    ? readFileSync(`${path}.gz`).length
    : gzipSync(readFileSync(path), { level: 9 }).length
}
export const gzipSize = (files: readonly string[], ending: string): number =>
  files.filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + sizeOf(file), 0)

/** Budgets of a first load, in bytes. */
const FIRST = { js: 150_000, css: 15_000 }

/** The entry and the page's own chunk, with their budget; checked by tests. */
export const FIRST_LOADS = {
  dashboard: { entries: ['index.html', 'src/app/start.tsx', 'src/app/pages/DashboardPage.tsx'], ...FIRST },
  'list of customers': {
    entries: ['index.html', 'src/app/start.tsx', 'src/features/kunde/KundenPage.tsx'],
    ...FIRST,
  },
} as const
