// Parses the PostgreSQL protocol messages that come back from the embedded engine.
import type { Exchange, Field } from './exchange.ts'
import type { ServerError } from './faults.ts'

/** Calls `visit` for each message; false if the bytes do not add up to whole messages. */
export function eachMessage(
  bytes: Uint8Array,
  visit: (code: number, start: number, end: number) => void,
): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at + 5 <= bytes.length) {
    const end = at + 1 + view.getInt32(at + 1)
    if (end > bytes.length || end < at + 5) return false
    visit(bytes[at] as number, at + 5, end)
    at = end
  }
  return at === bytes.length
}

const [BIND, COMPLETE, EMPTY, FAILED, READY, NOTICE, PARAMETER] = [0x32, 0x43, 0x49, 0x45, 0x5a, 0x4e, 0x53]
const NOTIFIED = 0x41

export interface Tally {
  readonly failed: boolean
  /** False: the engine violated the protocol, and nothing it said can be trusted. */
  readonly sound: boolean
}

/**
 * The protocol guard: every bind is confirmed, every execute ends in a completion or a real error, and one
 * ready message closes the exchange. `steps` null: a script, whose number of statements is not known.
 */
export function tallyAnswers(bytes: Uint8Array, steps: number | null): Tally {
  let [binds, completes, errors, readies, afterError] = [0, 0, 0, 0, 0]
  let last = 0
  const whole = eachMessage(bytes, (code) => {
    // Sent beside the answer, also after its end.
    if (code === NOTIFIED) return
    last = code
    if (errors > 0 && code !== READY && code !== NOTICE && code !== PARAMETER) afterError++
    if (code === BIND) binds++
    else if (code === COMPLETE || code === EMPTY) completes++
    else if (code === FAILED) errors++
    else if (code === READY) readies++
  })
  const failed = errors > 0
  // After an error PGlite sends ready twice: at once, and for the sync.
  const closed = whole && last === READY && afterError === 0 && (readies === 1 || (failed && readies === 2))
  if (steps === null) return { failed, sound: closed && (failed || completes > 0) }
  const counted = failed
    ? completes < steps && (binds === completes || binds === completes + 1)
    : completes === steps && binds === steps
  return { failed, sound: closed && counted }
}

export interface Heard {
  readonly channel: string
  readonly message: string
}

/** What NOTIFY has sent to the channels that this session listens to. */
export function findHeard(bytes: Uint8Array): Heard[] {
  const found: Heard[] = []
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  eachMessage(bytes, (code, start, end) => {
    if (code !== NOTIFIED) return
    // After the sender's process id: channel and message, each ended by a zero.
    const channelEnd = buffer.indexOf(0, start + 4)
    found.push({
      channel: buffer.toString('utf8', start + 4, channelEnd),
      message: buffer.toString('utf8', channelEnd + 1, end - 1),
    })
  })
  return found
}

/** Passes the messages to the exchange, as a pg client does. */
export function deliver(bytes: Uint8Array, exchange: Exchange): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  eachMessage(bytes, (code, start, end) => {
    if (code === 0x44) exchange.handleDataRow({ fields: readRow(buffer, start) })
    else if (code === 0x54) exchange.handleRowDescription({ fields: readFields(buffer, start) })
    else if (code === COMPLETE)
      exchange.handleCommandComplete({ text: buffer.toString('utf8', start, end - 1) })
    else if (code === EMPTY) exchange.handleEmptyQuery()
    else if (code === FAILED) exchange.handleError(readError(buffer, start))
    else if (code === READY) exchange.handleReadyForQuery()
  })
}

/** The error of an answer, if there is one. */
export function findError(bytes: Uint8Array): (Error & ServerError) | null {
  let found: (Error & ServerError) | null = null
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  eachMessage(bytes, (code, start) => {
    if (code === FAILED && found === null) found = readError(buffer, start)
  })
  return found
}

function readRow(buffer: Buffer, start: number): (string | null)[] {
  const fields: (string | null)[] = []
  let at = start + 2
  for (let left = buffer.readUInt16BE(start); left > 0; left--) {
    const size = buffer.readInt32BE(at)
    at += 4
    fields.push(size < 0 ? null : buffer.toString('utf8', at, at + size))
    if (size > 0) at += size
  }
  return fields
}

function readFields(buffer: Buffer, start: number): Field[] {
  const fields: Field[] = []
  let at = start + 2
  for (let i = buffer.readUInt16BE(start); i > 0; i--) {
    const end = buffer.indexOf(0, at)
    fields.push({ name: buffer.toString('utf8', at, end), dataTypeID: buffer.readUInt32BE(end + 7) })
    at = end + 19
  }
  return fields
}

const ERROR_FIELDS: Record<string, keyof ServerError> = {
  V: 'severity',
  C: 'code',
  M: 'message',
  D: 'detail',
  H: 'hint',
  c: 'column',
  n: 'constraint',
  R: 'routine',
}

function readError(buffer: Buffer, start: number): Error & ServerError {
  const fields: { -readonly [name in keyof ServerError]: ServerError[name] } = {
    severity: 'ERROR',
    code: 'XX000',
    message: '',
  }
  for (let at = start; buffer[at] !== 0; ) {
    const end = buffer.indexOf(0, at)
    const name = ERROR_FIELDS[String.fromCharCode(buffer[at] as number)]
    if (name !== undefined) fields[name] = buffer.toString('utf8', at + 1, end)
    at = end + 1
  }
  const { message, ...rest } = fields
  return Object.assign(new Error(message), rest)
}
