import { expect, test } from 'vitest'
import { printMarks } from './print-marks.ts'

test('the margins of printed pages: title, moment, address, number of the page', () => {
  const css = printMarks('Kunden - "Forst"', '/kunden/index?suche=eiche', new Date('2026-11-23T16:00:00Z'))
  expect(css).toContain('@top-left { content: "Kunden - \\"Forst\\"";')
  expect(css).toMatch(/@top-right \{ content: "23\.11\.2026/)
  expect(css).toContain('content: "/kunden/index?suche=eiche";')
  expect(css).toContain('content: "Seite " counter(page) " von " counter(pages) "";')
})
