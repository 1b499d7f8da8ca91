/** Cuts PostgreSQL SQL into tokens. Comments hang on the token that follows them. */

type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'dollar'
  | 'number'
  | 'operator'
  | 'punctuation'
  | 'directive'
  | 'other'
  | 'end'

export interface Comment {
  readonly text: string
  /** A blank line comes before it. */
  readonly blank: boolean
}

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Where it begins in the source. */
  readonly at: number
  /** What keywords are compared by: lower case of a word, the sign of an operator, nothing of a literal. */
  readonly key: string
  /** Nothing is between it and the token before. */
  readonly glued: boolean
  /** A blank line comes before it, below its comments. */
  readonly blank: boolean
  /** Comments on the lines above it. */
  comments: readonly Comment[]
  /** Of a semicolon: the comment behind it on its line. */
  trailing: string | null
}

interface Rule {
  readonly kind: TokenKind | 'blank' | 'comment'
  readonly pattern: RegExp
}

const NAME = 'A-Za-z_\\u0080-\\uffff'
const RULES: readonly Rule[] = [
  { kind: 'blank', pattern: /\s+/y },
  { kind: 'comment', pattern: /--[^\n]*/y },
  { kind: 'directive', pattern: /#(?:variable_conflict|option|print_strict_params)\b[^\n;]*/y },
  { kind: 'string', pattern: /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y },
  { kind: 'string', pattern: /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'/y },
  { kind: 'quoted', pattern: /(?:[uU]&)?"(?:[^"]|"")*"/y },
  { kind: 'dollar', pattern: new RegExp(`(\\$(?:[${NAME}][${NAME}0-9]*)?\\$)[\\s\\S]*?\\1`, 'y') },
  { kind: 'number', pattern: /\$\d+/y },
  {
    kind: 'number',
    pattern: /0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y,
  },
  { kind: 'word', pattern: new RegExp(`[${NAME}][${NAME}0-9$]*`, 'y') },
  { kind: 'operator', pattern: /::|:=|\.\.|:/y },
  { kind: 'operator', pattern: /(?:(?!--|\/\*)[+\-*/<>=~!@#%^&|`?])+/y },
  { kind: 'punctuation', pattern: /[()[\],;.]/y },
]

/** An operator of several signs ends with + or - only if one of ~ ! @ # % ^ & | ` ? is in it. */
function operatorAt(text: string): string {
  let end = text.length
  while (end > 1 && /[+-]$/.test(text.slice(0, end)) && !/[~!@#%^&|`?]/.test(text.slice(0, end))) end -= 1
  return text.slice(0, end)
}

/** Block comments nest. */
function blockCommentAt(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const pair = text.slice(at, at + 2)
    if (pair === '/*') depth += 1
    else if (pair === '*/') depth -= 1
    else continue
    at += 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}

function pieceAt(text: string, at: number): { readonly kind: Rule['kind']; readonly text: string } {
  if (text.startsWith('/*', at)) return { kind: 'comment', text: blockCommentAt(text, at) }
  for (const { kind, pattern } of RULES) {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found === undefined) continue
    return { kind, text: kind === 'operator' ? operatorAt(found) : found }
  }
  // What is never closed reaches to the end.
  return /['"$]/.test(text.charAt(at))
    ? { kind: 'other', text: text.slice(at).trimEnd() }
    : { kind: 'other', text: text.charAt(at) }
}

const LITERALS: ReadonlySet<TokenKind> = new Set(['string', 'dollar', 'quoted', 'number', 'other', 'end'])

class Lexer {
  readonly tokens: Token[] = []
  private readonly comments: Comment[] = []
  private space = '\n'
  /** Where the statement or line begins that a comment at the end of the line belongs to. */
  private lineStart = 0

  read(text: string): readonly Token[] {
    for (let at = 0; at < text.length; ) {
      const piece = pieceAt(text, at)
      if (piece.kind === 'blank') this.space += piece.text
      else if (piece.kind === 'comment') this.addComment(piece.text.trimEnd())
      else this.addToken(piece.kind, piece.kind === 'directive' ? piece.text.trimEnd() : piece.text, at)
      at += piece.text.length
    }
    this.addToken('end', '', text.length)
    return this.tokens
  }

  private blankLine(): boolean {
    return /\n[^\S\n]*\n/.test(this.space)
  }

  private addComment(text: string): void {
    const before = this.tokens.at(-1)
    const owner = this.tokens[this.lineStart]
    if (this.space.includes('\n') || before === undefined || owner === undefined || this.comments.length > 0)
      this.comments.push({ text, blank: this.blankLine() })
    else if (before.key === ';' && text.startsWith('--')) before.trailing = text
    else owner.comments = [...owner.comments, { text, blank: false }]
    this.space = ''
  }

  private addToken(kind: TokenKind, text: string, at: number): void {
    const before = this.tokens.at(-1)
    const fresh = this.space.includes('\n') || this.comments.length > 0
    if (kind === 'string' && before?.kind === 'string' && fresh && this.comments.length === 0) {
      // The line break between two strings makes them one.
      this.tokens[this.tokens.length - 1] = { ...before, text: `${before.text}${this.space}${text}` }
      this.space = ''
      return
    }
    if (fresh || before?.key === ';') this.lineStart = this.tokens.length
    this.tokens.push({
      kind,
      text,
      at,
      key: LITERALS.has(kind) ? '' : text.toLowerCase(),
      glued: this.space === '' && this.comments.length === 0,
      blank: this.blankLine(),
      comments: this.comments.splice(0),
      trailing: null,
    })
    this.space = ''
  }
}

/** The tokens of a text; the last one, of kind `end`, holds the comments that nothing follows. */
export function lex(text: string): readonly Token[] {
  return new Lexer().read(text)
}

/** Statements with the semicolon that ends each; inside `begin atomic … end` a semicolon ends none. */
export function splitStatements(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const statements: Token[][] = []
  let current: Token[] = []
  let depth = 0
  let blocks = 0
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'end') break
    current.push(token)
    if (token.key === '(') depth += 1
    if (token.key === ')') depth = Math.max(0, depth - 1)
    if (token.key === 'atomic' && tokens[at - 1]?.key === 'begin') blocks += 1
    else if (token.key === 'case' && blocks > 0) blocks += 1
    else if (token.key === 'end' && blocks > 0) blocks -= 1
    if (token.key !== ';' || depth > 0 || blocks > 0) continue
    statements.push(current)
    current = []
  }
  if (current.length > 0) statements.push(current)
  return statements
}

export interface Body {
  readonly at: number
  readonly tag: string
  readonly text: string
  readonly language: 'sql' | 'plpgsql'
}

/** The body of a function or of a `do` block, if it is written in a language that is known here. */
export function bodyOf(statement: readonly Token[]): Body | null {
  const first = statement[0]?.key
  if (first !== 'create' && first !== 'do') return null
  const named = statement.findIndex((token) => token.key === 'language')
  const language = named < 0 ? (first === 'do' ? 'plpgsql' : '') : (statement[named + 1]?.key ?? '')
  if (language !== 'sql' && language !== 'plpgsql') return null
  const at = statement.findIndex(
    (token, index) =>
      token.kind === 'dollar' &&
      (statement[index - 1]?.key === 'as' || statement[index - 1]?.key === 'do' || index === named + 2),
  )
  const token = statement[at]
  if (token === undefined) return null
  const tag = /^\$[^$]*\$/.exec(token.text)?.[0] ?? '$$'
  return { at, tag, text: token.text.slice(tag.length, -tag.length), language }
}
