// Reads a file of settings as systemd reads `EnvironmentFile=`, so that the operator's commands have the settings of
// the service. After systemd's src/basic/env-file.c.

export interface ServiceSettings {
  readonly settings: Readonly<Record<string, string>>
  /** Lines that systemd passes over, or reads otherwise from version to version. */
  readonly ignored: readonly string[]
}

const isBlank = (sign: string): boolean => ' \t\r\n'.includes(sign)
const isEnd = (sign: string): boolean => sign === '\n' || sign === '\r'
const NAME = /^[A-Za-z_]\w*$/

export function parseServiceSettings(text: string): ServiceSettings {
  const settings: Record<string, string> = {}
  const ignored: string[] = []
  const reader = new Reader(text)
  while (!reader.isDone) {
    reader.skipBlanks()
    if (reader.isDone) break
    if ('#;'.includes(reader.sign)) {
      const comment = reader.readLine()
      if (comment.endsWith('\\')) ignored.push(`a comment that ends with a backslash: ${comment}`)
      continue
    }
    const name = reader.readName()
    // Its value is not printed: it may be a password.
    if (name === null) continue
    const value = reader.readValue()
    if (NAME.test(name)) settings[name] = value
    else ignored.push(`no name of a setting: ${name}`)
  }
  return { settings, ignored }
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length
  }

  get sign(): string {
    return this.#text[this.#at] ?? ''
  }

  skipBlanks(): void {
    while (!this.isDone && isBlank(this.sign)) this.#at++
  }

  readLine(): string {
    const from = this.#at
    while (!this.isDone && !isEnd(this.sign)) this.#at++
    return this.#text.slice(from, this.#at)
  }

  /** Null on a line without an equals sign. */
  readName(): string | null {
    const from = this.#at
    while (!this.isDone && !isEnd(this.sign) && this.sign !== '=') this.#at++
    if (this.sign !== '=') return null
    return this.#text.slice(from, this.#at++).trimEnd()
  }

  /** Quoted and unquoted parts, up to the end of the line; quotes count only where a part begins. */
  readValue(): string {
    let value = ''
    for (;;) {
      while (!this.isDone && isBlank(this.sign) && !isEnd(this.sign)) this.#at++
      if (this.isDone || isEnd(this.sign)) return value
      if (this.sign === "'") value += this.#readQuoted("'")
      else if (this.sign === '"') value += this.#readQuoted('"')
      else return value + this.#readPlain()
    }
  }

  #readQuoted(quote: "'" | '"'): string {
    let value = ''
    for (this.#at++; !this.isDone && this.sign !== quote; this.#at++) {
      if (quote === "'" || this.sign !== '\\') {
        value += this.sign
        continue
      }
      const escaped = this.#text[++this.#at] ?? ''
      if ('"\\`$'.includes(escaped)) value += escaped
      else if (escaped !== '\n') value += `\\${escaped}`
    }
    this.#at++
    return value
  }

  #readPlain(): string {
    let value = ''
    /** Length up to the last sign that is no blank at the end. */
    let length = 0
    for (; !this.isDone && !isEnd(this.sign); this.#at++) {
      const isEscaped = this.sign === '\\'
      if (isEscaped) this.#at++
      if (this.isDone || !isEscaped || !isEnd(this.sign)) value += this.sign
      if (isEscaped || !isBlank(this.sign)) length = value.length
    }
    return value.slice(0, length)
  }
}
