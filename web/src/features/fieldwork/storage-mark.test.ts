import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { deleteFieldworkDb, openFieldworkDb } from './fieldwork-db.ts'
import { acknowledgeLost, compareMarks, noteWaiting, readLost } from './storage-mark.ts'

const NAME = 'marke-test'
afterEach(() => deleteFieldworkDb(NAME))
function memory() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const open = async (beside: ReturnType<typeof memory>) => {
  const db = await openFieldworkDb({ name: NAME })
  try {
    return await compareMarks(db, beside)
  } finally {
    db.close()
  }
}
const AM = '2026-11-22T08:00:00.000Z'

test('a storage that was emptied is noticed once, with what was waiting in it, and until it was read', async () => {
  const beside = memory()
  expect([await open(beside), await open(beside)]).toEqual([false, false])
  noteWaiting(beside, 'a', { am: AM, baeume: 3, bilder: 2 })
  noteWaiting(beside, 'c', { am: AM, baeume: 0, bilder: 0 })
  await deleteFieldworkDb(NAME)
  expect([await open(beside), await open(beside)]).toEqual([true, false])
  expect(readLost(beside, 'a')).toEqual({ counts: { am: AM, baeume: 3, bilder: 2 } })
  // Somebody else learns that, but nothing of that work.
  expect(readLost(beside, 'b')).toEqual({ counts: null })
  acknowledgeLost(beside)
  expect(readLost(beside, 'a')).toBeNull()
})
test('emptied with nothing waiting is said without a number; what was sent before is no loss', async () => {
  const beside = memory()
  await open(beside)
  noteWaiting(beside, 'a', { am: AM, baeume: 1, bilder: 0 })
  noteWaiting(beside, 'a', { am: AM, baeume: 0, bilder: 0 })
  await deleteFieldworkDb(NAME)
  expect(await open(beside)).toBe(true)
  expect(readLost(beside, 'a')).toEqual({ counts: null })
})
test('no mark beside it, or another one, is no loss: the database is there', async () => {
  const beside = memory()
  await open(beside)
  const [[key, mark]] = [...beside.kept] as [[string, string]]
  for (const other of [undefined, 'marke-fremd']) {
    beside.kept.clear()
    if (other !== undefined) beside.kept.set(key, other)
    expect(await open(beside)).toBe(false)
    expect(beside.kept.get(key)).toBe(mark)
  }
})
test('what lies beside it in another shape counts nothing', async () => {
  for (const strange of ['', 'x', '[]', '{"a":{"baeume":"viele"}}', 'null']) {
    const beside = memory()
    beside.kept.set('geraet.feld-geraeumt', strange)
    expect(readLost(beside, 'a'), strange).toEqual({ counts: null })
  }
})
