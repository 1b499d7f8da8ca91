import { expect, test } from 'vitest'
import { PRINTABLE } from '#domain/printable.ts'
import { fontFiles } from './font.ts'

function tableOf(font: Buffer, name: string): number {
  const count = font.readUInt16BE(4)
  for (let index = 0; index < count; index++) {
    const entry = 12 + 16 * index
    if (font.toString('latin1', entry, entry + 4) === name) return font.readUInt32BE(entry + 8)
  }
  throw new Error(`font without table ${name}`)
}

/** Code points of the full Unicode table (platform 3, encoding 10, format 12). */
function coveredBy(font: Buffer): Set<number> {
  const cmap = tableOf(font, 'cmap')
  const count = font.readUInt16BE(cmap + 2)
  for (let index = 0; index < count; index++) {
    const entry = cmap + 4 + 8 * index
    if (font.readUInt16BE(entry) !== 3 || font.readUInt16BE(entry + 2) !== 10) continue
    const table = cmap + font.readUInt32BE(entry + 4)
    const covered = new Set<number>()
    for (let group = 0; group < font.readUInt32BE(table + 12); group++) {
      const at = table + 16 + 12 * group
      for (let code = font.readUInt32BE(at); code <= font.readUInt32BE(at + 4); code++) covered.add(code)
    }
    return covered
  }
  throw new Error('font without a full table of characters')
}

/** Characters that every one of the fonts contains, in ascending order. */
const drawnCharacters = (): number[] => {
  const [first, ...others] = fontFiles().map(coveredBy)
  return [...first!].filter((code) => others.every((covered) => covered.has(code))).sort((a, b) => a - b)
}

test('what the domain calls printable is what every font file draws, and nothing else', () => {
  const printable = PRINTABLE.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  )
  expect(printable).toEqual(drawnCharacters())
})
