import { expect, test } from 'vitest'
import { KUNDE_WORDS } from './kunde/kunde-kind.ts'
import { actionName, linesOf as linesWith } from './history-lines.ts'

const linesOf = (entry: Parameters<typeof linesWith>[0]) => linesWith(entry, KUNDE_WORDS)

test('changed fields, named in German, in the order of the form', () => {
  expect(
    linesOf({
      aktion: 'geaendert',
      alt: { plz: '01067', name: 'A', epsg: 25832, kataster_status: false },
      neu: { plz: '01796', name: 'B', epsg: 25833, kataster_status: true },
    }),
  ).toEqual([
    { label: 'Name', before: 'A', after: 'B' },
    { label: 'PLZ', before: '01067', after: '01796' },
    { label: 'Koordinatensystem', before: '25832 · ETRS89 / UTM 32', after: '25833 · ETRS89 / UTM 33' },
    { label: 'Kataster', before: 'aus', after: 'an' },
  ])
})

test('a value that was removed is shown as before and nothing', () =>
  expect(linesOf({ aktion: 'geaendert', alt: { ap_tel: '0351' }, neu: { ap_tel: null } })).toEqual([
    { label: 'Telefon', before: '0351', after: '' },
  ]))

test('a new customer shows what was entered, not its empty fields nor its number', () =>
  expect(
    linesOf({ aktion: 'neu', alt: null, neu: { client_id: 5, name: 'A', ordner: null, ap_tel: '' } }),
  ).toEqual([{ label: 'Name', before: '', after: 'A' }]))

test('a column that the page does not know yet is shown all the same', () =>
  expect(linesOf({ aktion: 'geaendert', alt: { neu_2030: { a: 1 } }, neu: { neu_2030: null } })).toEqual([
    { label: 'neu_2030', before: '{"a":1}', after: '' },
  ]))

test('what was done', () =>
  expect(['neu', 'geaendert', 'geloescht'].map((action) => actionName(action as 'neu'))).toEqual([
    'Angelegt',
    'Geändert',
    'Gelöscht',
  ]))
