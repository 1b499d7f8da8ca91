// The words of an expression in $filter: literals, names and signs.
import { Refusal } from '#server/errors.ts'

export type Word =
  | { readonly kind: 'name' | 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'literal'; readonly of: LiteralKind; readonly text: string; readonly at: number }

export type LiteralKind = 'string' | 'int' | 'decimal' | 'date' | 'moment' | 'time' | 'guid'

const CLOCK = String.raw`([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,12})?)?`
const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const GUID = String.raw`[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`
/** A plus that the client did not encode arrives as a blank. */
const ZONE = String.raw`(?:Z|z|[+ -]\d{2}:\d{2})`
const STRING = String.raw`'(?:[^']|'')*'`

/** In this order: a day begins like a number. */
const FORMS: readonly (readonly [LiteralKind | 'name' | 'sign' | 'old', RegExp])[] = [
  // As OData 2 and 3 wrote them; Excel's older queries still have them.
  ['old', new RegExp(`(datetimeoffset|datetime|date|time|guid)(${STRING})`, 'y')],
  ['string', new RegExp(STRING, 'y')],
  ['guid', new RegExp(`${GUID}(?![\\w-])`, 'y')],
  ['moment', new RegExp(`${DAY}[Tt]${CLOCK}${ZONE}?(?![\\w:])`, 'y')],
  ['date', new RegExp(`${DAY}(?![\\w:-])`, 'y')],
  ['time', new RegExp(`${CLOCK}(?![\\w:])`, 'y')],
  [
    'decimal',
    /-?\d+(?:\.\d+(?:[eE][+-]?\d{1,3})?|[eE][+-]?\d{1,3})[mMdDfF]?(?![\w.])|-?\d+[mMdDfF](?![\w.])/y,
  ],
  ['int', /-?\d+[lL]?(?![\w.])/y],
  ['name', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['sign', /[(),/]|-(?=[\s(\p{L}])/uy],
]

const unquoted = (text: string): string => text.slice(1, -1).replaceAll("''", "'")
const moment = (text: string): string => {
  const written = text.toUpperCase().replace(/ (?=\d{2}:\d{2}$)/, '+')
  return /(?:Z|[+-]\d{2}:\d{2})$/.test(written) ? written : `${written}Z`
}

function literalOf(of: LiteralKind, text: string, at: number): Word {
  switch (of) {
    case 'string':
      return { kind: 'literal', of, text: unquoted(text), at }
    case 'moment':
      return { kind: 'literal', of, text: moment(text), at }
    case 'int':
    case 'decimal':
      return { kind: 'literal', of, text: text.replace(/[a-zA-Z]$/, ''), at }
    default:
      return { kind: 'literal', of, text, at }
  }
}

const OLD: Readonly<Record<string, LiteralKind>> = {
  datetime: 'moment',
  datetimeoffset: 'moment',
  date: 'date',
  time: 'time',
  guid: 'guid',
}

function oldLiteral(text: string, at: number): Word {
  const quote = text.indexOf("'")
  const of = OLD[text.slice(0, quote)]
  const inner = unquoted(text.slice(quote))
  const day = of === 'moment' && new RegExp(`^${DAY}$`).test(inner) ? `${inner}T00:00:00` : inner
  const word = wordsOf(day)
  const [only] = word
  if (of === undefined || word.length !== 1 || only?.kind !== 'literal' || only.of !== of)
    throw unreadable(`„${text}“ ist keine Angabe, die sich lesen lässt.`, at)
  return { ...only, at }
}

export const unreadable = (what: string, at: number): Refusal =>
  new Refusal('bad_filter', `$filter, Zeichen ${at + 1}: ${what}`)

export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let at = 0
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++
    if (at >= text.length) return words
    const start = at
    const found = FORMS.map(([kind, form]) => {
      form.lastIndex = start
      return [kind, form.exec(text)?.[0]] as const
    }).find(([, match]) => match !== undefined)
    const [kind, match = ''] = found ?? []
    if (kind === undefined) throw unreadable(`„${text[start]}“ passt hier nicht.`, start)
    if (kind === 'name' || kind === 'sign') words.push({ kind, text: match, at: start })
    else words.push(kind === 'old' ? oldLiteral(match, start) : literalOf(kind, match, start))
    at += match.length
  }
}
