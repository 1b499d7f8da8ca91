import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import cases from './angebot.cases.json' with { type: 'json' }
import { auftragSummen, auftragZeilen, auswahlOf, basenOf, isEindeutig } from './angebot.ts'
import type { PositionArt } from './beleg.ts'
import { isCounted, type RechenPosition } from './rechnung.ts'

describe('what is ordered of an offer', () => {
  test.each(cases.map((one) => [one.why, one] as const))('%s', (_why, { kopf, positionen, basen, bestellt, eindeutig, ...sums }) => {
    const lines = positionen as RechenPosition[]
    expect(basenOf(lines)).toEqual(basen)
    expect(auftragZeilen(lines).map(isCounted)).toEqual(bestellt)
    expect(isEindeutig(lines)).toBe(eindeutig)
    const { netto, steuer, brutto } = auftragSummen({ ...kopf, positionen: lines })
    expect({ netto, steuer, brutto }).toEqual({ netto: sums.netto, steuer: sums.steuer, brutto: sums.brutto })
  })
  test('the choices it leaves, each with its lines', () => {
    const arten: PositionArt[] = [
      'position',
      'optional',
      'alternativ',
      'position',
      'alternativ',
      'alternativ',
      'ueberschrift',
      'alternativ',
    ]
    expect(auswahlOf(arten.map((art) => ({ art })))).toEqual([
      { basis: 1, art: 'optional', wahl: [1, 2] },
      { basis: 3, art: 'position', wahl: [4, 5] },
      { basis: null, art: 'alternativ', wahl: [7] },
    ])
  })
})

test('for all: whatever can be chosen stands in one choice, and one of each leaves as many lines ordered as there are plain ones and choices beyond', () => {
  const art = fc.constantFrom<PositionArt>('position', 'position', 'optional', 'alternativ', 'ueberschrift')
  fc.assert(
    fc.property(fc.array(art, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (arten, numbers) => {
      const lines = arten.map((one) => ({ art: one, gewaehlt: false }))
      const choices = auswahlOf(lines)
      expect(choices.flatMap(({ wahl }) => wahl).toSorted((a, b) => a - b)).toEqual(
        arten.flatMap((one, at) => (one === 'optional' || one === 'alternativ' ? [at] : [])),
      )
      const taken = new Set(choices.map(({ wahl }) => wahl[numbers.next().value! % wahl.length]!))
      const chosen = lines.map((line, at) => ({ ...line, gewaehlt: taken.has(at) }))
      expect(isEindeutig(chosen)).toBe(true)
      const plain = arten.filter((one) => one === 'position').length
      const beyond = choices.filter((choice) => choice.art !== 'position').length
      expect(auftragZeilen(chosen).filter(isCounted).length).toBe(plain + beyond)
    }),
  )
})
