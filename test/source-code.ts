// The code of a file without its comments, for tests that look for what code does.
import { parseSync } from 'oxc-parser'

export function codeOf(file: string, text: string): string {
  const { comments } = parseSync(file, text)
  return comments.reduceRight((code, { start, end }) => code.slice(0, start) + code.slice(end), text)
}
