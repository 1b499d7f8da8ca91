// The answer of a report to a client that accepts REPORT_STREAM: lines of progress, and then the file.
import { Readable } from 'node:stream'
import type { ReportLine } from '#contract/habitat-report.ts'

/** What is written here is read at the client's pace. */
export class ReportStream {
  readonly #pieces: Buffer[] = []
  #wake: (() => void) | null = null
  #isEnded = false

  write(line: ReportLine): void {
    this.writeBytes(Buffer.from(`${JSON.stringify(line)}\n`, 'utf8'))
  }

  writeBytes(bytes: Buffer): void {
    this.#pieces.push(bytes)
    this.#wake?.()
  }

  end(): void {
    this.#isEnded = true
    this.#wake?.()
  }

  readable(): Readable {
    return Readable.from(this.#read(), { objectMode: false })
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (;;) {
      for (let bytes = this.#pieces.shift(); bytes !== undefined; bytes = this.#pieces.shift()) yield bytes
      if (this.#isEnded) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = null
    }
  }
}
