import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PoolTimeoutFault, ShareFault, UnavailableFault } from './database.ts'
import { keyOf, strangerAt } from '#server/share.ts'
import { FairQueue, type Shares, sharesOf } from './fair-queue.ts'

/** Enters once per name, '' being the server itself, and records in which order they were served. */
function line(queue: FairQueue) {
  const served: string[] = []
  const refused: unknown[] = []
  return {
    served,
    refused,
    async ask(...names: string[]) {
      for (const name of names) {
        queue.enter(name === '' ? undefined : name).then(
          () => served.push(name),
          (fault: unknown) => refused.push(fault),
        )
      }
      await sleep(0)
    },
    async done(...names: string[]) {
      for (const name of names) {
        queue.leave(name === '' ? undefined : name)
        await sleep(0)
      }
    },
  }
}
const queueOf = (places: number, more: Partial<Shares> = {}) => new FairQueue(sharesOf(places, more))

describe('shares', () => {
  test('one person holds half of the places, all persons together leave one to the server itself', async () => {
    const { ask, served } = line(queueOf(8))
    await ask(...'aaaaaaaa', ...'bbbbbbbb')
    expect(served.join('')).toBe('aaaabbb')
    await ask('', '', '')
    expect(served.join('')).toBe('aaaabbb')
  })

  test('a share is one for all that a person does, at screens and behind them', async () => {
    const queue = queueOf(8, { waitingPerPerson: 2 })
    for (let nr = 0; nr < 3; nr++) expect(queue.tryEnter('a', 'long')).toBe(true)
    expect(queue.tryEnter('a')).toBe(true)
    expect([queue.tryEnter('a'), queue.tryEnter('a', 'long')]).toEqual([false, false])
    const waiting = [queue.enter('a'), queue.enter('a', 'long')]
    await expect(queue.enter('a')).rejects.toThrow(ShareFault)
    await expect(queue.enter('a', 'long')).rejects.toThrow(ShareFault)
    expect(queue.tryEnter('b')).toBe(true)
    queue.leave('a', 'long')
    expect([queue.working, queue.waiting]).toEqual([5, 1])
    queue.leave('a')
    await Promise.all(waiting)
  })

  test('a place that is kept is free when the server wants it', async () => {
    const { ask, served, done } = line(queueOf(8))
    await ask(...'aaaabbbbcccc', '')
    expect(served.join('')).toBe('aaaabbb')
    await done('a')
    expect(served.at(-1)).not.toBe('a')
  })

  test('with one place and with two everybody may have one', async () => {
    for (const places of [1, 2]) {
      const { ask, served } = line(queueOf(places))
      await ask(...'aabb')
      expect(served.length).toBe(places)
      expect(new Set(served).size).toBe(places)
    }
  })

  test('alone, the server itself may have all', async () => {
    const { ask, served } = line(queueOf(4))
    await ask('', '', '', '', '')
    expect(served.length).toBe(4)
  })
})

describe('turns', () => {
  test('go by person: who came late with one request is not behind the hundred of another', async () => {
    const queue = queueOf(2, { waitingPerPerson: 1000 })
    const { ask, served, done } = line(queue)
    await ask('a', 'b', ...'a'.repeat(100), 'c', 'd', 'c')
    expect(served.join('')).toBe('ab')
    await done('a', 'b')
    // a went, then c: nobody is served twice while others wait.
    expect(served.slice(2).join('')).toBe('ac')
    await done('c', 'a')
    expect(served.slice(4).join('')).toBe('da')
    await done('d', 'a')
    expect(served.slice(6).join('')).toBe('ca')
  })

  test("the server's own work goes first, and every second place is a person's", async () => {
    const { ask, served, done } = line(queueOf(1))
    await ask('a', 'b', 'c', '', '', '')
    for (const last of ['a', '', 'b', '', 'c']) await done(last)
    expect(served).toEqual(['a', '', 'b', '', 'c', ''])
  })

  test('within a person, requests keep their order', async () => {
    const queue = queueOf(1)
    const order: number[] = []
    await queue.enter('a')
    for (let nr = 0; nr < 5; nr++) void queue.enter('a').then(() => order.push(nr))
    for (let nr = 0; nr < 5; nr++) {
      queue.leave('a')
      await sleep(0)
    }
    expect(order).toEqual([0, 1, 2, 3, 4])
  })
})

describe('waiting', () => {
  test('is bounded for each person; another one still gets in', async () => {
    const { ask, served, refused, done } = line(queueOf(1, { waitingPerPerson: 3 }))
    await ask(...'aaaaaa', 'b')
    expect(refused.map((fault) => fault instanceof ShareFault)).toEqual([true, true])
    await done('a', 'a')
    expect(served.join('')).toContain('b')
  })

  test('is bounded: who has most loses the last to who has fewer, and nobody waits who was told to go', async () => {
    const queue = queueOf(1, { waitingPerPerson: 3, waiting: 4 })
    const { ask, refused } = line(queue)
    await ask(...'aaaa', ...'bb')
    expect(queue.waiting).toBe(4)
    expect(refused.length).toBe(1)
    expect(refused[0]).toBeInstanceOf(ShareFault)
    await ask('c', 'd')
    expect(refused.map((fault) => fault instanceof ShareFault)).toEqual([true, true, true])
    await ask('e')
    expect(queue.waiting).toBe(4)
    expect(refused.at(-1)).toBeInstanceOf(UnavailableFault)
  })

  test('ends after the time that was promised, for each who waits', async () => {
    const queue = queueOf(1, { waitMs: 50 })
    await queue.enter('a')
    const ends = await Promise.allSettled(['a', 'b', undefined].map((person) => queue.enter(person)))
    expect(ends.map((end) => end.status === 'rejected' && end.reason instanceof PoolTimeoutFault)).toEqual([
      true,
      true,
      true,
    ])
    expect(queue.waiting).toBe(0)
    queue.leave('a')
    expect(queue.tryEnter('b')).toBe(true)
  })

  test('ends for all at once when nobody can be served', async () => {
    const queue = queueOf(1)
    await queue.enter('a')
    const ends = Promise.allSettled(['a', 'b', undefined].map((person) => queue.enter(person)))
    queue.rejectAll(new UnavailableFault('away'))
    expect((await ends).every(({ status }) => status === 'rejected')).toBe(true)
    expect([queue.waiting, queue.working]).toEqual([0, 1])
  })
})

