import 'fake-indexeddb/auto'
import { IDBObjectStore } from 'fake-indexeddb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AblageFehler, ablageFehlerOf, type FeldEntwurf, loescheFeldDb, openFeldDb, schreibe, vonPerson } from './feld-db.ts'
import { fetchAlles, fetchEntwurf, merkeEntwurf, verwirfEntwurf } from './schlange.ts'

const NAME = 'feld-db-test'
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await loescheFeldDb(NAME)
})
const entwurf = (sub: string, name = 'neu'): FeldEntwurf => ({
  sub,
  name,
  kennung: `k-${sub}`,
  idHQ: 1,
  werte: { art: 'bu' },
  am: '2026-11-22T08:00:00Z',
})

describe('the device’s storage', () => {
  test('a newer schema keeps what is there, and the older window gives way', async () => {
    let outdated = 0
    const old = await openFeldDb({ name: NAME, onVeraltet: () => outdated++ })
    await merkeEntwurf(old, entwurf('a'))
    const steps = [() => undefined, (db: { createObjectStore: (name: never) => unknown }) => void db.createObjectStore('spaeter' as never)]
    const newer = await openFeldDb({ name: NAME, steps })
    expect([...newer.objectStoreNames]).toContain('spaeter')
    expect(await fetchEntwurf(newer, 'a', 'neu')).toEqual(entwurf('a'))
    expect(outdated).toBe(1)
    newer.close()
    await expect(openFeldDb({ name: NAME })).rejects.toMatchObject({
      code: 'neuer',
      message: expect.stringContaining('neuere Fassung') as string,
    })
  })

  test('a window that does not let go is told, and nothing hangs', async () => {
    const stubborn = indexedDB.open(NAME, 1)
    await new Promise((resolve) => (stubborn.onsuccess = resolve))
    const steps = [() => undefined, () => undefined]
    await expect(openFeldDb({ name: NAME, steps, blockedAfterMs: 20 })).rejects.toMatchObject({ code: 'versperrt' })
    stubborn.result.close()
  })

  test('two who share a tablet never meet each other’s rows', async () => {
    const db = await openFeldDb({ name: NAME })
    await merkeEntwurf(db, entwurf('a'))
    await merkeEntwurf(db, entwurf('a!'))
    await merkeEntwurf(db, entwurf('b'))
    expect((await db.getAll('entwuerfe', vonPerson('a'))).map(({ sub }) => sub)).toEqual(['a'])
    expect((await fetchAlles(db, 'b')).entwuerfe.map(({ sub }) => sub)).toEqual(['b'])
    await verwirfEntwurf(db, 'a', 'neu', 'k-a')
    expect(await fetchEntwurf(db, 'a', 'neu')).toBeUndefined()
    expect(await fetchEntwurf(db, 'b', 'neu')).toBeDefined()
    db.close()
  })

  test('a full device says so, and what was there before stays whole', async () => {
    const db = await openFeldDb({ name: NAME })
    await merkeEntwurf(db, entwurf('a'))
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    const failed = merkeEntwurf(db, { ...entwurf('a'), werte: { art: 'fi' } })
    await expect(failed).rejects.toBeInstanceOf(AblageFehler)
    await expect(failed).rejects.toMatchObject({ code: 'voll', message: expect.stringContaining('voll') as string })
    vi.restoreAllMocks()
    expect((await fetchEntwurf(db, 'a', 'neu'))?.werte).toEqual({ art: 'bu' })
    db.close()
  })

  test('half a transaction is none', async () => {
    const db = await openFeldDb({ name: NAME })
    await expect(
      schreibe(db, ['entwuerfe'], async (tx) => {
        await tx.objectStore('entwuerfe').put(entwurf('a'))
        throw new Error('the window was closed')
      }),
    ).rejects.toThrow('the window was closed')
    expect(await fetchEntwurf(db, 'a', 'neu')).toBeUndefined()
    db.close()
    await expect(merkeEntwurf(db, entwurf('a'))).rejects.toBeInstanceOf(AblageFehler)
  })

  test('without a storage the sentence names the way out', async () => {
    vi.stubGlobal('indexedDB', undefined)
    await expect(openFeldDb({ name: NAME })).rejects.toMatchObject({
      code: 'gesperrt',
      message: expect.stringContaining('privaten Fenster') as string,
    })
    expect(ablageFehlerOf(new DOMException('', 'SecurityError')).code).toBe('gesperrt')
    expect(ablageFehlerOf(new Error('anything')).code).toBe('fehler')
  })
})
