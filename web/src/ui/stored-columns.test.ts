import { expect, test } from 'vitest'
import { readColumns, writeColumns } from './stored-columns.ts'

function memory(start: Record<string, string> = {}) {
  const kept = new Map(Object.entries(start))
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

test('a choice comes back in the order of the list, without columns that are gone', () => {
  const store = memory()
  writeColumns('kunden', ['ort', 'name', 'fax'], store)
  expect(readColumns('kunden', ['name', 'plz', 'ort'], store)).toEqual(['name', 'ort'])
  expect(readColumns('andere', ['name'], store)).toBeUndefined()
})

test('nothing chosen is remembered as nothing chosen', () => {
  const store = memory()
  writeColumns('kunden', [], store)
  expect(readColumns('kunden', ['name'], store)).toEqual([])
  writeColumns('kunden', undefined, store)
  expect(readColumns('kunden', ['name'], store)).toBeUndefined()
})

test.each(['{', '"name"', '{"a":1}'])('what somebody else left there (%s) does no harm', (text) => {
  expect(readColumns('kunden', ['name'], memory({ 'forstkontor.columns.kunden': text }))).toBeUndefined()
})

test('a store that refuses costs nothing but the memory', () => {
  const full = {
    setItem: () => {
      throw new Error('quota')
    },
    removeItem: () => undefined,
  }
  expect(() => writeColumns('kunden', ['name'], full)).not.toThrow()
})
