import { describe, expect, test } from 'vitest'
import type { Suggestion } from '#domain/reconciliation/suggestion.ts'
import { countOf, entryAfter, matchesOf, type OpenEntry, restOf, shownEntries } from './reconciliation.ts'

const suggestion = (certain: boolean): Suggestion => ({
  zuordnungen: [{ rechnung_id: 7, betrag: '119.00', skonto: false }],
  reasons: [],
  sicher: certain,
  punkte: 1,
})
const entry = (id: number, name: string, suggestions: readonly Suggestion[]): OpenEntry => ({
  umsatz: {
    id,
    konto: 'DE',
    datum: '2026-02-01',
    betrag: '1119.50',
    rest: '120.00',
    name,
    iban: '',
    zweck: `Rechnung ${id}`,
    datei: '',
    erledigt: false,
    angelegt_am: '2026-02-01T00:00:00Z',
  },
  ergebnis: { umsatz_id: id, suggestions, settled: [] },
})
const ENTRIES = [
  entry(1, 'Forst Nord', [suggestion(true)]),
  entry(2, 'Forst Süd', [suggestion(false)]),
  entry(3, 'Stadtwerke', []),
]
const ids = (entries: readonly OpenEntry[]) => entries.map(({ umsatz }) => umsatz.id)

describe('the open entries', () => {
  test('each is in one view, and all are in the first', () =>
    expect((['alle', 'sicher', 'vorschlag', 'ohne'] as const).map((view) => countOf(ENTRIES, view))).toEqual([
      3, 1, 1, 1,
    ]))
  test.each([
    ['', [1, 2, 3]],
    [' forst ', [1, 2]],
    ['rechnung 3', [3]],
    ['1119,50', [1, 2, 3]],
    ['nichts', []],
  ])('searched for %j', (text, found) => expect(ids(shownEntries(ENTRIES, 'alle', text))).toEqual(found))
  test('a search stays within the view', () =>
    expect(ids(shownEntries(ENTRIES, 'sicher', 'forst'))).toEqual([1]))
  test.each([
    [1, 2],
    [3, 2],
  ])('after %s comes %s', (id, next) => expect(entryAfter(ENTRIES, id)).toBe(next))
  test('after the only one comes nothing', () => expect(entryAfter(ENTRIES.slice(0, 1), 1)).toBeNull())
})

test('a suggestion leaves the rest of the entry', () => {
  const { umsatz } = ENTRIES[0]!
  expect(restOf(umsatz, suggestion(true))).toMatchObject({ wert: 100n })
  expect(matchesOf(umsatz, suggestion(true))).toEqual([
    { umsatz_id: 1, rechnung_id: 7, betrag: '119.00', skonto: false },
  ])
})
