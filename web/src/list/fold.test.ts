import { expect, test } from 'vitest'
import { naturalText, searchText, sortKey } from './fold.ts'

test.each([
  ['Österreich-Ungarn', 'osterreichungarn'],
  ['Straße 7', 'strasse 7'],
  ['ÀÉÎÕñ', 'aein'],
  ['', ''],
])('%s sorts as %s', (text, key) => expect(sortKey(text)).toBe(key))

test.each([
  ['Müller', 'müller mueller'],
  ['GROẞ Übel', 'groß übel gross uebel'],
  ['Wald', 'wald'],
])('%s is searched in %s', (text, found) => expect(searchText(text)).toBe(found))
test('numbers in names sort by their value', () =>
  expect(
    ['Blatt 10a', 'Blatt 9', 'Blatt 010', 'Blatt 10'].toSorted((a, b) =>
      naturalText(a) < naturalText(b) ? -1 : 1,
    ),
  ).toEqual(['Blatt 9', 'Blatt 010', 'Blatt 10', 'Blatt 10a']))
