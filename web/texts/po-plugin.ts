// Turns a .po file that the screens import into a module with its table of texts.
import type { Plugin } from 'vite'
import { parsePo } from './po-file.ts'

/**
 * German text → translation. What is not translated, or only guessed, is left out and stays German. In
 * alphabetical order it compresses best.
 */
const tableOf = (source: string): Record<string, string> =>
  Object.fromEntries(
    parsePo(source)
      .filter(({ english, isFuzzy }) => english !== '' && !isFuzzy)
      .map(({ german, english }) => [german, english] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

export function poPlugin(): Plugin {
  return {
    name: 'forstkontor-texts',
    transform: {
      filter: { id: /\.po$/ },
      handler: (source) => ({
        code: `export const texts = ${JSON.stringify(tableOf(source))}`,
        map: null,
        moduleType: 'js',
      }),
    },
  }
}
