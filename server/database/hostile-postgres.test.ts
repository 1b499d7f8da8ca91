// A server on a real socket that breaks every rule of the protocol: each request ends in a fault, nothing
// ends the process, and the pool goes on.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { AnswerTooLargeFault, type Database, DatabaseFault } from './database.ts'
import { Inbound } from './inbound.ts'
import { createPostgresDatabase } from './postgres.ts'
import { createOwnerConnection } from './postgres-owner.ts'

const message = (code: string, body: Buffer | string = '', announced?: number): Buffer => {
  const bytes = Buffer.from(body)
  const header = Buffer.from([code.charCodeAt(0), 0, 0, 0, 0])
  header.writeUInt32BE(announced ?? bytes.length + 4, 1)
  return Buffer.concat([header, bytes])
}
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (value: number): Buffer => int32(value).subarray(2)
const READY = message('Z', 'I')
const WELCOME = Buffer.concat([
  message('R', int32(0)),
  message('K', Buffer.concat([int32(1), int32(2)])),
  READY,
])
const column = (name: string) =>
  Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)])
const description = message('T', Buffer.concat([int16(1), column('a')]))
const row = (text: string) => message('D', Buffer.concat([int16(1), int32(text.length), Buffer.from(text)]))
const failure = (...fields: string[]) => message('E', fields.map((field) => `${field}\0`).join('') + '\0')
const REFUSED = failure('SERROR', 'VERROR', 'C42P01', 'Mno such table')
const GOOD = Buffer.concat([
  // The answer to begin, context, statement and commit.
  ...['BEGIN', 'SELECT 1'].flatMap((tag) => [message('1'), message('2'), message('C', `${tag}\0`)]),
  message('1'),
  message('2'),
  description,
  row('good'),
  message('C', 'SELECT 1\0'),
  message('1'),
  message('2'),
  message('C', 'COMMIT\0'),
  READY,
])
/** Up to the statement's rows. */
const BEGUN = Buffer.concat([
  ...['BEGIN', 'SELECT 1'].flatMap((tag) => [message('1'), message('2'), message('C', `${tag}\0`)]),
  message('1'),
  message('2'),
  description,
])

const PROCESS = Buffer.concat([description, row('1'), message('C', 'SELECT 1\0'), READY])

/** What the server sends, first to a new connection, then to each batch of messages; null: it hangs up. */
interface Script {
  readonly welcome?: Buffer | null
  readonly answer?: Buffer | null
  /** Sent before it starts to misbehave. */
  readonly first?: Buffer
}

const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)
beforeAll(() => {
  process.on('uncaughtExceptionMonitor', note)
  process.on('unhandledRejection', note)
})
afterAll(() => {
  process.off('uncaughtExceptionMonitor', note)
  process.off('unhandledRejection', note)
  expect(uncaught).toEqual([])
})

/** Each connection takes the next script; without one the server follows the protocol. */
class Hostile {
  readonly scripts: Script[]
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  private constructor(scripts: readonly Script[]) {
    this.scripts = [...scripts]
    this.#server = createServer((socket) => this.#serve(socket))
  }

  static async start(...scripts: Script[]): Promise<Hostile> {
    const hostile = new Hostile(scripts)
    hostile.#server.listen(0, '127.0.0.1')
    await once(hostile.#server, 'listening')
    return hostile
  }

  get url(): string {
    const address = this.#server.address()
    return `postgres://x:y@127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/x`
  }

  open(): Database {
    return createPostgresDatabase({
      url: this.url,
      poolSize: 1,
      prepared: false,
      connectMs: 1_000,
      answerBytes: 2 ** 20,
      log: silentLog,
    })
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #serve(socket: Socket): void {
    const { welcome = WELCOME, answer = GOOD, first } = this.scripts.shift() ?? {}
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    const before = first === undefined ? [welcome] : [welcome, first]
    socket.on('data', () => {
      const said = before.length > 0 ? before.shift() : answer
      if (said === undefined) return
      if (said === null) socket.destroy()
      else socket.write(said)
    })
  }
}

const READ = { role: 'nutzer', readOnly: true, timeoutMs: 300 }
const QUESTION = { text: 'select a' }
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (fault: unknown) => fault,
  )
