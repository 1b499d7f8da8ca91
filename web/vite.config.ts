// Build of the screens: hashed files, one chunk per route; nothing inline, so that the strict content policy holds.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { workerPlugin } from './worker-plugin.ts'

const SERVER = 'http://localhost:3000'
const PROXIED = ['/rest', '/prod-api', '/realms', '/anmelden', '/config', '/healthz']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), workerPlugin()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
    // Inlined files would be data: addresses, which the policy forbids for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(PROXIED.map((path) => [path, { target: SERVER, changeOrigin: false }])),
  },
})
