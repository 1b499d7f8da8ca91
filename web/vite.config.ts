// Build of the screens: hashed file names, one chunk per route, and no inline code, so that the strict
// content security policy holds.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { startPlugin } from './start-plugin.ts'
import { workerPlugin } from './worker-plugin.ts'

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** Returns a test for whether a module is a (transitive) static import of `file`. */
function neededBy(file: string): (id: string, graph: ModuleGraph) => boolean {
  const first = join(import.meta.dirname, file)
  let needed: Set<string> | undefined
  return (id, graph) => {
    if (needed === undefined) {
      needed = new Set()
      const open = [first]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (needed.has(next)) continue
        needed.add(next)
        open.push(...(graph.getModuleInfo(next)?.importedIds ?? []))
      }
    }
    return id !== first && needed.has(id)
  }
}
const byBegin = neededBy('src/main.tsx')
const byStart = neededBy('src/app/start.tsx')
const byLists = neededBy('src/list/ListPage.tsx')

const SERVER = 'http://localhost:3000'
const PROXIED = ['/rest', '/prod-api', '/realms', '/anmelden', '/config', '/healthz']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), startPlugin(), workerPlugin()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
    // Inlined files would become data: URLs, which the content security policy forbids for scripts and
    // styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Short hashes: chunk names are most of what does not compress in the lists of files to fetch.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // Without these groups a list page would request thirty small files, six at a time; the round trips
        // cost more than the bytes.
        codeSplitting: {
          groups: [
            { debugName: 'anfang', priority: 3, name: (id, graph) => (byBegin(id, graph) ? 'anfang' : null) },
            { debugName: 'start', priority: 2, name: (id, graph) => (byStart(id, graph) ? 'start' : null) },
            { debugName: 'liste', priority: 1, name: (id, graph) => (byLists(id, graph) ? 'liste' : null) },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(PROXIED.map((path) => [path, { target: SERVER, changeOrigin: false }])),
  },
})
