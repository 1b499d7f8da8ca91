import { beforeEach, describe, expect, test } from 'vitest'
import { draftOf, overtaken, readDraft, removeDraft, writeDraft } from './drafts.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const kept = new Map<string, string>()
const store = {
  get length() {
    return kept.size
  },
  key: (at: number) => [...kept.keys()][at] ?? null,
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}
const BASE = { name: 'Forst A', ort: 'Leipzig', plz: '04103' }
const typed = (more: Partial<typeof BASE>) => draftOf({ ...BASE, ...more }, BASE, 3, NOW)!

beforeEach(() => {
  kept.clear()
  kept.set('forstkontor.person', '5')
})

describe('what is kept', () => {
  test('only what differs, with what it was before', () =>
    expect(typed({ ort: 'Ulm' })).toEqual({
      at: NOW.toISOString(),
      version: 3,
      values: { ort: 'Ulm' },
      base: { ort: 'Leipzig' },
    }))
  test('nothing where nothing differs', () => expect(draftOf(BASE, { ...BASE }, 3, NOW)).toBeNull())
  test('no secrets', () => {
    const empty = { passwort: '', neues_Passwort: '', password: '', token: '', Kennwort: '', ort: '' }
    const full = { passwort: 'a', neues_Passwort: 'b', password: 'c', token: 'd', Kennwort: 'e', ort: 'Ulm' }
    expect(draftOf(full, empty, 1, NOW)?.values).toEqual({ ort: 'Ulm' })
  })
})

describe('the store', () => {
  test('by person and record, until it is taken away', () => {
    writeDraft(5, 'kunde/1', typed({ ort: 'Ulm' }), store)
    expect(readDraft(5, 'kunde/1', NOW, store)?.values).toEqual({ ort: 'Ulm' })
    expect(readDraft(6, 'kunde/1', NOW, store)).toBeNull()
    expect(readDraft(5, 'kunde/2', NOW, store)).toBeNull()
    removeDraft(5, 'kunde/1', store)
    expect(readDraft(5, 'kunde/1', NOW, store)).toBeNull()
  })
  test('its names are ones that the end of a session empties', () => {
    writeDraft(5, 'kunde/1', typed({ ort: 'Ulm' }), store)
    expect([...kept.keys()].every((key) => key.startsWith('forstkontor.'))).toBe(true)
  })
  test('nothing is written for somebody who is signed out, nor for another person', () => {
    kept.clear()
    writeDraft(5, 'kunde/1', typed({ ort: 'Ulm' }), store)
    kept.set('forstkontor.person', '6')
    writeDraft(5, 'kunde/1', typed({ ort: 'Ulm' }), store)
    expect([...kept.keys()]).toEqual(['forstkontor.person'])
  })
  test('a month later it is gone', () => {
    writeDraft(5, 'kunde/1', typed({ ort: 'Ulm' }), store)
    expect(readDraft(5, 'kunde/1', later(29), store)).not.toBeNull()
    expect(readDraft(5, 'kunde/1', later(31), store)).toBeNull()
  })
  test('twenty of them; one more costs the oldest', () => {
    for (let nr = 0; nr < 22; nr++)
      writeDraft(
        5,
        `kunde/${nr}`,
        { ...typed({ ort: 'Ulm' }), at: new Date(NOW.getTime() + nr * 1000).toISOString() },
        store,
      )
    expect([...kept.keys()].filter((key) => key.includes('entwurf'))).toHaveLength(20)
    expect(readDraft(5, 'kunde/0', NOW, store)).toBeNull()
    expect(readDraft(5, 'kunde/21', NOW, store)).not.toBeNull()
  })
  test('a draft too large is none, and a store that refuses is no fault', () => {
    writeDraft(5, 'kunde/1', typed({ ort: 'x'.repeat(1_100_000) }), store)
    expect(readDraft(5, 'kunde/1', NOW, store)).toBeNull()
    const full = {
      ...store,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    expect(() => writeDraft(5, 'kunde/1', typed({ ort: 'Ulm' }), full)).not.toThrow()
  })
  test('a store that became too full forgets what is older than what was typed', () => {
    writeDraft(5, 'kunde/1', typed({ ort: 'Ulm' }), store)
    const full = {
      ...store,
      get length() {
        return kept.size
      },
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    writeDraft(5, 'kunde/1', typed({ ort: 'Ulm an der Donau' }), full)
    expect(readDraft(5, 'kunde/1', NOW, store)).toBeNull()
  })
  test('a document of 500 lines fits in; large ones together leave room for others of the site', () => {
    const lines = JSON.stringify(
      Array.from({ length: 500 }, (_, nr) => ({ bez: `Zeile ${nr}`, ep: '12,34', erl: 'x'.repeat(500) })),
    )
    const draft = (nr: number) =>
      ({
        at: new Date(NOW.getTime() + nr * 1000).toISOString(),
        version: 1,
        values: { lines },
        base: { lines: `${lines} ` },
      }) as const
    expect(JSON.stringify(draft(0)).length).toBeGreaterThan(550_000)
    for (let nr = 0; nr < 8; nr++) writeDraft(5, `rechnung/${nr}`, draft(nr), store)
    const held = [...kept.entries()].filter(([key]) => key.includes('entwurf'))
    expect(held.map(([key]) => key.at(-1))).toEqual(['3', '4', '5', '6', '7'])
    expect(held.reduce((sum, [, text]) => sum + text.length, 0)).toBeLessThanOrEqual(3 * 1024 * 1024)
  })
  test.each(['{', 'null', '[]', '{"at":3}', '{"at":"2026-11-21","version":1,"values":null,"base":{}}'])(
    'what it holds is looked at first: %s',
    (text) => {
      kept.set('forstkontor.entwurf.5.kunde/1', text)
      expect(readDraft(5, 'kunde/1', NOW, store)).toBeNull()
    },
  )
})

test('fields that somebody else has changed since, unless to the same', () => {
  const draft = typed({ ort: 'Ulm', plz: '89073', name: 'Forst B' })
  expect(overtaken(draft, { name: 'Forst A', ort: 'Kassel', plz: '89073' })).toEqual(['ort'])
  expect(overtaken(draft, BASE)).toEqual([])
})
