// The code of the screens is imported by the entry once that runs (src/main.tsx): named in the page, it is fetched beside it instead of after it.
import type { HtmlTagDescriptor, Plugin } from 'vite'
import { type Chunk, reached, screensOf } from './chunks.ts'

/** Noted by Vite, and not in the type of the chunk. */
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
