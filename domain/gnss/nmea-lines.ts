// Sentences of NMEA 0183 in a stream of bytes: cut in any way, with binary messages or noise between them. Nothing
// that arrives makes it keep more than one sentence.

export interface Sentence {
  /** GP, GN, GA, … */
  readonly talker: string
  /** GGA, RMC, … */
  readonly kind: string
  readonly fields: readonly string[]
}
/** What arrived so far; shows whether the speed of the line is right. */
export interface LineCounts {
  readonly bytes: number
  readonly sentences: number
  /** Sentences with a wrong or no checksum, too long ones, and broken-off ones. */
  readonly broken: number
}

/** The standard says 82 characters; receivers with more decimals send up to 120. */
const LONGEST = 200
const DOLLAR = 0x24
const STAR = 0x2a
const LF = 0x0a
const CR = 0x0d
const SENTENCE = /^([A-Z]{2})([A-Z]{3}),(.*)\*([0-9A-Fa-f]{2})[ ]*$/

export class NmeaLines {
  readonly #line = new Uint8Array(LONGEST)
  /** Length of the sentence that began; -1 between sentences. */
  #length = -1
  #bytes = 0
  #sentences = 0
  #broken = 0

  get counts(): LineCounts {
    return { bytes: this.#bytes, sentences: this.#sentences, broken: this.#broken }
  }

  /** The sentences that end in these bytes. */
  *push(bytes: Uint8Array): Generator<Sentence> {
    this.#bytes += bytes.length
    for (const byte of bytes) {
      if (byte === DOLLAR) {
        if (this.#length >= 0) this.#broken++
        this.#length = 0
      } else if (this.#length < 0) continue
      else if (byte === LF || byte === CR) {
        const sentence = this.#sentenceHere()
        this.#length = -1
        if (sentence === null) this.#broken++
        else {
          this.#sentences++
          yield sentence
        }
      } else if (byte < 0x20 || byte > 0x7e || this.#length === LONGEST) {
        this.#broken++
        this.#length = -1
      } else this.#line[this.#length++] = byte
    }
  }

  #sentenceHere(): Sentence | null {
    const bytes = this.#line.subarray(0, this.#length)
    const text = String.fromCharCode(...bytes)
    const [, talker, kind, data, said] = SENTENCE.exec(text) ?? []
    if (talker === undefined || kind === undefined || data === undefined || said === undefined) return null
    let sum = 0
    for (const byte of bytes.subarray(0, bytes.lastIndexOf(STAR))) sum ^= byte
    return sum === Number.parseInt(said, 16) ? { talker, kind, fields: data.split(',') } : null
  }
}
