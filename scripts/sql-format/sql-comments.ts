/** Line comments, wrapped to the width of the page. */
import type { Comment } from './sql-tokens.ts'

const RULER = /-{4,}$/

function isRuler(text: string): boolean {
  return RULER.test(text)
}

/** A new thought rather than the next line of the one before. */
function startsAnew(before: string, text: string): boolean {
  if (isRuler(before) || isRuler(text) || !text.startsWith('--') || !before.startsWith('--')) return true
  const words = text.replace(/^-+\s*/, '')
  if (words === '' || before.replace(/^-+\s*/, '') === '') return true
  return /[.:;!?)\]]$/.test(before) && /^(?:[^\p{Ll}\d([]|\S+: )/u.test(words)
}

function fill(text: string, room: number): readonly string[] {
  const [, marker = '--', words = ''] = /^(-+)\s*([\s\S]*)$/.exec(text) ?? []
  const lines: string[] = []
  let line = marker
  for (const word of words.split(/\s+/)) {
    if (line !== marker && line.length + 1 + word.length > room) {
      lines.push(line)
      line = marker
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

function wrapParagraph(paragraph: readonly string[], room: number): readonly string[] {
  if (paragraph.every((line) => line.length <= room)) return paragraph
  const [first = ''] = paragraph
  if (isRuler(first)) {
    const title = first.replace(RULER, '')
    return title.length + 4 <= room ? [title.padEnd(room, '-')] : fill(`${title}----`, room)
  }
  if (!first.startsWith('--')) return paragraph
  return fill(paragraph.map((line, at) => (at === 0 ? line : line.replace(/^-+\s*/, ''))).join(' '), room)
}

/** The comments as lines at an indentation; paragraphs and rulers stay, long lines are wrapped again. */
export function commentLines(comments: readonly Comment[], indent: number, width: number): string[] {
  const lines: string[] = []
  let paragraph: string[] = []
  const flush = (): void => {
    lines.push(...wrapParagraph(paragraph, width - indent).map((line) => ' '.repeat(indent) + line))
    paragraph = []
  }
  for (const [at, comment] of comments.entries()) {
    const before = paragraph.at(-1)
    if (before !== undefined && (comment.blank || startsAnew(before, comment.text))) flush()
    if (at > 0 && comment.blank) lines.push('')
    paragraph.push(comment.text)
  }
  if (paragraph.length > 0) flush()
  return lines
}

/** What must stay of a comment: its words, in their order. Lengths of rulers do not count. */
export function commentWords(text: string): readonly string[] {
  return text
    .replace(/^-+\s*/, '')
    .split(/\s+/)
    .map((word) => `-- ${word.replace(/-{4,}$/, '----')}`)
    .filter((word) => word !== '-- ')
}
