import 'fake-indexeddb/auto'
import { IDBObjectStore } from 'fake-indexeddb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type FieldworkDraft,
  deleteFieldworkDb,
  openFieldworkDb,
  write,
  personRange,
} from './fieldwork-db.ts'
import { StoreError, storeErrorOf } from './store-error.ts'
import { fetchEverything, fetchDraft } from './queue-read.ts'
import { discardDraft, draftName, fetchNewDraft, rememberDraft } from './queue.ts'

const NAME = 'feld-db-test'
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await deleteFieldworkDb(NAME)
})
const draft = (sub: string, name = 'neu'): FieldworkDraft => ({
  sub,
  name,
  kennung: `k-${sub}`,
  idHQ: 1,
  werte: { art: 'bu' },
  am: '2026-11-22T08:00:00Z',
})

describe('begun forms', () => {
  test('each holding keeps its own, whatever becomes of another’s', async () => {
    const db = await openFieldworkDb({ name: NAME })
    const of = (idHQ: number) => ({ ...draft('a', draftName('neu', idHQ)), idHQ, kennung: `k-${idHQ}` })
    await rememberDraft(db, of(1))
    await rememberDraft(db, of(2))
    await rememberDraft(db, { ...of(1), name: draftName('grenze', 1) })
    expect(await fetchNewDraft(db, 'a', 'neu', 1)).toEqual(of(1))
    await discardDraft(db, 'a', draftName('neu', 2), 'k-2')
    expect(await fetchNewDraft(db, 'a', 'neu', 2)).toBeUndefined()
    expect(await fetchNewDraft(db, 'a', 'neu', 1)).toEqual(of(1))
    expect(await fetchNewDraft(db, 'a', 'grenze', 1)).toMatchObject({ kennung: 'k-1' })
    db.close()
  })

  test('one of an earlier version is found in its holding only, and from then on under its own name', async () => {
    const db = await openFieldworkDb({ name: NAME })
    await rememberDraft(db, { ...draft('a', 'neu-vermessung'), idHQ: -7 })
    expect(await fetchNewDraft(db, 'a', 'neu-vermessung', -8)).toBeUndefined()
    expect(await fetchNewDraft(db, 'a', 'neu-vermessung', -7)).toMatchObject({ kennung: 'k-a', idHQ: -7 })
    expect((await db.getAll('entwuerfe')).map(({ name }) => name)).toEqual([draftName('neu-vermessung', -7)])
    expect(await fetchNewDraft(db, 'a', 'neu-vermessung', -7)).toMatchObject({ werte: { art: 'bu' } })
    db.close()
  })
})

describe('the device’s storage', () => {
  test('a newer schema keeps what is there, and the older window gives way', async () => {
    let outdated = 0
    const old = await openFieldworkDb({ name: NAME, onOutdated: () => outdated++ })
    await rememberDraft(old, draft('a'))
    const steps = [
      () => undefined,
      () => undefined,
      (db: { createObjectStore: (name: never) => unknown }) => void db.createObjectStore('spaeter' as never),
    ]
    const newer = await openFieldworkDb({ name: NAME, steps })
    expect([...newer.objectStoreNames]).toContain('spaeter')
    expect(await fetchDraft(newer, 'a', 'neu')).toEqual(draft('a'))
    expect(outdated).toBe(1)
    newer.close()
    await expect(openFieldworkDb({ name: NAME })).rejects.toMatchObject({
      code: 'neuer',
      message: expect.stringContaining('neuere Fassung') as string,
    })
  })

  test('what was stored by the first version is still there, and gets what is new', async () => {
    const first = await openFieldworkDb({
      name: NAME,
      steps: [(db) => void db.createObjectStore('entwuerfe', { keyPath: ['sub', 'name'] })],
    })
    await rememberDraft(first, draft('a'))
    first.close()
    const now = await openFieldworkDb({ name: NAME })
    expect([...now.objectStoreNames]).toContain('device')
    expect(await fetchDraft(now, 'a', 'neu')).toEqual(draft('a'))
    now.close()
  })

  test('a window that does not let go is told, and nothing hangs', async () => {
    const stubborn = indexedDB.open(NAME, 1)
    await new Promise((resolve) => (stubborn.onsuccess = resolve))
    const steps = [() => undefined, () => undefined]
    await expect(openFieldworkDb({ name: NAME, steps, blockedAfterMs: 20 })).rejects.toMatchObject({
      code: 'versperrt',
    })
    stubborn.result.close()
  })

  test('two who share a tablet never meet each other’s rows', async () => {
    const db = await openFieldworkDb({ name: NAME })
    await rememberDraft(db, draft('a'))
    await rememberDraft(db, draft('a!'))
    await rememberDraft(db, draft('b'))
    expect((await db.getAll('entwuerfe', personRange('a'))).map(({ sub }) => sub)).toEqual(['a'])
    expect((await fetchEverything(db, 'b')).entwuerfe.map(({ sub }) => sub)).toEqual(['b'])
    await discardDraft(db, 'a', 'neu', 'k-a')
    expect(await fetchDraft(db, 'a', 'neu')).toBeUndefined()
    expect(await fetchDraft(db, 'b', 'neu')).toBeDefined()
    db.close()
  })

  test('a full device says so, and what was there before stays whole', async () => {
    const db = await openFieldworkDb({ name: NAME })
    await rememberDraft(db, draft('a'))
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    const failed = rememberDraft(db, { ...draft('a'), werte: { art: 'fi' } })
    await expect(failed).rejects.toBeInstanceOf(StoreError)
    await expect(failed).rejects.toMatchObject({
      code: 'voll',
      message: expect.stringContaining('voll') as string,
    })
    vi.restoreAllMocks()
    expect((await fetchDraft(db, 'a', 'neu'))?.werte).toEqual({ art: 'bu' })
    db.close()
  })

  test('half a transaction is none', async () => {
    const db = await openFieldworkDb({ name: NAME })
    await expect(
      write(db, ['entwuerfe'], async (tx) => {
        await tx.objectStore('entwuerfe').put(draft('a'))
        throw new Error('the window was closed')
      }),
    ).rejects.toThrow('the window was closed')
    expect(await fetchDraft(db, 'a', 'neu')).toBeUndefined()
    db.close()
    await expect(rememberDraft(db, draft('a'))).rejects.toBeInstanceOf(StoreError)
  })

  test('without a storage the sentence names the way out', async () => {
    vi.stubGlobal('indexedDB', undefined)
    await expect(openFieldworkDb({ name: NAME })).rejects.toMatchObject({
      code: 'gesperrt',
      message: expect.stringContaining('privaten Fenster') as string,
    })
    expect(storeErrorOf(new DOMException('', 'SecurityError')).code).toBe('gesperrt')
    expect(storeErrorOf(new Error('anything')).code).toBe('fehler')
  })
})
