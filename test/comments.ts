// Comments of the source and prose of the docs, line by line, for tests of their language.
import { parseSync } from 'oxc-parser'

export interface CommentLine {
  readonly line: number
  readonly text: string
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

const linesFrom = (start: number, text: string): CommentLine[] =>
  text.split('\n').map((one, nr) => ({ line: start + nr, text: one }))

/** Without blocks of code, which are not prose. */
function proseOf(text: string): CommentLine[] {
  let isCode = false
  return linesFrom(1, text).filter((one) => {
    if (!/^\s*```/.test(one.text)) return !isCode
    isCode = !isCode
    return false
  })
}

/** Of TypeScript and JavaScript, SQL, CSS and Markdown; none of other files. */
export function commentsIn(file: string, text: string): CommentLine[] {
  if (file.endsWith('.md')) return proseOf(text)
  if (file.endsWith('.css'))
    return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) =>
      linesFrom(lineOf(text, index), comment),
    )
  if (file.endsWith('.sql'))
    return linesFrom(1, text).flatMap((one) => {
      const comment = /(?:^|\s)--.*$/.exec(one.text)?.[0]
      return comment === undefined ? [] : [{ line: one.line, text: comment }]
    })
  if (!/\.(?:tsx?|m?js|mts)$/.test(file)) return []
  let [line, at] = [1, 0]
  return parseSync(file, text).comments.flatMap(({ start, value }) => {
    line += text.slice(at, start).split('\n').length - 1
    at = start
    return linesFrom(line, value)
  })
}

/** Without names in backticks and quotations, which keep the words of others. */
export const withoutQuotations = (text: string): string =>
  text.replaceAll(/`[^`]*`|"[^"]*"|„[^“]*“|»[^«]*«|“[^”]*”/g, '')
