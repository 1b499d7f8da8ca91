import { expect, test } from 'vitest'
import { DRUCKBAR } from '#domain/druckbar.ts'
import { drawnCharacters } from './schrift.ts'

test('what the domain calls printable is what every font file draws, and nothing else', () => {
  const printable = DRUCKBAR.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  expect(printable).toEqual(drawnCharacters())
})
