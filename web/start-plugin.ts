// Adds preload links for the screens' code to the page: the entry (src/main.tsx) imports it only once it
// runs, and the links let the browser fetch both in parallel.
import type { HtmlTagDescriptor, Plugin } from 'vite'
import { type Chunk, reached, screensOf } from './chunks.ts'

/** Vite sets this property, but the chunk type does not declare it. */
const cssOf = (chunk: Chunk & { viteMetadata?: { importedCss: ReadonlySet<string> } }) =>
  chunk.viteMetadata?.importedCss ?? []

export function startPlugin(): Plugin {
  return {
    name: 'forstkontor-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
        const screens = screensOf(chunks)
        const scripts = reached(
          chunks,
          ({ fileName }) => screens.has(fileName),
          ({ imports }) => imports,
        )
        const styles = new Set(
          chunks.flatMap((chunk) => (scripts.has(chunk.fileName) ? [...cssOf(chunk)] : [])),
        )
        const tags: HtmlTagDescriptor[] = [
          ...[...scripts].map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          })),
          ...[...styles].map((file) => ({
            tag: 'link',
            attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` },
          })),
        ]
        return tags
          .filter(({ attrs }) => !html.includes(`href="${String(attrs?.['href'])}"`))
          .map((tag) => ({ ...tag, injectTo: 'head' as const }))
      },
    },
  }
}
