/** The statements of a PL/pgSQL body as a tree. */
import type { Token } from './sql-tokens.ts'

/** What begins with its own words and holds statements: `if … then`, `else`, `begin`, `loop` … */
export interface Part {
  readonly head: readonly Token[]
  readonly body: readonly Statement[]
}

/** A plain statement has no parts; its tokens are those up to the semicolon. */
export interface Statement {
  readonly parts: readonly Part[]
  readonly end: readonly Token[]
}

const LOOPS: ReadonlySet<string> = new Set(['loop', 'for', 'foreach', 'while'])
const STOPS: ReadonlySet<string> = new Set(['end', 'else', 'elsif', 'elseif', 'exception', 'when', 'begin'])

class BlockReader {
  private at = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  readAll(): readonly Statement[] {
    const statements: Statement[] = []
    while (this.key() !== null) statements.push(this.statement())
    return statements
  }

  private key(offset = 0): string | null {
    const token = this.tokens[this.at + offset]
    return token === undefined || token.kind === 'end' ? null : token.key
  }

  /** Up to and with the word, outside of brackets and of `case … end`. */
  private through(...words: readonly string[]): Token[] {
    const start = this.at
    let depth = 0
    for (let key = this.key(); key !== null; key = this.key()) {
      this.at += 1
      if (depth === 0 && words.includes(key) && this.at - 1 > start - (key === 'loop' ? 1 : 0)) break
      if (key === '(' || key === '[') depth += 1
      if (key === 'case' && this.at - 1 > start && this.key(-2) !== 'end') depth += 1
      if (key === ')' || key === ']' || (key === 'end' && depth > 0)) depth = Math.max(0, depth - 1)
    }
    return this.tokens.slice(start, this.at)
  }

  private statements(stops: ReadonlySet<string>): readonly Statement[] {
    const statements: Statement[] = []
    for (let key = this.key(); key !== null && !stops.has(key); key = this.key()) {
      statements.push(this.statement())
    }
    return statements
  }

  private part(...words: readonly string[]): Part {
    const head = this.through(...words)
    return { head, body: this.statements(STOPS_INSIDE) }
  }

  private one(): Token[] {
    this.at += 1
    return this.tokens.slice(this.at - 1, this.at)
  }

  private statement(): Statement {
    const token = this.tokens[this.at]
    const key = this.key() ?? ''
    if (token?.kind === 'directive' || (key === 'end' && this.key(1) === null))
      return { parts: [], end: this.one() }
    if (key === '<<') return { parts: [], end: this.through('>>') }
    if (key === 'declare' || key === 'begin') return this.block()
    if (key === 'if') return this.branches('then')
    if (key === 'case') return this.cases()
    if (LOOPS.has(key)) return { parts: [this.part('loop')], end: this.through(';') }
    return { parts: [], end: this.through(';') }
  }

  private block(): Statement {
    const parts: Part[] = []
    while (this.key() === 'declare') {
      parts.push({ head: this.one(), body: this.statements(new Set(['begin', 'declare', 'end'])) })
    }
    if (this.key() === 'begin') parts.push({ head: this.one(), body: this.statements(STOPS_INSIDE) })
    if (this.key() === 'exception') parts.push({ head: this.one(), body: [] })
    while (this.key() === 'when') parts.push(this.part('then'))
    return { parts, end: this.through(';') }
  }

  private branches(word: string): Statement {
    const parts: Part[] = [this.part(word)]
    while (['elsif', 'elseif'].includes(this.key() ?? '')) parts.push(this.part(word))
    if (this.key() === 'else') parts.push({ head: this.one(), body: this.statements(STOPS_INSIDE) })
    return { parts, end: this.through(';') }
  }

  private cases(): Statement {
    const start = this.at
    this.at += 1
    while (this.key() !== null && this.key() !== 'when') this.at += 1
    const parts: Part[] = [{ head: this.tokens.slice(start, this.at), body: [] }]
    while (this.key() === 'when') parts.push(this.part('then'))
    if (this.key() === 'else') parts.push({ head: this.one(), body: this.statements(STOPS_INSIDE) })
    return { parts, end: this.through(';') }
  }
}

/** A `begin` within begins a separate block. */
const STOPS_INSIDE: ReadonlySet<string> = new Set([...STOPS].filter((word) => word !== 'begin'))

export function readBlocks(tokens: readonly Token[]): readonly Statement[] {
  return new BlockReader(tokens).readAll()
}

export function firstToken(statement: Statement): Token | undefined {
  return statement.parts[0]?.head[0] ?? statement.end[0]
}
