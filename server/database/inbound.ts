// Checks what PostgreSQL sends before the driver stores it: the size of an answer, and the kinds and lengths
// of messages. The driver collects a message of any length into one text, and a text longer than V8 allows
// throws inside a listener, which ends the process.
import { AnswerTooLargeFault } from './database.ts'
import { ProtocolError } from './exchange.ts'

const [ERROR, NOTICE, NOTIFICATION, PARAMETER, ROW, COPY_DATA] = [0x45, 0x4e, 0x41, 0x53, 0x44, 0x64]

/** Applies whatever is expected: half of the longest string in V8. */
const LONGEST_ROW = 2 ** 28
/** Maximum length by message code; codes not listed here are unknown to the driver too. */
const LONGEST = new Map<number, number>([
  // The first three are not kept whole; rows have their own limit.
  ...[ERROR, NOTICE, NOTIFICATION, ROW, COPY_DATA].map((code) => [code, 2 ** 31 - 1] as const),
  // Authentication, parameter status, row description (1,664 columns at most), parameter description,
  // responses to copy and replication.
  ...[0x52, PARAMETER, 0x54, 0x74, 0x47, 0x48, 0x57].map((code) => [code, 2 ** 20] as const),
  // Cancellation key, end of a command, ready.
  ...[0x4b, 0x43, 0x5a].map((code) => [code, 1024] as const),
  // Parse, bind and close complete, no data, portal suspended, empty query, end of copy.
  ...[0x31, 0x32, 0x33, 0x6e, 0x73, 0x49, 0x63].map((code) => [code, 4] as const),
])
/** PostgreSQL limits the text of NOTIFY to 8000 bytes; the name of the channel is added. */
const LONGEST_NOTIFICATION = 2 ** 14
/** Most connections read none of them, and a loop of RAISE NOTICE sends any number. */
const UNREAD = new Set([NOTICE, NOTIFICATION, PARAMETER])

/** Extra bytes that a row costs once it is an object, however small it is. */
const ROW_OVERHEAD = 64
/** Limit for each part of an error (message, detail, hint …), which may quote a whole row. */
const ERROR_PART = 64 * 2 ** 10
const ERROR_PARTS = 32

export interface InboundOptions {
  /** Messages of NOTIFY are read. */
  readonly notifications?: boolean
}

export class Inbound {
  readonly #pass: (bytes: Buffer) => void
  readonly #notifies: boolean
  /** The first five bytes of a message, when a packet ends among them. */
  readonly #header = Buffer.alloc(5)
  #headerBytes = 0
  /** Bytes of the current message that are still to come, and who gets them. */
  #left = 0
  #error: ShortenedError | null = null
  /** Of a notification that is read. */
  #notification: Buffer[] | null = null
  #unread = false
  #limit = Number.POSITIVE_INFINITY
  #count = 0

  constructor(pass: (bytes: Buffer) => void, { notifications = false }: InboundOptions = {}) {
    this.#pass = pass
    this.#notifies = notifications
  }

  /** Starts an answer of at most this many bytes. */
  expect(limit: number): void {
    this.#limit = limit
    this.#count = 0
  }

