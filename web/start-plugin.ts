// The code of the screens is imported by the entry once that runs (src/main.tsx): named in the page, it is fetched beside it instead of after it.
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk & { readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } }

export function startPlugin(): Plugin {
  return {
    name: 'forstkontor-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = new Map(
          Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part as Chunk] as const] : [])),
        )
        const found = new Set<Chunk>()
        const open = [...chunks.values()].filter(({ isEntry }) => isEntry).flatMap(({ dynamicImports }) => dynamicImports)
        for (let name = open.pop(); name !== undefined; name = open.pop()) {
          const chunk = chunks.get(name)
          if (chunk === undefined || found.has(chunk)) continue
          found.add(chunk)
          open.push(...chunk.imports)
        }
        const scripts = [...found].map(({ fileName }) => fileName)
        const styles = [...new Set([...found].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))]
        const tags: HtmlTagDescriptor[] = [
          ...scripts.map((file) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` } })),
          ...styles.map((file) => ({ tag: 'link', attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` } })),
        ]
        return tags
          .filter(({ attrs }) => !html.includes(`href="${String(attrs?.['href'])}"`))
          .map((tag) => ({ ...tag, injectTo: 'head' as const }))
      },
    },
  }
}