describe('within a share', () => {
  const KEYS = Array.from({ length: 50 }, (_, nr) => keyOf('a', nr + 1))

  test('a human has one, whatever they sign in with', async () => {
    const { ask, served } = line(queueOf(8))
    await ask('a', 'a', 'a', 'a', ...KEYS, 'b', 'b', 'b')
    expect(served).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b'])
  })

  test('all keys together leave a place to the screen of their owner', async () => {
    const queue = queueOf(8)
    const { ask, served } = line(queue)
    await ask(...KEYS)
    expect(served.length).toBe(3)
    expect([queue.tryEnter('b'), queue.tryEnter('a'), queue.tryEnter('a')]).toEqual([true, true, false])
  })

  test('the screen and the keys take turns, and the share counts as one among persons', async () => {
    const [one = '', two = ''] = KEYS
    const { ask, served, done } = line(queueOf(1, { waitingPerPerson: 20 }))
    await ask('x', one, one, one, one, two, two, 'a', 'a', 'b', 'b', 'b', 'b')
    for (let nr = 0; nr < 12; nr++) await done(served.at(-1) ?? '')
    expect(served.slice(1)).toEqual(['a', 'b', one, 'b', 'a', 'b', two, 'b', one, two, one, one])
  })

  test("a key's flood takes no place to wait from its owner's screen, nor from another key", async () => {
    const queue = queueOf(2, { waitingPerPerson: 8, waitMs: 60_000 })
    const [one = '', two = ''] = KEYS
    const { ask, refused } = line(queue)
    await ask('x', 'y', ...Array<string>(12).fill(one))
    expect(refused.length).toBe(4)
    await ask('a', two, 'a', two)
    expect([refused.length, queue.waiting]).toEqual([8, 8])
    await ask('a')
    expect(refused.length).toBe(9)
    // Nobody has more than one more than the screen: now it is its own share that is full.
    await ask('a')
    expect(refused.every((fault) => fault instanceof ShareFault)).toBe(true)
    expect([refused.length, queue.waiting]).toEqual([10, 8])
  })
})

describe('those without an account', () => {
  const net = (nr: number) => strangerAt(`192.0.${nr >> 8}.${nr & 255}`)
  const NETS = Array.from({ length: 400 }, (_, nr) => net(nr))

  test('have a quarter of the places together, and people the others', async () => {
    const queue = queueOf(8, { waitMs: 60_000 })
    const { ask, served } = line(queue)
    await ask(...NETS)
    expect(served.length).toBe(2)
    expect(queue.waiting).toBe(256)
    await ask(...'aaaa', ...'bb')
    expect(served.slice(2).join('')).toBe('aaaab')
    expect(queue.tryEnter(undefined)).toBe(true)
  })

  test('take turns by network, and one that floods loses its place to wait to another', async () => {
    const queue = queueOf(4, { waitMs: 60_000 })
    const { ask, served, refused, done } = line(queue)
    await ask(...Array<string>(400).fill(net(1)))
    expect([served.length, queue.waiting, refused.length]).toEqual([1, 256, 143])
    expect(refused.every((fault) => fault instanceof ShareFault)).toBe(true)
    await ask(net(2))
    expect(refused.length).toBe(144)
    await done(net(1), net(1))
    expect(served.slice(1)).toEqual([net(1), net(2)])
  })

  test('are let in however many people there are, and delay none of them', async () => {
    const queue = queueOf(4, { waitMs: 60_000 })
    const people = Array.from({ length: 100 }, (_, nr) => `person ${nr}`)
    const { ask, served, done } = line(queue)
    await ask(...people, net(1), net(1), net(1))
    await done('person 0')
    expect(served.at(-1)).toBe(net(1))
    await done('person 1', 'person 2')
    expect(served.slice(4)).toEqual(['person 3', 'person 4'])
  })
})

test('after any course of events nobody is left waiting beside a free place, and nothing is remembered', async () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 40; round++) {
    const queue = queueOf(1 + random(9), { waitingPerPerson: 5, waiting: 20, waitMs: 60_000 })
    const names = [
      undefined,
      'a',
      'b',
      keyOf('a', 1),
      keyOf('a', 2),
      strangerAt('192.0.2.1'),
      strangerAt('::1'),
    ]
    const work = async (person: string | undefined) => {
      await queue.enter(person)
      await sleep(random(3))
      queue.leave(person)
    }
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => work(names[random(names.length)])))
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(10)
    expect([queue.working, queue.waiting]).toEqual([0, 0])
  }
})
