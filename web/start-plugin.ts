// Adds preload links for the screens' code and the typeface to the page: the entry (src/main.tsx) imports the
// code only once it runs, and the links let the browser fetch all of it in parallel.
import type { HtmlTagDescriptor, Plugin } from 'vite'
import { type Chunk, reached, screensOf } from './chunks.ts'

/** Vite sets this property, but the chunk type does not declare it. */
const cssOf = (chunk: Chunk & { viteMetadata?: { importedCss: ReadonlySet<string> } }) =>
  chunk.viteMetadata?.importedCss ?? []

/** The letters of western Europe; the others are fetched where a name needs them. */
const FIRST_FONT = /latin-wght-normal.*\.woff2$/

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
        const fonts = Object.keys(bundle).filter((file) => FIRST_FONT.test(file))
        if (fonts.length !== 1) throw new Error(`the first font is ${fonts.join(', ') || 'missing'}`)
        const tags: HtmlTagDescriptor[] = [
          ...fonts.map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
          })),
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