  /** Throws AnswerTooLargeFault or ProtocolError; after that it must not be called again. */
  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) at = this.#continue(chunk, at)
      else if (this.#headerBytes > 0 || chunk.length - at < 5) at = this.#readHeader(chunk, at)
      else at = this.#readMessages(chunk, at)
    }
  }

  /** Consecutive whole messages are passed on together; the last one may be incomplete. */
  #readMessages(chunk: Buffer, from: number): number {
    let at = from
    while (chunk.length - at >= 5) {
      const code = chunk[at] as number
      const length = chunk.readUInt32BE(at + 1)
      this.#admit(code, length)
      if (code === ERROR || UNREAD.has(code)) {
        if (at > from) this.#pass(chunk.subarray(from, at))
        this.#begin(code, length)
        return at + 5
      }
      at += 1 + length
      if (at > chunk.length) this.#left = at - chunk.length
    }
    const end = Math.min(at, chunk.length)
    if (end > from) this.#pass(chunk.subarray(from, end))
    return end
  }

  #readHeader(chunk: Buffer, at: number): number {
    const taken = Math.min(5 - this.#headerBytes, chunk.length - at)
    chunk.copy(this.#header, this.#headerBytes, at, at + taken)
    this.#headerBytes += taken
    if (this.#headerBytes < 5) return at + taken
    this.#headerBytes = 0
    const code = this.#header[0] as number
    const length = this.#header.readUInt32BE(1)
    this.#admit(code, length)
    // Copied, because the driver keeps what it gets until the message is complete.
    if (!this.#begin(code, length)) this.#pass(Buffer.from(this.#header))
    return at + taken
  }

  /** True if the driver does not get the message unchanged. */
  #begin(code: number, length: number): boolean {
    this.#left = length - 4
    this.#notification = code === NOTIFICATION && this.#notifies ? [] : null
    this.#unread = UNREAD.has(code) && this.#notification === null
    this.#error = code === ERROR ? new ShortenedError() : null
    const isHeld = this.#unread || this.#error !== null || this.#notification !== null
    if (this.#left === 0) this.#end()
    return isHeld
  }

  #continue(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#left)
    const bytes = chunk.subarray(at, end)
    this.#left -= bytes.length
    if (this.#error !== null) this.#error.add(bytes)
    else if (this.#notification !== null) this.#notification.push(Buffer.from(bytes))
    else if (!this.#unread) this.#pass(bytes)
    if (this.#left === 0) this.#end()
    return end
  }

  #end(): void {
    const error = this.#error
    const notification = this.#notification
    this.#error = null
    this.#notification = null
    this.#unread = false
    if (error !== null) this.#pass(error.message())
    if (notification !== null) this.#pass(wholeNotification(Buffer.concat(notification)))
  }

  /** Refuses a message as soon as it is announced, not once it has arrived. */
  #admit(code: number, length: number): void {
    const longest = LONGEST.get(code)
    if (longest === undefined) throw new ProtocolError(`an unknown message (${code})`)
    const most = code === NOTIFICATION && this.#notifies ? LONGEST_NOTIFICATION : longest
    if (length < 4 || length > most) throw new ProtocolError(`a message (${code}) of ${length} bytes`)
    this.#count += length + (code === ROW ? ROW_OVERHEAD : 0)
    if (this.#count > this.#limit) throw new AnswerTooLargeFault(this.#limit)
    if (length > LONGEST_ROW && (code === ROW || code === COPY_DATA))
      throw new AnswerTooLargeFault(LONGEST_ROW)
  }
}

/**
 * Process, channel and text; the driver never returns from one whose texts do not end. @throws ProtocolError
 */
function wholeNotification(body: Buffer): Buffer {
  const channelEnd = body.indexOf(0, 4)
  const textEnd = channelEnd < 0 ? -1 : body.indexOf(0, channelEnd + 1)
  if (textEnd < 0) throw new ProtocolError('a notification without an end')
  const header = Buffer.of(NOTIFICATION, 0, 0, 0, 0)
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

/**
 * An error message, each part cut at its limit. Rebuilt in any case: the driver never returns from one that
 * does not end as it should.
 */
class ShortenedError {
  readonly #pieces: Buffer[] = []
  #parts = 0
  /** Bytes of the current part, its letter included; 0 between two parts. */
  #size = 0
  #closed = false

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && !this.#closed; ) {
      if (this.#size === 0 && (bytes[at] === 0 || this.#parts === ERROR_PARTS)) {
        this.#closed = true
        return
      }
      if (this.#size === 0) this.#parts++
      const zero = bytes.indexOf(0, at)
      const end = zero < 0 ? bytes.length : zero
      const taken = Math.min(end - at, ERROR_PART - this.#size)
      if (taken > 0) this.#pieces.push(Buffer.from(bytes.subarray(at, at + taken)))
      this.#size = Math.min(ERROR_PART, this.#size + end - at)
      if (zero >= 0) this.#endPart()
      at = end + 1
    }
  }

  message(): Buffer {
    if (this.#size > 0) this.#endPart()
    const body = Buffer.concat([...this.#pieces, Buffer.of(0)])
    const header = Buffer.of(ERROR, 0, 0, 0, 0)
    header.writeUInt32BE(body.length + 4, 1)
    return Buffer.concat([header, body])
  }

  #endPart(): void {
    this.#pieces.push(Buffer.of(0))
    this.#size = 0
  }
}
