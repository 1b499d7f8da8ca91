// Messages of the PostgreSQL protocol (version 3) that we send: one buffer per exchange, written at once.

/** Collects messages of the extended protocol. Grows as needed; a new one is made for each exchange. */
export class Outgoing {
  #buffer = Buffer.allocUnsafe(2048)
  #at = 0

  parse(name: string, text: string): void {
    const start = this.#open(0x50)
    this.#terminated(name)
    this.#terminated(text)
    this.#int16(0)
    this.#seal(start)
  }

  /** Unnamed portal; answers as text. A Uint8Array is sent as bytes, everything else as text. */
  bind(name: string, values: readonly (string | Uint8Array | null)[]): void {
    const start = this.#open(0x42)
    this.#terminated('')
    this.#terminated(name)
    const binary = values.some((value) => value instanceof Uint8Array)
    this.#int16(binary ? values.length : 0)
    if (binary) for (const value of values) this.#int16(value instanceof Uint8Array ? 1 : 0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(0)
    this.#seal(start)
  }

  describe(): void {
    const start = this.#open(0x44)
    this.#byte(0x50)
    this.#terminated('')
    this.#seal(start)
  }

  execute(): void {
    const start = this.#open(0x45)
    this.#terminated('')
    this.#int32(0)
    this.#seal(start)
  }

  /** Drops a prepared statement; a missing one is not an error. */
  closeStatement(name: string): void {
    const start = this.#open(0x43)
    this.#byte(0x53)
    this.#terminated(name)
    this.#seal(start)
  }

  /** A simple query: several statements in one text. */
  query(text: string): void {
    const start = this.#open(0x51)
    this.#terminated(text)
    this.#seal(start)
  }

  sync(): void {
    this.#seal(this.#open(0x53))
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at)
  }

  #need(size: number): void {
    if (this.#at + size <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + size))
    this.#buffer.copy(larger, 0, 0, this.#at)
    this.#buffer = larger
  }

  #open(code: number): number {
    this.#need(5)
    this.#buffer[this.#at] = code
    this.#at += 5
    return this.#at - 4
  }

  #seal(start: number): void {
    this.#buffer.writeInt32BE(this.#at - start, start)
  }

  #byte(value: number): void {
    this.#need(1)
    this.#buffer[this.#at++] = value
  }

  #int16(value: number): void {
    this.#need(2)
    this.#at = this.#buffer.writeUInt16BE(value, this.#at)
  }

  #int32(value: number): void {
    this.#need(4)
    this.#at = this.#buffer.writeInt32BE(value, this.#at)
  }

  #terminated(text: string): void {
    // A NUL would end the text early on the other side, and the rest would be read as the next field.
    if (text.includes('\0')) throw new TypeError('SQL text must not contain NUL')
    this.#need(bytesOf(text) + 1)
    this.#at += this.#buffer.write(text, this.#at, 'utf8')
    this.#buffer[this.#at++] = 0
  }

  #value(value: string | Uint8Array | null): void {
    if (value === null) return this.#int32(-1)
    if (typeof value !== 'string') {
      this.#int32(value.length)
      this.#need(value.length)
      this.#buffer.set(value, this.#at)
      this.#at += value.length
      return
    }
    this.#need(bytesOf(value) + 4)
    const size = this.#buffer.write(value, this.#at + 4, 'utf8')
    this.#buffer.writeInt32BE(size, this.#at)
    this.#at += size + 4
  }
}

/** Enough bytes for the text; counted exactly where three bytes per letter would be excessive. */
const bytesOf = (text: string): number => (text.length < 4096 ? text.length * 3 : Buffer.byteLength(text))
