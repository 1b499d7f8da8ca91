// Writes the service worker of a build: web/worker.js with the list of files to cache and a version that
// changes whenever one of them does.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { type Chunk, reached, screensOf } from './chunks.ts'

/**
 * Maximum size in characters or bytes. Larger files (post code tables, the import checker) are rarely needed
 * and fetched on demand; files that the start needs are always cached.
 */
const LARGEST = 200_000
/** Modules that must work offline, whatever the size of their chunks; the English texts are among them. */
const FIELD = /\/src\/features\/fieldwork\/|\/texts\/en\.po$/

/** Chunks without which nothing can be shown. */
const startChunks = (chunks: readonly Chunk[]): Set<string> =>
  reached(
    chunks,
    ({ isEntry, fileName }) => isEntry || screensOf(chunks).has(fileName),
    ({ imports }) => imports,
  )
/**
 * Everything the field mode loads, now or later. The start's own dynamic imports are left out: they are the
 * other pages.
 */
const fieldChunks = (chunks: readonly Chunk[], start: ReadonlySet<string>): Set<string> =>
  reached(
    chunks,
    ({ fileName, moduleIds }) => !start.has(fileName) && moduleIds.some((id) => FIELD.test(id)),
    ({ fileName, imports, dynamicImports }) =>
      start.has(fileName) ? imports : [...imports, ...dynamicImports],
  )

/** As the browser checks it. */
const integrityOf = (content: string | Uint8Array): string =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`

export function workerPlugin(): Plugin {
  const template = readFileSync(join(import.meta.dirname, 'worker.js'), 'utf8')
  const folder = join(import.meta.dirname, 'public')
  return {
    name: 'forstkontor-worker',
    apply: 'build',
    // Runs once names and contents are final: of what comes before, some is changed afterwards.
    enforce: 'post',
    writeBundle({ dir }, bundle) {
      const hash = createHash('sha256').update(template)
      const files: string[] = []
      const field: string[] = []
      const hashes: Record<string, string> = {}
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      const forStart = startChunks(chunks)
      const forField = fieldChunks(chunks, forStart)
      if (forField.size === 0) throw new Error(`no module is ${FIELD}: the field mode would not work offline`)
      for (const [name, part] of Object.entries(bundle).sort(([a], [b]) => a.localeCompare(b, 'en'))) {
        const content = part.type === 'chunk' ? part.code : part.source
        hash.update(name).update(content)
        hashes[`/${name}`] = integrityOf(content)
        const isKept =
          /^assets\/.*\.(?:js|css|svg|woff2)$/.test(name) && (content.length <= LARGEST || forStart.has(name))
        if (isKept) files.push(`/${name}`)
        else if (forField.has(name)) field.push(`/${name}`)
      }
      // Files of the public folder are not in the bundle.
      const own = existsSync(folder) ? readdirSync(folder).sort() : []
      for (const name of own) {
        const content = readFileSync(join(folder, name))
        hash.update(name).update(content)
        hashes[`/${name}`] = integrityOf(content)
        files.push(`/${name}`)
      }
      const kept = ['/index.html', ...files]
      const table = JSON.stringify(
        Object.fromEntries([...kept, ...field].map((file) => [file, hashes[file]])),
      )
      // Its own file: the worker is fetched at every start, the hashes only with a new version.
      const tableName = `assets/hashes-${createHash('sha256').update(table).digest('hex').slice(0, 8)}.json`
      const out = dir ?? ''
      writeFileSync(join(out, tableName), table)
      const source = template
        .replace("'__VERSION__'", () => JSON.stringify(hash.digest('hex').slice(0, 12)))
        .replace('__FILES__', () => JSON.stringify(kept, null, 1))
        .replace('__FIELD__', () => JSON.stringify(field, null, 1))
        .replace('__HASHES__', () => JSON.stringify({ file: `/${tableName}`, hash: integrityOf(table) }))
      writeFileSync(join(out, 'sw.js'), source)
    },
  }
}
