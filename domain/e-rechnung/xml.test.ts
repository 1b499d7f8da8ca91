import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml } from '../../test/einvoice/xml-tree.ts'
import { attribute, block, blockOf, escapeXml, exact, leaf, lineOf, node, textOf } from './xml.ts'

describe('text', () => {
  test.each([
    ['a\u0000b\u0008c\u001Fd', 'abcd'],
    ['a\uFFFEb\uFFFFc', 'abc'],
    ['tab\tstays', 'tab\tstays'],
    ['1\r\n2\r3\u000B4\u000C5', '1\n2\n3\n4\n5'],
    ['half \uD83D of a sign', 'half \uFFFD of a sign'],
    ['whole 😀 sign', 'whole 😀 sign'],
    ['\u0085\u2028\u00A0\u200B', '\u0085\u2028\u00A0\u200B'],
  ])('%j becomes %j', (given, wanted) => expect(textOf(given)).toBe(wanted))

  test('the five signs of XML are escaped where they mean something', () =>
    expect(escapeXml(`<a b="c">&amp; ]]> 'd'</a>`)).toBe(
      `&lt;a b=&quot;c&quot;&gt;&amp;amp; ]]&gt; 'd'&lt;/a&gt;`,
    ))
  test('a line has no line breaks, a block keeps them, both lose blank ends', () => {
    expect(lineOf(' \n a\t\r\n b\u00A0 ')).toBe('a b')
    expect(blockOf(' \n a\n\nb \u00A0')).toBe('a\n\nb')
  })
  test('the same text taken twice is the same', () =>
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => textOf(textOf(text)) === textOf(text))))
  test('whatever is written comes back from a strict parser', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const element = parseXml(`<r${attribute('a', lineOf(text))}>${exact('t', textOf(text))}</r>`)
        expect(element.attributes['a']).toBe(lineOf(text))
        expect(element.children[0]?.text ?? '').toBe(textOf(text))
      }),
      { numRuns: 1000 },
    ))
  test('half pairs, forbidden signs and ends of sections come back as they were cleaned', () => {
    for (const text of ['\uD800', ']]>', '\u0000', '&#1;', '<!--', '\r', '\uFFFF'])
      expect(parseXml(exact('t', `x${textOf(text)}`)).text).toBe(`x${textOf(text)}`)
  })
})

describe('elements', () => {
  test('are left out where nothing is in them', () => {
    expect(leaf('a', ' \n\u00A0')).toBe('')
    expect(block('a', '\u0000\r')).toBe('')
    expect(node('a', leaf('b', ''), node('c', ''))).toBe('')
  })
  test('stand on lines of their own, their text untouched', () =>
    expect(node('a', leaf('b', ' 1 ', ' x="2"'), block('c', 'd\ne'), exact('f', 'g\n'))).toBe(
      '<a>\n<b x="2">1</b>\n<c>d\ne</c>\n<f>g\n</f>\n</a>\n',
    ))
})

test('the parser of these tests refuses what XML refuses', () => {
  for (const broken of [
    '<a>\u0001</a>',
    '<a>&#1;</a>',
    '<a>]]></a>',
    '<a>&</a>',
    '<a><b></a>',
    '<a/><b/>',
    '<a>\uFFFE</a>',
    '<x:a/>',
    '',
  ])
    expect(() => parseXml(broken), broken).toThrow()
})
