// Build of the lists for the server (contract/program-lists.ts): one file for Node, loaded with the first saved view
// that a program asks for.
import { defineConfig } from 'vite'
import { poPlugin } from './texts/po-plugin.ts'

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [poPlugin()],
  ssr: { noExternal: true },
  build: {
    ssr: 'src/app/program-lists.ts',
    target: 'node24',
    emptyOutDir: true,
    rolldownOptions: { output: { codeSplitting: false } },
  },
})
