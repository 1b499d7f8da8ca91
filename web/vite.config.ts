// Build of the screens: hashed file names, one chunk per route, and no inline code, so that the strict
// content security policy holds.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { startPlugin } from './start-plugin.ts'
import { poPlugin } from './texts/po-plugin.ts'
import { workerPlugin } from './worker-plugin.ts'
import { SERVER_PATHS } from '../contract/server-paths.ts'

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** The query package imports all of itself from one module; these parts are not needed at first. */
const RARE =
  /\/(?:useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver|useMutation|mutationObserver)\.js$/

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
    return id !== first && needed.has(id) && !RARE.test(id)
  }
}
const byBegin = neededBy('src/main.tsx')
const byStart = neededBy('src/app/start.tsx')
const byLists = neededBy('src/list/ListPage.tsx')
const byKunden = neededBy('src/features/kunde/KundenPage.tsx')

/** Linked by the page itself (start-plugin.ts): no list of files to fetch needs to name them. */
const AT_START = /^assets\/(?:anfang|start|rolldown-runtime)-/

/**
 * Begun by few visitors of a list, or pages of a few days a year: the first load names only their style sheets,
 * and their scripts are found one after the other.
 */
const SELDOM = new RegExp(
  `^assets/(?:${[
    'BulkBar',
    'FilterPanel',
    'GroupedRows',
    String.raw`\w+-cells`,
    String.raw`\w*ImportPage`,
    String.raw`Abo\w*Page`,
    'AbkuerzungenPage',
    'AcceptancePage',
    'BetriebPage',
    'BordersPage',
    'ConnectPage',
    'DirectDebitsPage',
    'ErrorPages',
    'FinancesPage',
    'GutscheinPage',
    'KawmPage',
    'MasterDataPage',
    'MembersPage',
    'PartsPage',
    'PrivacyPage',
    'ProfilePage',
    'SettingsPage',
    'TransfersPage',
    'UstPage',
    'WebhooksPage',
  ].join('|')})-`,
)
const isStyle = (name: string): boolean => name.endsWith('.css')

const SERVER = 'http://localhost:3000'
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), poPlugin(), startPlugin(), workerPlugin()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
    // Inlined files would become data: URLs, which the content security policy forbids for scripts and
    // styles.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) =>
        needed.filter((name) => !AT_START.test(name) && (isStyle(name) || !SELDOM.test(file))),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Short hashes: chunk names are most of what does not compress in the lists of files to fetch.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // Without these groups a list page would request thirty small files, six at a time; the round trips
        // cost more than the bytes. The list of customers is the first page of most days.
        codeSplitting: {
          groups: [
            { debugName: 'anfang', priority: 3, name: (id, graph) => (byBegin(id, graph) ? 'anfang' : null) },
            {
              debugName: 'start',
              priority: 2,
              name: (id, graph) => (byStart(id, graph) ? 'start' : null),
            },
            { debugName: 'liste', priority: 1, name: (id, graph) => (byLists(id, graph) ? 'liste' : null) },
            {
              debugName: 'kunden',
              priority: 0,
              name: (id, graph) => (byKunden(id, graph) ? 'kunden' : null),
            },
            // What many pages share, in one file: each small one would stand in the list of files that the first
            // load carries for every page (1 kB of it), and be a separate request.
            {
              debugName: 'geteilt',
              priority: 0,
              minShareCount: 14,
              test: /\/(?:web\/src|domain|contract)\//,
              name: (id, graph) =>
                [byBegin, byStart, byLists, byKunden].some((needs) => needs(id, graph)) ? null : 'geteilt',
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, { target: SERVER, changeOrigin: false }])),
  },
})
