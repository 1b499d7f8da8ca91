// How long the parts of one request took, for the header Server-Timing.
import type { AnswerHeaders } from './outcome.ts'

export class Timing {
  #since = performance.now()
  readonly #parts: string[] = []

  /** Ends a part; the next one begins. */
  mark(part: 'jwt' | 'parse' | 'plan' | 'transaction'): void {
    const now = performance.now()
    this.#parts.push(`${part};dur=${(now - this.#since).toFixed(1)}`)
    this.#since = now
  }

  writeTo(headers: AnswerHeaders): void {
    headers['Server-Timing'] = this.#parts.join(', ')
  }
}
