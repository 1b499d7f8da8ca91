import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { deleteFieldworkDb, openFieldworkDb } from './fieldwork-db.ts'
import { besideAnd } from './mark-cookie.ts'
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
const open = async (beside: Parameters<typeof compareMarks>[1]) => {
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

/** A document's cookies, as far as one name goes. */
function jar() {
  let kept = 'sprache=de'
  return {
    get cookie() {
      return kept
    },
    set cookie(line: string) {
      kept = `sprache=de; ${line.split(';')[0]}`
    },
  }
}
test('emptied with localStorage is noticed too, by a cookie, with what was waiting', async () => {
  const cookies = jar()
  const device = () => besideAnd(memory(), cookies, true)
  const before = device()
  expect(await open(before)).toBe(false)
  noteWaiting(before, 'a', { am: AM, baeume: 3, bilder: 2 })
  await deleteFieldworkDb(NAME)
  const after = device()
  expect([await open(after), await open(after)]).toEqual([true, false])
  expect(readLost(after, 'a')).toEqual({ counts: { am: AM, baeume: 3, bilder: 2 } })
  acknowledgeLost(after)
  expect(readLost(device(), 'a')).toBeNull()
})
test('a cookie in another shape, or one that would be too long, is none', async () => {
  for (const strange of ['', 'x', '%7B%22a%22%3A1%7D', '%E0%A4%A', 'null']) {
    const cookies = jar()
    cookies.cookie = `feldgeraet=${strange}`
    expect(await open(besideAnd(memory(), cookies, false)), strange).toBe(false)
    await deleteFieldworkDb(NAME)
  }
  const cookies = jar()
  const beside = besideAnd(memory(), cookies, false)
  beside.setItem('viel', 'x'.repeat(3000))
  expect([cookies.cookie, beside.getItem('viel')?.length]).toEqual(['sprache=de', 3000])
})
