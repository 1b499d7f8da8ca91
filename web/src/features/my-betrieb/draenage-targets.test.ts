import { expect, test } from 'vitest'
import { OBJECT_KINDS } from '#contract/kataster-tile.ts'
import { type ManyFilter, valuesOf } from '../../list/filter-kinds.ts'
import { katasterHref, myKunden } from './draenage-targets.ts'

const read = (href: string) => Object.fromEntries(new URL(href, 'https://x.example').searchParams)
const open: ManyFilter<never> = { kind: 'many', key: 'erfq', label: () => '', options: () => [], open: true }

test('a bar leads to one kind, surveyed or assumed, and the other kinds step back', () =>
  expect(read(katasterHref(17, { art: 'schacht', vermessen: 'nein' }))).toEqual({
    kunde: '17',
    art: 'schacht',
    vermessen: 'nein',
    aus: 'draenage,ausmuendung,schlucker,einlauf',
  }))
test('drains are what the page shows first, so the address does not name them', () =>
  expect(read(katasterHref(3, { art: 'draenage', vermessen: 'ja' }))).toEqual({
    kunde: '3',
    vermessen: 'ja',
    aus: OBJECT_KINDS.filter((art) => art !== 'draenage').join(','),
  }))
test.each(['GNSS/RTK', 'Plan, digitalisiert', '100 % & mehr?', 'Plan%2C'])(
  'the source %s is one value of the address',
  (erfq) => expect(valuesOf(open, read(katasterHref(1, { art: 'draenage', erfq }))['erfq']!)).toEqual([erfq]),
)
test('admins of the forest half have no drainage of their customer', () => {
  const kunden = [
    { client_id: 1, name: 'A', rolle: 'kundenadmin' },
    { client_id: 2, name: 'B', rolle: 'admin' },
    { client_id: 3, name: 'C', rolle: 'nutzer' },
  ]
  expect(myKunden({ kunden }).map(({ client_id }) => client_id)).toEqual([2, 3])
  expect(myKunden(null)).toEqual([])
})
