import { describe, expect, test } from 'vitest'
import {
  address,
  and,
  contains,
  eq,
  gte,
  ilike,
  isNull,
  notNull,
  oneOf,
  or,
  startsWith,
} from './addresses.ts'

/** The query parameters as the server decodes them. */
const decoded = (path: string) => [...new URLSearchParams(path.split('?')[1])]

describe('the addresses of the specification, letter by letter', () => {
  test('single row', () =>
    expect(address('kunde', { filters: [eq('client_id', 5)] })).toBe('kunde?client_id=eq.5'))
  test('order', () => expect(address('hq', { order: [{ column: 'idHQ' }] })).toBe('hq?order=idHQ'))
  test('whole table', () => expect(address('gutschein')).toBe('gutschein'))
  test('filter and order', () =>
    expect(
      address('mappoint', { filters: [eq('karte_id', '7')], order: [{ column: 'nr', descending: true }] }),
    ).toBe('mappoint?karte_id=eq.7&order=nr.desc'))
})

describe('values stay values', () => {
  const HOSTILE = [
    'a&b=c',
    'x,y',
    '(x)',
    'a.b',
    '"',
    '\\',
    'ä ö',
    '100%',
    'eq.5',
    'null',
    'ü)or(1.eq.1',
    '\u0000',
    '#x',
    '+49',
    '😀',
  ]
  for (const text of HOSTILE) {
    test(`alone: ${JSON.stringify(text)}`, () =>
      expect(decoded(address('kunde', { filters: [eq('name', text)] }))).toEqual([['name', `eq.${text}`]]))
    test(`in a list: ${JSON.stringify(text)}`, () => {
      const [[key, value] = []] = decoded(address('kunde', { filters: [oneOf('name', [text, 'b'])] }))
      expect(key).toBe('name')
      const inside = /^in\.\((.*),b\)$/s.exec(value ?? '')?.[1] ?? ''
      const read = inside.startsWith('"') ? inside.slice(1, -1).replaceAll(/\\(.)/g, '$1') : inside
      expect(read).toBe(text)
      // Values may be unquoted only if no character in them could end the value.
      if (!inside.startsWith('"')) expect(inside).not.toMatch(/[,()".:\\\s{}]/)
    })
  }
  test('an empty value in a list is quoted', () => expect(oneOf('ort', ['']).value).toBe('in.("")'))
})

test('or and and nest with their inner spelling', () =>
  expect(or(eq('plz', '01067'), and(gte('client_id', 5), isNull('bundesland'))).value).toBe(
    '(plz.eq.01067,and(client_id.gte.5,bundesland.is.null))',
  ))
test('is not null', () =>
  expect(notNull('ort')).toEqual({ key: 'ort', value: 'not.is.null', inner: 'ort.not.is.null' }))

describe('typed text is no pattern', () => {
  test('LIKE signs of the text lose their meaning', () =>
    expect(contains('suchtext', '50%_a\\b').value).toBe('ilike.*50\\%\\_a\\\\b*'))
  test('a typed star stands for one character', () =>
    expect(startsWith('name', 'a*b').value).toBe('ilike.a_b*'))
  test('a pattern stays one', () => expect(ilike('name', 'Wald*').value).toBe('ilike.Wald*'))
  test('inside or() it is quoted where it must be', () =>
    expect(or(contains('name', 'a, b'), contains('ort', 'x')).value).toBe(
      '(name.ilike."*a, b*",ort.ilike.*x*)',
    ))
})

test('select, limit and offset', () =>
  expect(
    decoded(
      address('kunde', { select: ['client_id', 'name'], filters: [eq('ort', 'Ulm')], limit: 25, offset: 50 }),
    ),
  ).toEqual([
    ['select', 'client_id,name'],
    ['ort', 'eq.Ulm'],
    ['limit', '25'],
    ['offset', '50'],
  ]))
test('the same column may be filtered twice', () =>
  expect(decoded(address('t', { filters: [gte('a', 1), eq('a', 2)] }))).toEqual([
    ['a', 'gte.1'],
    ['a', 'eq.2'],
  ]))
