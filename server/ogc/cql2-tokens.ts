// The words, numbers and signs of a filter in CQL2 Text.
import { Refusal } from '#server/errors.ts'

type Kind = 'word' | 'quoted' | 'text' | 'number' | 'sign' | 'end'
export interface Token {
  readonly kind: Kind
  readonly text: string
  readonly at: number
}

const TOKEN =
  // A quoted name, a text, a number, a word or a sign; what is between them is blank.
  new RegExp(
    [
      String.raw`\s+`,
      String.raw`"((?:[^"]|"")*)"`,
      String.raw`'((?:[^'\\]|''|\\.)*)'`,
      String.raw`([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`,
      String.raw`([\p{L}_][\p{L}\p{N}_.:]*)`,
      '(<=|>=|<>|[=<>(),])',
    ].join('|'),
    'uy',
  )

/** @throws Refusal 400 where no token begins */
export function* tokensOf(text: string): Generator<Token> {
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null) throw faultAt(at, text)
    const [, quoted, string, number, word, sign] = match
    if (quoted !== undefined) yield { kind: 'quoted', text: quoted.replaceAll('""', '"'), at }
    else if (string !== undefined) yield { kind: 'text', text: string.replaceAll(/''|\\'/g, "'"), at }
    else if (number !== undefined) yield { kind: 'number', text: number, at }
    else if (word !== undefined) yield { kind: 'word', text: word, at }
    else if (sign !== undefined) yield { kind: 'sign', text: sign, at }
  }
  yield { kind: 'end', text: '', at: text.length }
}

export const faultAt = (at: number, text: string): Refusal =>
  new Refusal(
    'bad_filter',
    at >= text.length
      ? 'filter: Der Filter endet zu früh.'
      : `filter: Ab Zeichen ${at + 1} ist das kein CQL2-Text: ${text.slice(at, at + 20)}`,
  )
