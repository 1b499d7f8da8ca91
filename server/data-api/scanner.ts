// Reads one piece of query text from left to right; every refusal names the position.
import { type ApiFault, unreadableQuery } from './faults.ts'
import type { JsonPath, JsonStep } from './request.ts'

/** Characters that end an unquoted name, including all of the dialect's own signs. */
const NAME_END = /[,.:()"!*]|->/
/** Characters that end an unquoted key of a JSON path. */
const KEY_END = /[,.:()]|->/
/** An array literal of one dimension. */
const ARRAY = /\{[^{}]*\}(?=[,)])/y
const INDEX = /-?[0-9]{1,9}(?=->|::|[.,)]|$)/y

export class Scanner {
  readonly #text: string
  readonly #what: string
  #at: number

  constructor(text: string, what: string, at = 0) {
    this.#text = text
    this.#what = what
    this.#at = at
  }

  get done(): boolean {
    return this.#at >= this.#text.length
  }

  fail(expected: string): ApiFault {
    const found = this.done ? 'end of input' : `"${this.#text[this.#at]}"`
    return unreadableQuery(
      `"${this.#what} (${this.#text.slice(0, 80)})" (line 1, column ${this.#at + 1})`,
      `unexpected ${found}, expecting ${expected}`,
    )
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  /** Takes `text` if it comes next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.#at += text.length
    return true
  }

  need(text: string): void {
    if (!this.take(text)) throw this.fail(`"${text}"`)
  }

  /** Everything up to one of the characters (or the end). */
  until(ends: string): string {
    const start = this.#at
    while (!this.done && !ends.includes(this.#text[this.#at] as string)) this.#at++
    return this.#text.slice(start, this.#at)
  }

  rest(): string {
    const rest = this.#text.slice(this.#at)
    this.#at = this.#text.length
    return rest
  }

  /** "…" with \" and \\ inside. */
  quoted(): string {
    this.need('"')
    let value = ''
    for (;;) {
      const char = this.#text[this.#at]
      if (char === undefined) throw this.fail('the closing quote')
      this.#at++
      if (char === '"') return value
      if (char !== '\\') {
        value += char
        continue
      }
      const escaped = this.#text[this.#at]
      if (escaped === undefined) throw this.fail('a character after the backslash')
      this.#at++
      value += escaped
    }
  }

  /**
   * A name as it is in the catalogue: quoted, or up to the next sign of the dialect. Case is never folded.
   */
  name(expected: string): string {
    if (this.startsWith('"')) return this.quoted()
    const rest = this.#text.slice(this.#at)
    const end = rest.search(NAME_END)
    const raw = end === -1 ? rest : rest.slice(0, end)
    const name = raw.trim()
    if (name === '') throw this.fail(expected)
    this.#at += raw.length
    return name
  }

  /** What a sticky pattern matches here; null if it does not. */
  takeMatch(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) return null
    this.#at += found.length
    return found
  }

  skipBlank(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++
  }

  /** `->key`, `->0`, `->>key`; undefined if there is none. `count` is called for every step. */
  jsonPath(count: () => void): JsonPath | undefined {
    if (!this.startsWith('->')) return undefined
    const steps: JsonStep[] = []
    while (this.take('->')) {
      count()
      const text = this.take('>')
      const index = this.takeMatch(INDEX)
      steps.push({ key: index === null ? this.#key() : Number(index), text })
    }
    return steps
  }

  #key(): string {
    if (this.startsWith('"')) return this.quoted()
    const rest = this.#text.slice(this.#at)
    const end = rest.search(KEY_END)
    const raw = end === -1 ? rest : rest.slice(0, end)
    if (raw.trim() === '') throw this.fail('a key or an index')
    this.#at += raw.length
    return raw.trim()
  }

  /** A value inside brackets: quoted, or up to a comma or a closing bracket. */
  element(): string {
    if (!this.startsWith('"')) return this.until(',)')
    const start = this.#at
    const value = this.quoted()
    if (this.done || this.startsWith(',') || this.startsWith(')')) return value
    this.#at = start // the quotes are part of the text, as in "a"b
    return this.until(',)')
  }

  /** A value inside and(…) or or(…): also an array literal, with its commas. */
  operand(): string {
    return (this.startsWith('{') ? this.takeMatch(ARRAY) : null) ?? this.element()
  }
}
