import { expect, test } from 'vitest'
import { axisWidth, shownLabels, textWidth } from './axis.ts'

const MONTHS = ['Jan', 'Feb', 'Mrz', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez']
const LABELS = {
  months: MONTHS,
  'months with years': [...MONTHS, ...MONTHS].map((month, at) => `${month}. ${at < 12 ? 26 : 27}`),
  years: ['2024', '2025', '2026'],
  words: ['Baden-Württemberg', 'Hessen', 'Mecklenburg-Vorpommern', 'Saarland'],
} as const

for (const [name, labels] of Object.entries(LABELS))
  for (const width of [260, 320, 390, 700, 900, 1400])
    test(`${name}: no label touches another or the edge, ${width} px wide`, () => {
      const slot = (width - 60) / labels.length
      const boxes = shownLabels(labels, slot).flatMap((shown, at) => {
        const middle = slot * (at + 0.5)
        const half = textWidth(labels[at]!) / 2
        return shown ? [[middle - half, middle + half] as const] : []
      })
      for (const [at, [left]] of boxes.entries())
        if (at > 0) expect(left).toBeGreaterThan(boxes[at - 1]![1] + 2)
      expect(boxes.at(-1)?.[1] ?? 0).toBeLessThanOrEqual(width - 60)
    })

test('with room, every label is shown', () => expect(shownLabels(MONTHS, 60)).toEqual(MONTHS.map(() => true)))
test('bars without words have none', () => expect(shownLabels(['', ''], 100)).toEqual([false, false]))
test('the axis is as wide as its longest value', () =>
  expect(axisWidth(['0 €', '1.000.000 €'])).toBeGreaterThan(axisWidth(['0', '20'])))
