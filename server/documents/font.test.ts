import { expect, test } from 'vitest'
import { PRINTABLE } from '#domain/printable.ts'
import { drawnCharacters } from './font.ts'

test('what the domain calls printable is what every font file draws, and nothing else', () => {
  const printable = PRINTABLE.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  )
  expect(printable).toEqual(drawnCharacters())
})
