import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PRINTABLE_SQL, printableSql } from '../scripts/printable-sql.ts'
import { belegOf, RECIPIENT } from '../server/documents/beleg.fixture.ts'
import { missingGlyphs, printed, unprintable } from './printable.ts'
import {
  BREAKABLE_FROM,
  BREAKABLE_TO,
  breakable,
  setLine,
  setLines,
  setParagraphs,
  setText,
} from './typeset-text.ts'

describe('printable is', () => {
  test.each([
    'Müßig & Söhne',
    'Ærø Žatec Łódź İstanbul',
    '± ½ ² ³ µ × ≥ → ✓ ☐ € § „“ – …',
    'Ω Ж',
    'Zeile\nZeile\tTab',
    'a\u0308',
    'so\u00ADft',
    'zero\u200Bwidth',
  ])('%s', (text) => expect(unprintable(text)).toEqual([]))
})

test('what is not printable is named once each, in the order of the text', () =>
  expect(unprintable('😀 Wald 中 Forst 😀 א')).toEqual(['😀', '中', 'א']))

test('half a surrogate pair is one unreadable character and no fault', () =>
  expect(unprintable('x\uD83D')).toEqual(['\uFFFD']))

test('each field of a document is named with its characters, lines by their place', () => {
  const beleg = belegOf({ zuerl: 'Danke 🌲', empfaenger: { ...RECIPIENT, name: '山田' } }, [
    {},
    { bez: 'gut', erl: 'schlecht ①' },
  ])
  expect(missingGlyphs(beleg)).toEqual([
    { feld: 'zuerl', position: null, zeichen: ['🌲'] },
    { feld: 'empfaenger.name', position: null, zeichen: ['山', '田'] },
    { feld: 'erl', position: 1, zeichen: ['①'] },
  ])
  expect(missingGlyphs(belegOf({}, [{}]))).toEqual([])
})

test('on paper a box stands for what cannot be printed', () => expect(printed('Wald 🌲!')).toBe('Wald □!'))

describe('text is set', () => {
  test('with one form of each letter and one line end', () =>
    expect(setText('a\u0308\r\nb\rc\u2028d')).toBe('ä\nb\nc\nd'))
  test('without controls, marks of direction and byte orders', () =>
    expect(setText('\uFEFFa\u0000b\u202Ec\u2066d\uFE0F')).toBe('abcd'))
  test('in one line', () => expect(setLine('  a \n\t b ')).toBe('a b'))
  test('in lines, empty ones within kept', () => expect(setLines(' a \n\n b\n')).toEqual(['a', '', ' b']))
  test('in paragraphs', () => expect(setParagraphs('a\nb\n \n\n\nc\n')).toEqual([['a', 'b'], ['c']]))
  test('and nothing is nothing', () =>
    expect([setLines('  \n'), setParagraphs(''), setLine('\t')]).toEqual([[], [], '']))
})

describe('a word may be parted anywhere', () => {
  const parted = (word: string): string => BREAKABLE_FROM + word + BREAKABLE_TO
  test.each([
    'https://geo.example/a?b=cccccccccccccccccccccc',
    '12345678901234567890123',
    'WWWWWWWWWWWWWWWWWWWWWWWWWWWW',
  ])('when nothing in it says where: %s', (word) =>
    expect(breakable(`x ${word} y`)).toContain(parted(word.split('/').at(-1)!)),
  )
  test.each([
    'Donaudampfschifffahrtsgesellschaft',
    'Clausthal-Zellerfelder-Forstamtsbezirk',
    'kurz',
    '(Flurstücksvermessungsprotokoll),',
  ])('but not a German one: %s', (word) => expect(breakable(word)).toBe(word))
})

test('the server knows the same characters', () =>
  expect(readFileSync(PRINTABLE_SQL, 'utf8'), 'node scripts/printable-sql.ts writes them').toBe(
    printableSql(),
  ))
