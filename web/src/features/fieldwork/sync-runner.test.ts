import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newTree, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { newId } from '../../data/new-id.ts'
import { unsent } from './capture.ts'
import { type SyncRunner, createSyncRunner, type SyncRunnerOptions } from './sync-runner.ts'
import { createTransport } from './sync-transport.ts'
import { type FieldworkDb, deleteFieldworkDb, openFieldworkDb } from './fieldwork-db.ts'
import { ModelServer, sha256, tokenFor } from './fieldwork-model.fixture.ts'
import { rememberImage, saveNew } from './queue.ts'
import { countWaiting } from './queue-read.ts'

const NAME = 'abgleich-lauf-test'
const SUB = 'person-1'
const NOW = new Date('2026-11-22T09:00:00Z')

let db: FieldworkDb
let server: ModelServer
/** What the connection does with the next request. */
let line: 'holds' | 'broken' | 'hangs' = 'holds'
/** Happens before a photo's bytes arrive. */
let amid: (() => Promise<unknown>) | null = null
const open: SyncRunner[] = []
beforeEach(async () => {
  db = await openFieldworkDb({ name: NAME })
  server = new ModelServer()
  line = 'holds'
  amid = null
})
afterEach(async () => {
  for (const run of open.splice(0)) run.dispose()
  db.close()
  await deleteFieldworkDb(NAME)
})
const capture = (identifier = newId()) => {
  const values = toTreeValues({ ...newTree('Feld'), art: 'bu', lat: '51,1', lon: '9,1' })
  return saveNew(db, {
    sub: SUB,
    kennung: identifier,
    idHQ: 1,
    werte: values,
    entwurf: 'neu',
    ersatz: newId(),
    present: NOW,
  })
}
function begin(more: Partial<SyncRunnerOptions> = {}): SyncRunner {
  const transport = createTransport(SUB, {
    dataApi: 'http://feld.test/rest',
    generalApi: 'http://feld.test/api',
    token: () => tokenFor(SUB),
    renew: () => Promise.resolve(false),
    fetch: async (input, init) => {
      if (init?.method === 'PATCH') await amid?.()
      if (line === 'broken') return Promise.reject(new TypeError('Failed to fetch'))
      if (line === 'holds') return server.respond(input as string, init)
      const { signal } = init!
      return new Promise((_resolve, reject) => {
        if (signal!.aborted) reject(signal!.reason as Error)
        signal!.addEventListener('abort', () => reject(signal!.reason as Error))
      })
    },
  })
  const run = createSyncRunner({
    db,
    sub: SUB,
    weg: transport,
    present: () => NOW,
    readiness: () => 'ja',
    suche: () => undefined,
    unexpectedText: () => 'unerwartet',
    random: () => 0.5,
    ...more,
  })
  open.push(run)
  return run
}
const until = (run: SyncRunner, stand: string) => expect.poll(() => run.run().stand).toBe(stand)

describe('when the queue is sent', () => {
  test('what waits goes out, and it tells when it was done', async () => {
    await capture()
    const run = begin()
    run.nudge()
    await expect.poll(() => run.run().doneAt).toBe(NOW.toISOString())
    expect(run.run()).toMatchObject({ stand: 'ruht', fehler: null, summary: { baeume: 1 } })
    expect(await countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  })

  test('a line that breaks: it says why and when it tries again, ever later; the button does not wait', async () => {
    await capture()
    line = 'broken'
    const run = begin()
    run.nudge()
    await until(run, 'wartet')
    expect(run.run().fehler).toContain('nicht erreichbar')
    expect(run.run().retryAt).toBe('2026-11-22T09:00:02.000Z')
    run.nudge()
    await expect.poll(() => run.run().retryAt).toBe('2026-11-22T09:00:05.000Z')
    line = 'holds'
    run.start()
    await expect.poll(() => run.run().doneAt).not.toBeNull()
    expect(server.baeume.size).toBe(1)
  })

  test('stopped by the person amid a request it stays stopped until the person goes on', async () => {
    await capture()
    line = 'hangs'
    const run = begin()
    run.nudge()
    await until(run, 'laeuft')
    run.pause()
    await until(run, 'angehalten')
    line = 'holds'
    run.nudge()
    expect(run.run().stand).toBe('angehalten')
    // The stopped one has to finish first.
    await expect.poll(() => (run.start(), server.baeume.size)).toBe(1)
  })

  test('what is saved while photos go out follows when they are there', async () => {
    const tree = newId()
    await capture(tree)
    const bytes = new Uint8Array(20)
    await rememberImage(db, {
      sub: SUB,
      kennung: newId(),
      baum: tree,
      idHQ: 1,
      stand: 'wartet',
      original: new Blob([bytes]),
      sha256: sha256(bytes),
      groesse: bytes.length,
      typ: 'image/jpeg',
      name: 'Foto.jpg',
      vorschau: null,
      aufgenommen_am: NOW.toISOString(),
      bemerkung: null,
      ...unsent(NOW.toISOString()),
    })
    amid = () => capture()
    const run = begin()
    run.nudge()
    await expect.poll(() => server.bilder.size).toBe(1)
    await expect.poll(() => server.baeume.size, { timeout: 8_000 }).toBe(2)
    await expect.poll(() => countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
    // Then it rests: the runs of its own changes come to an end.
    await until(run, 'ruht')
    const asked = server.requestCount
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(server.requestCount).toBe(asked)
  })

  test('one at a time over all windows', async () => {
    await capture()
    line = 'hangs'
    const first = begin()
    first.nudge()
    await until(first, 'laeuft')
    const second = begin()
    second.nudge()
    await until(second, 'anderswo')
    expect(server.requestCount).toBe(0)
  })

  test('nobody is signed in: nothing goes out, and it looks for a sign-in when it is asked to', async () => {
    await capture()
    let looked = 0
    let how: 'ja' | 'anmeldung' = 'anmeldung'
    const run = begin({ readiness: () => how, suche: () => looked++ })
    run.nudge()
    expect(run.run().stand).toBe('anmeldung')
    run.start()
    expect(looked).toBe(1)
    expect(server.requestCount).toBe(0)
    how = 'ja'
    run.nudge()
    await expect.poll(() => server.baeume.size).toBe(1)
  })

  test('what nobody thought of is told and tried again', async () => {
    await capture()
    const run = begin({
      present: () => NOW,
      weg: {
        sync: () => Promise.reject(new Error('a bug')),
        fetchStoredImages: () => Promise.resolve([]),
        sendFile: () => Promise.resolve(),
      },
    })
    run.nudge()
    await until(run, 'fehler')
    expect(run.run()).toMatchObject({ fehler: 'unerwartet', retryAt: '2026-11-22T09:00:02.000Z' })
  })
})
