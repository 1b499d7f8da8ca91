// Test vectors: shell.md B11.
import { expect, test } from 'vitest'
import {
  emptyIfMissing,
  isExternal,
  isLetters,
  isLowerCase,
  isTemplateEmail,
  isTemplateUrl,
  isTemplateUsername,
  isUpperCase,
  nullIfEmpty,
  parseQuery,
} from './input-checks.ts'

const accepted = (check: (text: string) => boolean, texts: readonly string[]) => texts.filter(check)

test('e-mail', () => {
  const good = ['a@b.de', 'ä@b.de', 'a.b+c@wald.forst.example', '"a b"@b.de', 'a@[192.168.0.1]']
  expect(
    accepted(isTemplateEmail, [...good, 'a@b', 'a@münchen.de', 'a b@c.de', '@b.de', 'a@b.d', 'a@b.de ']),
  ).toEqual(good)
})
test('URL', () => {
  const good = [
    'http://a.de',
    'https://www.forst.example.com/a?b=c#d',
    'ftp://a.org/x',
    'https://a.museum',
    'http://10.0.0.1:8080/x',
    'http://u:p@a.de/',
  ]
  const bad = [
    'http://localhost',
    'https://a.travel',
    'https://a.de/ä',
    'ws://a.de',
    'a.de',
    'javascript:alert(1)',
  ]
  expect(accepted(isTemplateUrl, [...good, ...bad])).toEqual(good)
})
test('username: exactly admin or editor, trimmed, in small letters', () =>
  expect(accepted(isTemplateUsername, ['admin', ' editor ', 'Admin', 'root', 'adminx', ''])).toEqual([
    'admin',
    ' editor ',
  ]))
test('letter cases', () => {
  expect(accepted(isLowerCase, ['abc', 'aBc', 'ab1', 'ä', ''])).toEqual(['abc'])
  expect(accepted(isUpperCase, ['ABC', 'AbC', 'A1', ''])).toEqual(['ABC'])
  expect(accepted(isLetters, ['aBc', 'a c', 'a1', ''])).toEqual(['aBc'])
})
test('external addresses', () => {
  const good = ['http://a', 'https://a', 'mailto:a@b.de', 'tel:+49']
  expect(accepted(isExternal, [...good, '//host', 'ftp://a', 'HTTP://a', '/kunden'])).toEqual(good)
})
test('queries are decoded before they are split; the first = splits, keys without one are dropped', () => {
  expect(parseQuery('/x?a=1&b=c+d&e==f&g')).toEqual({ a: '1', b: 'c d', e: '=f' })
  expect(parseQuery('/x?a=1%26b=2')).toEqual({ a: '1', b: '2' })
  expect([parseQuery('/x'), parseQuery('/x?')]).toEqual([{}, {}])
})
test('left-out fields travel as null or as empty text', () => {
  expect([nullIfEmpty(''), nullIfEmpty('Jörg')]).toEqual([null, 'Jörg'])
  expect([emptyIfMissing(null), emptyIfMissing(undefined), emptyIfMissing('a@b.de')]).toEqual([
    '',
    '',
    'a@b.de',
  ])
})
