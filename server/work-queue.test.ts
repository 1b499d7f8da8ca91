import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { silentLog } from './log.ts'
import { declareScope } from './route-caller.ts'
import { keyOf } from './share.ts'
import { closeReaders, READER_LIMITS, readersRunning } from './reader/confined.ts'
import { runReader } from './reader/run-reader.ts'
import { CrowdedRefusal, createWorkQueue, goneSignal, type Shares } from './work-queue.ts'

const shares = (more: Partial<Shares> = {}) => {
  const lane = { atOnce: 2, perPerson: 1, waiting: 100, waitingPerPerson: 10, ...more }
  return { long: lane, short: lane, tile: lane, map: lane }
}

/** Work that ends on command; records what runs. */
function bench(more: Partial<Shares> = {}) {
  const queue = createWorkQueue(shares(more))
  const running: string[] = []
  const order: string[] = []
  const ends = new Map<string, () => void>()
  let most = 0
  const ask = (name: string, person: string, signal?: AbortSignal) =>
    queue.run('long', { person, signal }, async () => {
      running.push(name)
      order.push(name)
      most = Math.max(most, running.length)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      running.splice(running.indexOf(name), 1)
      return name
    })
  const end = async (name: string): Promise<void> => {
    ends.get(name)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, running, order, ask, end, most: () => most }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('one queue of work', () => {
  test('a person has one at a time, however much is free; two persons work beside each other', async () => {
    const { ask, running, end, most } = bench()
    const all = [ask('a1', 'a'), ask('a2', 'a'), ask('b1', 'b')]
    await settle()
    expect(running).toEqual(['a1', 'b1'])
    await end('a1')
    expect(running).toEqual(['b1', 'a2'])
    await end('b1')
    await end('a2')
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1'])
    expect(most()).toBe(2)
  })
  test('persons come in turn: who asked for ten does not come ten times before who asked for one', async () => {
    const { ask, order, end } = bench({ atOnce: 1 })
    const all = [...Array.from({ length: 5 }, (_, i) => ask(`a${i}`, 'a')), ask('b', 'b'), ask('c', 'c')]
    await settle()
    for (const name of ['a0', 'b', 'c', 'a1', 'a2', 'a3', 'a4']) await end(name)
    await Promise.all(all)
    expect(order).toEqual(['a0', 'b', 'c', 'a1', 'a2', 'a3', 'a4'])
  })
  test('beyond what may wait it is refused at once, to the one whose share is full and to nobody else', async () => {
    const { ask, end } = bench({ atOnce: 1, waitingPerPerson: 2, waiting: 4 })
    const taken = [ask('a0', 'a'), ask('a1', 'a'), ask('a2', 'a')]
    await expect(ask('a3', 'a')).rejects.toThrow(CrowdedRefusal)
    await expect(ask('a3', 'a')).rejects.toMatchObject({ status: 429, code: 'too_many_requests' })
    taken.push(ask('b0', 'b'), ask('c0', 'c'))
    await expect(ask('d0', 'd')).rejects.toThrow('beschäftigt')
    await settle()
    for (const name of ['a0', 'b0', 'c0', 'a1', 'a2']) await end(name)
    expect(await Promise.all(taken)).toHaveLength(5)
  })
  test('a human has one share with all keys, in which keys and the screen take turns', async () => {
    const { ask, order, end, most } = bench({ atOnce: 2 })
    const [one, two] = [keyOf('a', 1), keyOf('a', 2)]
    const all = [ask('1', one), ask('2', one), ask('3', one), ask('4', two), ask('own', 'a'), ask('5', 'a')]
    await settle()
    for (const name of ['1', 'own', '2', '5', '4', '3']) await end(name)
    expect(await Promise.all(all)).toHaveLength(6)
    expect(order).toEqual(['1', 'own', '2', '5', '4', '3'])
    expect(most()).toBe(1)
  })
  test("a key's flood takes no place to wait from its owner's screen", async () => {
    const { ask, end } = bench({ atOnce: 1, waitingPerPerson: 3 })
    const key = keyOf('a', 1)
    const flood = ['1', '2', '3', '4'].map((name) => ask(name, key))
    const ends = Promise.allSettled(flood)
    await expect(ask('5', key)).rejects.toThrow(CrowdedRefusal)
    const own = ask('own', 'a')
    // Nobody has more than one more: now it is the screen's own share that is full.
    await expect(ask('more', 'a')).rejects.toThrow(CrowdedRefusal)
    await settle()
    for (const name of ['1', 'own', '2', '3']) await end(name)
    expect(await own).toBe('own')
    expect((await ends).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
  })
  test('who goes away while waiting loses the place, and the next one comes', async () => {
    const { ask, end, order } = bench({ atOnce: 1 })
    const gone = new AbortController()
    const first = ask('a', 'a')
    const second = ask('b', 'b', gone.signal)
    const third = ask('c', 'c')
    await settle()
    gone.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    await end('a')
    await end('c')
    await Promise.all([first, third])
    expect(order).toEqual(['a', 'c'])
  })
  test('what fails gives its turn on', async () => {
    const { queue } = bench({ atOnce: 1 })
    for (let i = 0; i < 5; i++)
      await expect(queue.run('long', { person: 'a' }, () => Promise.reject(new Error('no')))).rejects.toThrow(
        'no',
      )
    expect(await queue.run('long', { person: 'a' }, () => Promise.resolve(1))).toBe(1)
  })
  test('work within work has its turn already', async () => {
    const { queue } = bench({ atOnce: 1 })
    expect(
      await queue.run('long', { person: 'a' }, () =>
        queue.run('long', { person: 'a' }, () => queue.run('short', {}, () => Promise.resolve(1))),
      ),
    ).toBe(1)
  })
  test('one kind does not wait for another', async () => {
    const { queue, ask, end } = bench({ atOnce: 1 })
    const long = ask('a', 'a')
    expect(await queue.run('short', { person: 'a' }, () => Promise.resolve(1))).toBe(1)
    await end('a')
    await long
  })
  test('a turn may be given up before it came, and twice', async () => {
    const { queue, ask, end } = bench({ atOnce: 1 })
    const first = ask('a', 'a')
    const turn = queue.admit('long', { person: 'b' })
    expect(turn.waits).toBe(true)
    turn.release()
    turn.release()
    await expect(turn.come).rejects.toThrow()
    await settle()
    await end('a')
    await first
    expect(await queue.run('long', { person: 'c' }, () => Promise.resolve(1))).toBe(1)
  })
})

describe('asked for over HTTP', () => {
  const BUSY = new URL('./reader/busy-reader.fixture.ts', import.meta.url)
  let folder: string
  let app: FastifyInstance
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'work-'))
    const work = createWorkQueue(shares({ waitingPerPerson: 2 }))
    app = await createApp({
      config: readConfig({ DATA_DIR: folder }),
      log: silentLog,
      authenticate: () => Promise.reject(new Error('nobody signs in here')),
      installs: [
        (web) => {
          declareScope(web, 'anyone')
          web.get('/endless/:person', async (request, reply) => {
            const signal = goneSignal(reply)
            return work.run(
              'long',
              { person: (request.params as { person: string }).person, signal },
              async () => {
                for await (const _message of runReader(BUSY, {}, { limits: READER_LIMITS, signal }));
              },
            )
          })
          web.get('/quick/:person', (request) =>
            work.run('long', { person: (request.params as { person: string }).person }, () =>
              Promise.resolve({ done: true }),
            ),
          )
        },
      ],
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    await closeReaders()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const address = (path: string): string =>
    `http://localhost:${(app.server.address() as AddressInfo).port}${path}`
  /** A client that hangs up on command. */
  const ask = (path: string) => {
    const request = get(address(path))
    request.on('error', () => undefined)
    return { hangUp: () => request.destroy() }
  }

  test('beyond its share a person is told when to come; another is served; who hangs up makes room', async () => {
    const first = ask('/endless/a')
    await expect.poll(readersRunning).toBe(1)
    const second = ask('/endless/a')
    const third = ask('/endless/a')
    await expect
      .poll(async () => {
        const answer = await fetch(address('/quick/a'), { signal: AbortSignal.timeout(2_000) }).catch(
          () => null,
        )
        return answer === null
          ? null
          : [
              answer.status,
              answer.headers.get('retry-after'),
              ((await answer.json()) as { code: string }).code,
            ]
      })
      .toEqual([429, '15', 'too_many_requests'])
    expect(await (await fetch(address('/quick/b'))).json()).toEqual({ done: true })
    expect(readersRunning()).toBe(1)
    for (const client of [second, third, first]) client.hangUp()
    await expect.poll(readersRunning).toBe(0)
    expect(await (await fetch(address('/quick/a'))).json()).toEqual({ done: true })
  })
})
