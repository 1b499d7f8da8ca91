// What more is asked for than can be done is counted as what it is: refused at once, not waited for, and nothing that
// the database has done.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CrowdedFault, PoolTimeoutFault, ShareFault, UnavailableFault } from '#server/database/database.ts'
import { EngineQueue } from '#server/database/embedded-queue.ts'
import { FairQueue, sharesOf } from '#server/database/fair-queue.ts'
import { addObserver } from '#server/observe.ts'
import { endOfStatement } from '#server/statement-end.ts'
import { valueOf } from '../../db/test/watched-server.ts'
import { parseOpenMetrics } from '../../test/open-metrics.ts'
import { Backlog } from './backlog.ts'
import { createFigures, type Figures } from './metrics.ts'

let figures: Figures
let endObserving: () => void
beforeEach(() => {
  const backlog = new Backlog({ now: () => new Date(), folders: {}, dumps: false })
  figures = createFigures({ version: '0', engine: 'postgres' }, backlog)
  endObserving = addObserver(figures.observer)
})
afterEach(() => {
  endObserving()
  figures.close()
})

async function counted() {
  const read = parseOpenMetrics((await figures.read()).text)
  const of = (name: string) => valueOf(read, `forstkontor_${name}`, { queue: 'database' })
  return {
    waits: of('wait_seconds_count'),
    inVain: of('waits_in_vain_total'),
    refused: of('refused_places_total'),
  }
}

const faultOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((fault) => fault)

describe('the pool', () => {
  test('refuses at once, and lets others wait', async () => {
    const queue = new FairQueue(sharesOf(1, { waitingPerPerson: 2, waiting: 3, waitMs: 60_000 }))
    await queue.enter('anna')
    const waiting = [queue.enter('anna'), queue.enter('anna')]
    expect(await faultOf(queue.enter('anna'))).toBeInstanceOf(ShareFault)
    waiting.push(queue.enter('bert'))
    const displaced = faultOf(waiting[1]!)
    waiting.push(queue.enter('carl'))
    expect(await displaced).toBeInstanceOf(ShareFault)
    expect(await faultOf(queue.enter('dora'))).toBeInstanceOf(CrowdedFault)
    for (const who of ['anna', 'bert', 'anna', 'carl']) {
      queue.leave(who)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await Promise.resolve()
    }
    await Promise.allSettled(waiting)
    expect(await counted()).toEqual({ waits: 4, inVain: 0, refused: 3 })
  })
  test('a wait that took too long was in vain', async () => {
    const queue = new FairQueue(sharesOf(1, { waitMs: 20 }))
    await queue.enter('anna')
    expect(await faultOf(queue.enter('bert'))).toBeInstanceOf(PoolTimeoutFault)
    expect(await counted()).toEqual({ waits: 1, inVain: 1, refused: 0 })
  })
})

describe('the embedded engine', () => {
  test('refuses at once, and lets others wait', async () => {
    const queue = new EngineQueue({ length: 3, perPerson: 2, waitMs: 60_000 })
    queue.setOpen(true)
    let end = (): void => undefined
    const held = queue.run({ alone: true, person: 'anna' }, () => new Promise<void>((done) => (end = done)))
    const ask = (person: string) => queue.run({ alone: true, person }, () => Promise.resolve())
    const waiting = [ask('anna'), ask('anna')]
    expect(await faultOf(ask('anna'))).toBeInstanceOf(ShareFault)
    waiting.push(ask('bert'))
    expect(await faultOf(ask('carl'))).toBeInstanceOf(CrowdedFault)
    end()
    await Promise.all([held, ...waiting])
    expect(await counted()).toEqual({ waits: 3, inVain: 0, refused: 2 })
  })
})

test('a statement that found no place has not failed because of the database', () => {
  expect(endOfStatement(new CrowdedFault())).toBe('crowded')
  expect(endOfStatement(new ShareFault(3))).toBe('share')
  expect(endOfStatement(new UnavailableFault('away'))).toBe('unavailable')
})
