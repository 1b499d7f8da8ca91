import { expect, test } from 'vitest'
import { fittingText } from './ol-bestand.ts'

test('a stand has as much of its address as there is room for, and nothing where there is none', () => {
  const texts = ['Rev. 2 Jg. 109 4', 'Jg. 109 4', '4']
  expect([300, 100, 20, 3].map((pixels) => fittingText(texts, pixels))).toEqual([...texts, null])
  expect(fittingText(['', ''], 300)).toBeNull()
})
