import { expect, test } from 'vitest'
import { isKept } from './etag.ts'

test.each<readonly [header: string | undefined, etag: string, kept: boolean]>([
  [undefined, '"a"', false],
  ['', '"a"', false],
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['W/"a"', 'W/"a"', true],
  ['"b", W/"a"', '"a"', true],
  ['"b","c"', '"a"', false],
  [' * ', '"a"', true],
  ['"*"', '"a"', false],
  ['a', '"a"', false],
  ['"a', '"a"', false],
  ['"A"', '"a"', false],
  [`${'"b",'.repeat(2_000)}"a"`, '"a"', false],
])('If-None-Match %s for %s', (header, etag, kept) => expect(isKept(header, etag)).toBe(kept))
