import { expect, test } from 'vitest'
import { searchText, sortKey } from './fold.ts'

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