const read = (database: Database) => database.once(READ, QUESTION)

/**
 * Returns the fault of one request and checks that the next one is served: the fault is gone with its
 * connection.
 */
async function ends(script: Script, ask: (database: Database) => Promise<unknown> = read): Promise<unknown> {
  const server = await Hostile.start(script)
  const database = server.open()
  const fault = await faultOf(ask(database))
  expect((await database.once(READ, QUESTION)).rows).toEqual([{ a: 'good' }])
  await database.close()
  server.stop()
  return fault
}

test('a server that keeps the rules is understood', async () => {
  const server = await Hostile.start()
  const database = server.open()
  expect((await read(database)).rows).toEqual([{ a: 'good' }])
  await database.close()
  server.stop()
})

const HUGE = 2 ** 31 - 1
const ANSWERS: readonly (readonly [name: string, answer: Buffer | null])[] = [
  ['hangs up', null],
  ['sends text of another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['sends zeroes', Buffer.alloc(4096)],
  ['sends 0xff', Buffer.alloc(4096, 0xff)],
  ['sends an unknown message', message('q', 'what')],
  ['sends a message shorter than its length', message('C', '', 3)],
  ['announces 4 GB', message('D', '', 0xffff_ffff)],
  ['announces a huge row', Buffer.concat([BEGUN, message('D', 'x', HUGE)])],
  ['announces a huge description', message('T', 'x', HUGE)],
  ['announces a huge tag', message('C', 'x', HUGE)],
  ['announces a huge authentication', message('R', 'x', HUGE)],
  ['sends half a row and says nothing more', Buffer.concat([BEGUN, row('half').subarray(0, 9)])],
  ['sends half a header', Buffer.concat([BEGUN, Buffer.from('D')])],
  ['sends a row before its description', Buffer.concat([message('1'), message('2'), row('early'), READY])],
  [
    'sends a row of fewer columns than it says',
    Buffer.concat([BEGUN, message('D', Buffer.concat([int16(300), int32(4)])), READY]),
  ],
  ['sends a row of minus one columns', Buffer.concat([BEGUN, message('D', int16(-1)), READY])],
  ['sends an error in the middle of a row', Buffer.concat([BEGUN, row('x').subarray(0, 8), REFUSED, READY])],
  ['sends an error between rows', Buffer.concat([BEGUN, row('x'), REFUSED, READY])],
  ['sends an error without an end', Buffer.concat([message('E', 'SERROR\0Mnever ends'), READY])],
  ['sends an empty error', Buffer.concat([message('E'), READY])],
  ['sends an error and hangs on', REFUSED],
  ['says ready too early', Buffer.concat([BEGUN, row('x'), READY])],
  ['says ready twice', Buffer.concat([message('1'), READY, READY])],
  [
    'answers more than it was asked',
    Buffer.concat([BEGUN, ...Array.from({ length: 9 }, () => message('C', 'SELECT 1\0')), READY]),
  ],
  ['asks for a password in the middle', message('R', int32(5))],
  ['asks for an unknown proof', message('R', int32(77))],
  [
    'wants rows copied',
    Buffer.concat([message('G', Buffer.from([0, 0, 1, 0, 0])), message('G', Buffer.from([0]))]),
  ],
  [
    'copies rows out for ever',
    Buffer.concat([
      message('H', Buffer.from([0, 0, 0])),
      ...Array(40).fill(message('d', Buffer.alloc(2 ** 15))),
    ]),
  ],
  ['sends a description of minus one columns', Buffer.concat([message('1'), message('T', int16(-1)), READY])],
  [
    'sends a description that ends early',
    Buffer.concat([message('1'), message('T', Buffer.concat([int16(9), Buffer.from('a')])), READY]),
  ],
]
describe.concurrent('instead of an answer the server', () => {
  for (const [name, answer] of ANSWERS)
    test(name, async () => {
      expect(await ends({ answer })).toBeInstanceOf(DatabaseFault)
      expect(
        await ends({ answer }, (database) => database.once({ role: 'nutzer', timeoutMs: 300 }, QUESTION)),
      ).toBeInstanceOf(DatabaseFault)
      expect(
        await ends({ answer }, (database) =>
          database.transaction(READ, async (tx) => [await tx.query(QUESTION), await tx.query(QUESTION)]),
        ),
      ).toBeInstanceOf(DatabaseFault)
    }, 30_000)
})

const GREETINGS: readonly (readonly [name: string, welcome: Buffer | null])[] = [
  ['hangs up', null],
  ['says nothing', Buffer.alloc(0)],
  ['sends text of another protocol', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')],
  ['announces 2 GB', message('R', 'x', HUGE)],
  ['asks for an unknown proof', message('R', int32(99))],
  ['names no way to sign in', message('R', int32(10))],
  [
    'goes on with a sign-in that was not begun',
    message('R', Buffer.concat([int32(11), Buffer.from('r=1,s=2,i=3')])),
  ],
  ['refuses', failure('SFATAL', 'VFATAL', 'C28P01', 'Mno')],
  ['is full', failure('SFATAL', 'VFATAL', 'C53300', 'Mtoo many')],
  ['sends rows', row('x')],
  ['sends an error without an end', message('E', 'SFATAL\0M')],
]
describe.concurrent('at the beginning of a connection the server', () => {
  for (const [name, welcome] of GREETINGS)
    test(name, async () => {
      expect(await ends({ welcome })).toBeInstanceOf(DatabaseFault)
      const server = await Hostile.start({ welcome })
      expect(await faultOf(createOwnerConnection(server.url, { connectMs: 300 }))).toBeInstanceOf(
        DatabaseFault,
      )
      server.stop()
    }, 30_000)
})

describe.concurrent('the owner', () => {
  for (const [name, answer] of ANSWERS)
    test(`hears a fault when the server ${name}`, async () => {
      const server = await Hostile.start({ answer, first: PROCESS })
      const owner = await createOwnerConnection(server.url, { connectMs: 500, quietMs: 100 })
      // A server that is ready too often or too early has answered; any other has not.
      const told = await faultOf(owner.query('select a'))
      if (!/ready|more than/.test(name)) expect(told).toBeInstanceOf(DatabaseFault)
      await owner.close()
      server.stop()
    }, 30_000)
})

test('errors of many megabytes are cut, and the connection goes on', async () => {
  const long = 'x'.repeat(20 * 2 ** 20)
  const server = await Hostile.start({
    answer: Buffer.concat([
      failure('SERROR', 'VERROR', 'C22023', `M${long}`, `D${long}`, 'Htry less'),
      READY,
    ]),
  })
  const database = createPostgresDatabase({
    url: server.url,
    poolSize: 1,
    prepared: false,
    answerBytes: 64 * 2 ** 20,
    log: silentLog,
  })
  const fault = await faultOf(read(database))
  expect(fault).toMatchObject({ code: '22023', hint: 'try less' })
  expect((fault as DatabaseFault).message.length).toBeLessThan(70_000)
  expect((fault as DatabaseFault).detail?.length).toBeLessThan(70_000)
  await database.close()
  server.stop()
})

test('notices, notifications and new settings are passed over, and counted', async () => {
  const notice = message('N', 'SNOTICE\0C00000\0Mhello\0\0')
  const notification = message('A', Buffer.concat([int32(1), Buffer.from('a\0b\0')]))
  const setting = message('S', 'client_encoding\0UTF8\0')
  const server = await Hostile.start({ answer: Buffer.concat([notice, notification, setting, GOOD]) })
  const database = server.open()
  expect((await read(database)).rows).toEqual([{ a: 'good' }])
  await database.close()
  server.stop()
  expect(await ends({ answer: Buffer.concat(Array(50_000).fill(notice)) })).toBeInstanceOf(
    AnswerTooLargeFault,
  )
})

test('a row is refused when it is announced to be too large, rows when there are too many', async () => {
  expect(await ends({ answer: Buffer.concat([BEGUN, message('D', '', HUGE)]) })).toBeInstanceOf(
    AnswerTooLargeFault,
  )
  expect(await ends({ answer: Buffer.concat([BEGUN, ...Array(20_000).fill(row('x'))]) })).toBeInstanceOf(
    AnswerTooLargeFault,
  )
})

test('an answer means the same however it is cut into packets', () => {
  const notice = message('N', 'SNOTICE\0\0')
  const bytes = Buffer.concat([
    notice,
    BEGUN,
    notice,
    row('one'),
    REFUSED,
    notice,
    READY,
    message('E', 'SERROR'),
  ])
  const through = (size: number) => {
    const passed: Buffer[] = []
    const inbound = new Inbound((part) => void passed.push(Buffer.from(part)))
    for (let at = 0; at < bytes.length; at += size) inbound.take(bytes.subarray(at, at + size))
    return Buffer.concat(passed).toString('hex')
  }
  const whole = Buffer.concat([BEGUN, row('one'), REFUSED, READY, message('E', 'SERROR\0\0')]).toString('hex')
  for (let size = 1; size <= bytes.length; size++) expect(through(size)).toBe(whole)
})

/** Says nothing. */
const NOTHING = Buffer.alloc(0)
/** The process id that WELCOME has reported: no pooler. */
const SAME_PROCESS = Buffer.concat([
  message(
    'T',
    Buffer.concat([
      int16(1),
      Buffer.from('pid\0'),
      int32(0),
      int16(0),
      int32(23),
      int16(4),
      int32(-1),
      int16(0),
    ]),
  ),
  row('1'),
  message('C', 'SELECT 1\0'),
  READY,
])
const notification = (body: string) => message('A', Buffer.concat([int32(7), Buffer.from(body)]))
const HEARD = notification('pgrst\0reload schema\0')
const LISTENS: Script = {
  first: SAME_PROCESS,
  answer: Buffer.concat([message('C', 'LISTEN\0'), READY, HEARD]),
}

describe('the connection that listens', () => {
  const BROKEN: readonly (readonly [name: string, script: Script])[] = [
    ['says nothing after the greeting', { answer: NOTHING }],
    ['says nothing to LISTEN', { first: SAME_PROCESS, answer: NOTHING }],
    ['says nothing at all', { welcome: NOTHING }],
    ['sends an unknown message', { first: SAME_PROCESS, answer: message('q', 'what') }],
    ['sends zeroes', { first: SAME_PROCESS, answer: Buffer.alloc(4096) }],
    ['announces a huge notification', { first: SAME_PROCESS, answer: message('A', 'x', HUGE) }],
    ['sends a notification without an end', { first: SAME_PROCESS, answer: notification('pgrst') }],
    ['sends an empty notification', { first: SAME_PROCESS, answer: message('A') }],
  ]
  test.each(BROKEN)('%s: another one hears', async (_name, script) => {
    const server = await Hostile.start(script, LISTENS, LISTENS)
    const database = server.open()
    const heard: string[] = []
    database.listen?.('pgrst', (text) => void heard.push(text))
    await expect.poll(() => heard, { timeout: 8_000 }).toContain('reload schema')
    await database.close()
    server.stop()
  })
  test('what was heard arrives the same however it is cut into packets', () => {
    const notice = message('N', 'SNOTICE\0\0')
    const bytes = Buffer.concat([notice, HEARD, READY, notice, HEARD])
    for (let size = 1; size <= bytes.length; size++) {
      const passed: Buffer[] = []
      const inbound = new Inbound((part) => void passed.push(Buffer.from(part)), { notifications: true })
      for (let at = 0; at < bytes.length; at += size) inbound.take(bytes.subarray(at, at + size))
      expect(Buffer.concat(passed)).toEqual(Buffer.concat([HEARD, READY, HEARD]))
    }
  })
})

test('the owner finds the host that takes changes although another one says nothing when it is asked', async () => {
  const silent = await Hostile.start({ first: PROCESS, answer: NOTHING })
  const away = await Hostile.start({ first: PROCESS, answer: NOTHING })
  const address = silent.url.replace(/\/x$/, `,${new URL(away.url).host}/x`)
  const begun = performance.now()
  const fault = await faultOf(createOwnerConnection(address, { connectMs: 500 }))
  expect(fault).toBeInstanceOf(DatabaseFault)
  expect(performance.now() - begun).toBeLessThan(3_000)
  for (const server of [silent, away]) server.stop()
})
