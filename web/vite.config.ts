// Build of the screens: hashed files, one chunk per route; nothing inline, so that the strict content policy holds.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { startPlugin } from './start-plugin.ts'
import { workerPlugin } from './worker-plugin.ts'

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** Whether a module is needed, by static imports, for one of ours to run. */
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
    // Inlined files would be data: addresses, which the policy forbids for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Names of parts are most of what does not compress in the lists of what to fetch.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // Left alone, a list asks for thirty small files, six at a time: the way there and back counts for more than their bytes.
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
