import { beforeEach, expect, test, vi } from 'vitest'
import { keepStandard, readStandard } from './standard-view.ts'

const store = new Map<string, string>()
beforeEach(() => {
  store.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
    removeItem: (key: string) => void store.delete(key),
  })
})

test('kept until something else is chosen, and forgotten with what belongs to the person', () => {
  keepStandard('kunden', { suche: 'land=Bayern', spalten: ['name'] })
  expect(readStandard('kunden')).toEqual({ suche: 'land=Bayern', spalten: ['name'] })
  expect(readStandard('nutzer')).toBeNull()
  expect([...store.keys()].every((key) => key.startsWith('forstkontor.'))).toBe(true)
  keepStandard('kunden', null)
  expect(readStandard('kunden')).toBeNull()
})

test('unchanged, it is the same object', () => {
  keepStandard('kunden', { suche: 'a=b', spalten: null })
  const first = readStandard('kunden')
  keepStandard('kunden', { suche: 'a=b', spalten: null })
  expect(readStandard('kunden')).toBe(first)
})

test.each(['', 'null', '{', '{"suche":1}', '[]'])('broken text %s is none', (text) => {
  store.set('forstkontor.standard.kunden', text)
  expect(readStandard('kunden')).toBeNull()
})
