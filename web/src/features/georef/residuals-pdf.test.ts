// The report of residuals: its figures match the screen, and a long one continues on the next page.
import { expect, test } from 'vitest'
import { evaluatePoints } from '#domain/georef/evaluation.ts'
import { stateOf } from '#domain/georef/session.ts'
import { pixelText } from './georef-words.ts'
import { residualsPdf } from './residuals-pdf.ts'

const report = (count: number, kind: 'polynom1' | 'tps' = 'polynom1') => {
  const points = Array.from({ length: count }, (_, i) => {
    const [column, row] = [(i * 791) % 2900, (i * 457) % 1900]
    return {
      spalte: column,
      zeile: row,
      ost: 412_000 + 0.25 * column + Math.sin(i * 3) * 2,
      nord: 5_987_000 - 0.25 * row + Math.cos(i * 5) * 2,
      enable: i !== 2,
    }
  })
  const stand = stateOf({ typ: kind, epsg: 25833, res: null, label: null }, points)
  const evaluation = evaluatePoints(kind, stand.punkte, 3000, 2000)
  const bytes = residualsPdf({
    stand,
    evaluation,
    kartenName: 'Blatt (3) Süd',
    breite: 3000,
    hoehe: 2000,
    present: new Date('2026-11-22T10:00:00Z'),
  })
  const raw = Buffer.from(bytes).toString('latin1')
  // Texts are encoded as hexadecimal.
  const texts = [...raw.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, hex]) =>
    Buffer.from(hex!, 'hex').toString('latin1'),
  )
  return { raw, texts, evaluation }
}

test('every point is in it with its figures, the worst is marked', () => {
  const { raw, texts, evaluation } = report(8)
  expect(texts).toContain('Restfehler: Blatt (3) Süd')
  for (const rest of evaluation.rest) expect(texts).toContain(pixelText(rest!.laenge))
  expect(texts).toContain(`${pixelText(evaluation.quality!.rmse, 3)} Pixel`)
  expect(texts).toContain(`${pixelText(evaluation.quality!.meanError, 3)} Pixel`)
  expect(texts).toContain('7 von 8 benutzt')
  expect(texts.filter((text) => text === 'nein')).toHaveLength(1)
  // Eight arrows, seven of them for points in use, and the rule below the table head.
  expect(raw.match(/ l S/g)!.length).toBe(8 + 1)
  expect(raw).toContain('/Count 1 ')
})
test('a long one goes on with its head on the next page, and every object lies where the table says', () => {
  const { raw, texts } = report(120)
  const pages = Number(/\/Count (\d+)/.exec(raw)![1])
  expect(pages).toBeGreaterThan(2)
  expect(texts.filter((text) => text === 'Ausgelassen')).toHaveLength(pages)
  expect(texts).toContain(`Seite ${pages} von ${pages}`)
  const at = Number(/startxref\n(\d+)/.exec(raw)![1])
  const places = [...raw.slice(at).matchAll(/^(\d{10}) 00000 n /gm)].map(([, place]) => Number(place))
  expect(places).toHaveLength(5 + 2 * pages)
  for (const [nr, place] of places.entries())
    expect(raw.slice(place).startsWith(`${nr + 1} 0 obj`)).toBe(true)
})
test('of a spline no arrows are drawn', () =>
  expect(report(8, 'tps').texts).toContain('Ohne Pfeile: Das Verfahren geht durch jeden Punkt.'))
