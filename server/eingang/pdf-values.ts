// The values of a PDF, as far as they are needed to find its attachments (ISO 32000-1, 7.3).

export interface PdfRef {
  readonly ref: number
}
export type PdfTable = ReadonlyMap<string, PdfValue>
/** Names begin with "/"; strings are bytes in Latin-1. */
export type PdfValue = string | number | boolean | null | PdfRef | PdfTable | readonly PdfValue[]

export const isTable = (value: PdfValue | undefined): value is PdfTable => value instanceof Map
export const isRef = (value: PdfValue | undefined): value is PdfRef =>
  typeof value === 'object' && value !== null && 'ref' in value

/** It is not what the standard describes; nobody tries to guess. */
export class PdfSyntaxError extends Error {
  override readonly name = 'PdfSyntaxError'
}

const MOST_DEPTH = 60
const BLANK = /[\0\t\n\f\r ]/
const REGULAR = /[^\0\t\n\f\r ()<>[\]{}/%]/
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

export class PdfScanner {
  readonly #text: string
  at: number
  constructor(text: string, at = 0) {
    this.#text = text
    this.at = at
  }

  /** @throws PdfSyntaxError */
  value(depth = 0): PdfValue {
    if (depth > MOST_DEPTH) throw new PdfSyntaxError('too deep')
    this.#skipBlanks()
    const sign = this.#text[this.at] ?? ''
    if (sign === '/') return this.#name()
    if (sign === '(') return this.#literal()
    if (this.#text.startsWith('<<', this.at)) return this.#table(depth)
    if (sign === '<') return this.#hex()
    if (sign === '[') return this.#list(depth)
    return this.#word()
  }

  /** Whether the next word is this one; it is taken then. */
  takes(word: string): boolean {
    this.#skipBlanks()
    if (!this.#text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  #skipBlanks(): void {
    for (;;) {
      while (BLANK.test(this.#text[this.at] ?? 'x')) this.at += 1
      if (this.#text[this.at] !== '%') return
      while (this.at < this.#text.length && !/[\r\n]/.test(this.#text[this.at]!)) this.at += 1
    }
  }

  #regular(): string {
    const start = this.at
    while (this.at < this.#text.length && REGULAR.test(this.#text[this.at]!)) this.at += 1
    return this.#text.slice(start, this.at)
  }

  #name(): string {
    this.at += 1
    const raw = this.#regular()
    return `/${raw.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`
  }

  #word(): PdfValue {
    const word = this.#regular()
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) throw new PdfSyntaxError(`no value at ${this.at}`)
    const reference = /^\d{1,10}$/.test(word)
      ? /^[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![A-Za-z0-9])/.exec(this.#text.slice(this.at, this.at + 40))
      : null
    if (reference === null) return Number(word)
    this.at += reference[0].length
    return { ref: Number(word) }
  }

  #table(depth: number): PdfTable {
    this.at += 2
    const found = new Map<string, PdfValue>()
    while (!this.takes('>>')) {
      const key = this.value(depth + 1)
      if (typeof key !== 'string' || !key.startsWith('/')) throw new PdfSyntaxError('no name')
      found.set(key.slice(1), this.value(depth + 1))
    }
    return found
  }

  #list(depth: number): PdfValue[] {
    this.at += 1
    const found: PdfValue[] = []
    while (!this.takes(']')) found.push(this.value(depth + 1))
    return found
  }

  #hex(): string {
    const end = this.#text.indexOf('>', this.at)
    if (end === -1) throw new PdfSyntaxError('open string')
    const digits = this.#text.slice(this.at + 1, end).replaceAll(/[^0-9A-Fa-f]/g, '')
    this.at = end + 1
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1')
  }

  #literal(): string {
    let depth = 1
    let found = ''
    for (this.at += 1; this.at < this.#text.length; this.at += 1) {
      const sign = this.#text[this.at]!
      if (sign === '\\') {
        this.at += 1
        const next = this.#text[this.at] ?? ''
        const octal = /^[0-7]{1,3}/.exec(this.#text.slice(this.at, this.at + 3))?.[0]
        if (octal !== undefined) {
          found += String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
          this.at += octal.length - 1
        } else if (!/[\r\n]/.test(next)) found += ESCAPES[next] ?? next
        continue
      }
      if (sign === '(') depth += 1
      if (sign === ')') depth -= 1
      if (depth === 0) {
        this.at += 1
        return found
      }
      found += sign
    }
    throw new PdfSyntaxError('open string')
  }
}

/** A text string (7.9.2.2): UTF-16 or UTF-8 with a mark, otherwise close enough to Latin-1. */
export function pdfText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  const start = bytes.toString('hex', 0, 3)
  if (start.startsWith('feff')) return new TextDecoder('utf-16be').decode(bytes)
  if (start.startsWith('fffe')) return new TextDecoder('utf-16le').decode(bytes)
  return start === 'efbbbf' ? new TextDecoder().decode(bytes) : value
}
