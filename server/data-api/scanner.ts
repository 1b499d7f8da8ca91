// Reads one piece of query text from left to right; every refusal names the position.
import { type ApiFault, unreadableQuery } from './faults.ts'

/** Characters that end an unquoted name, including all of the dialect's own signs. */
const NAME_END = /[,.:()"!*]|->/

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

  /** A value inside brackets: quoted, or up to a comma or a closing bracket. */
  element(): string {
    return this.startsWith('"') ? this.quoted() : this.until(',)')
  }
}
