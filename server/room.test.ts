import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { createJob } from './job.ts'
import { createLog, silentLog } from './log.ts'
import { createHouse, openHouse, type Room } from './room.ts'

const GRACE_MS = 500
const settle = () => sleep(5)

/** Rooms that say when they end; each needs a moment for it. */
function noted() {
  const ended: string[] = []
  const room = (name: string, ms = 10): Room => ({
    name,
    close: async () => {
      ended.push(`${name} …`)
      await sleep(ms)
      ended.push(name)
    },
  })
  return { ended, room }
}

describe('the rooms of a server', () => {
  test('end in reverse of their start, one after the other; the ground ends last', async () => {
    const { ended, room } = noted()
    const house = createHouse(silentLog)
    house.addEntrance('requests', () => ended.push('requests'))
    house.addGround('database', () => ended.push('database'))
    for (const name of ['a', 'b', 'c']) house.add(room(name))
    expect(await house.end(GRACE_MS)).toEqual([])
    expect(ended).toEqual(['requests', 'c …', 'c', 'b …', 'b', 'a …', 'a', 'database'])
  })

  test('take nothing new from the first moment: requests and jobs end at once, before any room', async () => {
    const { ended, room } = noted()
    const house = createHouse(silentLog)
    const job = createJob({
      name: 'job',
      everyMs: 1,
      round: (signal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            ended.push('job')
            resolve()
          })
        }),
      onFault: () => undefined,
    })
    house.add({ ...room('a'), jobs: [job] })
    house.addEntrance('requests', async () => {
      await sleep(30)
      ended.push('requests')
    })
    house.startJobs()
    await sleep(30)
    await house.end(GRACE_MS)
    expect(ended).toEqual(['job', 'requests', 'a …', 'a'])
  })

  test('that had started end when a later one fails to', async () => {
    const { ended, room } = noted()
    const house = createHouse(silentLog)
    const opening = openHouse(house, { graceMs: GRACE_MS }, async () => {
      house.add(room('a'))
      house.add(room('b'))
      await settle()
      throw new Error('c does not start')
    })
    await expect(opening).rejects.toThrow('c does not start')
    expect(ended).toEqual(['b …', 'b', 'a …', 'a'])
  })

  test('end when the start is aborted; what is just starting gets the time to notice, and ends as well', async () => {
    const { ended, room } = noted()
    const house = createHouse(silentLog)
    const abort = new AbortController()
    const opening = openHouse(house, { graceMs: GRACE_MS, signal: abort.signal }, async () => {
      house.add(room('a'))
      await sleep(50)
      house.add(room('b'))
      abort.signal.throwIfAborted()
      house.add(room('c'))
    })
    abort.abort(new Error('no longer wanted'))
    await expect(opening).rejects.toThrow('no longer wanted')
    expect(ended).toEqual(['b …', 'b', 'a …', 'a'])
  })

  test('that fail to end, or hang, do not keep the others from it', async () => {
    const { ended, room } = noted()
    const lines: string[] = []
    const house = createHouse(
      createLog(
        (line) => lines.push(line),
        () => new Date(0),
      ),
    )
    house.addGround('database', () => ended.push('database'))
    house.add(room('a'))
    house.add({ name: 'hangs', close: () => new Promise(() => undefined) })
    house.add({ name: 'fails', close: () => Promise.reject(new Error('broken')) })
    house.add(room('b'))
    expect(await house.end(0)).toContain('hangs')
    expect(ended.filter((name) => !name.endsWith('…') || name === 'a …')).toEqual(['b', 'a …', 'database'])
    expect(lines.join('\n')).toContain('broken')
  })

  test('have jobs that go on when another one throws', async () => {
    const house = createHouse(silentLog)
    const done: string[] = []
    const job = (name: string, round: () => Promise<unknown>) =>
      createJob({ name, everyMs: 5, round, onFault: () => done.push(`${name} failed`) })
    const fails = job('one', () => Promise.reject(new Error('away')))
    const works = job('other', async () => done.push('other'))
    house.add({ name: 'room', jobs: [fails, works] })
    house.startJobs()
    await expect.poll(() => done.filter((one) => one === 'other').length).toBeGreaterThan(3)
    await expect.poll(() => done.filter((one) => one === 'one failed').length).toBeGreaterThan(3)
    await house.end(GRACE_MS)
  })

  test('have their routes below their prefix, in scopes of their own', async () => {
    const house = createHouse(silentLog)
    const says = (name: string): Room => ({
      name,
      routes: async (app) => {
        app.setErrorHandler((_error, _request, reply) => reply.send(`${name} failed`))
        app.get(`/${name}`, () => Promise.reject(new Error('away')))
      },
    })
    house.add(says('a'))
    house.add(says('b'), '/api')
    house.add({ name: 'without routes' })
    const app = fastify()
    await house.registerRoutes(app)
    expect((await app.inject('/a')).body).toBe('a failed')
    expect((await app.inject('/api/b')).body).toBe('b failed')
    await app.close()
  })

  test('name the procedures after which their jobs have work', () => {
    const house = createHouse(silentLog)
    const woken: string[] = []
    const job = (name: string, wokenBy?: readonly string[]) => ({
      ...createJob({
        name,
        everyMs: 1_000,
        round: () => Promise.resolve(),
        onFault: () => undefined,
        ...(wokenBy && { wokenBy }),
      }),
      wake: () => woken.push(name),
    })
    house.add({ name: 'a', jobs: [job('a', ['issue', 'send'])] })
    house.add({ name: 'b', jobs: [job('b', ['send']), job('c')] })
    const nudges = house.nudges()
    expect(Object.keys(nudges)).toEqual(['issue', 'send'])
    nudges['issue']?.()
    nudges['send']?.()
    expect(woken).toEqual(['a', 'a', 'b'])
  })
})
