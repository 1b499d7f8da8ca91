import { describe, expect, test } from 'vitest'
import { placeOf } from './place.ts'

const ORIGIN = 'https://kontor.example'
const place = (address: string) => placeOf(address, ORIGIN)

test('path, query and fragment in one spelling', () =>
  expect(place('/kunden/index/?land=Bayern,Hessen&leer=&suche=m%C3%BCller hof#unten')).toMatchObject({
    pathname: '/kunden/index',
    search: { land: 'Bayern,Hessen', leer: '', suche: 'müller hof' },
    searchStr: '?land=Bayern%2CHessen&suche=m%C3%BCller+hof',
    hash: '#unten',
    href: '/kunden/index?land=Bayern%2CHessen&suche=m%C3%BCller+hof#unten',
  }))

test('the route and what its pattern names', () => {
  expect(place('/kunden/17')).toMatchObject({ line: { path: '/kunden/$id' }, params: { id: '17' } })
  expect(place('/kunden/17x')).toMatchObject({ line: undefined, params: {} })
})

test('umlauts are read as people read them, and travel as the web writes them', () =>
  expect(place('/übersicht')).toMatchObject({ pathname: '/übersicht', href: '/%C3%BCbersicht' }))

describe('what is none of ours', () => {
  test.each([
    'https://anderswo.example/x',
    '//anderswo.example/x',
    '/\\anderswo.example',
    'javascript:alert(1)',
    'mailto:a@b.de',
    'http://[',
  ])('%s', (address) => expect(place(address)).toBeUndefined())
  test('a path that cannot be decoded stays as it is', () =>
    expect(place('/%E0%A4%A')).toMatchObject({ pathname: '/%E0%A4%A', line: undefined }))
  test('only slashes are the root', () => expect(place('/')).toMatchObject({ pathname: '/', href: '/' }))
})
