import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import cases from './angebot.cases.json' with { type: 'json' }
import { orderedSums, orderedLines, choiceOf, basesOf } from './angebot.ts'
import { isUnambiguous } from './angebot.oracle.ts'
import type { PositionKind } from './beleg.ts'
import { isCounted, type PositionBasis } from './rechnung.ts'

describe('what is ordered of an offer', () => {
  test.each(cases.map((one) => [one.why, one] as const))(
    '%s',
    (_why, { kopf, positionen, basen, bestellt, eindeutig, ...sums }) => {
      const lines = positionen as PositionBasis[]
      expect(basesOf(lines)).toEqual(basen)
      expect(orderedLines(lines).map(isCounted)).toEqual(bestellt)
      expect(isUnambiguous(lines)).toBe(eindeutig)
      const { netto, steuer, brutto } = orderedSums({ ...kopf, positionen: lines })
      expect({ netto, steuer, brutto }).toEqual({
        netto: sums.netto,
        steuer: sums.steuer,
        brutto: sums.brutto,
      })
    },
  )
  test('the choices it leaves, each with its lines', () => {
    const kinds: PositionKind[] = [
      'position',
      'optional',
      'alternativ',
      'position',
      'alternativ',
      'alternativ',
      'ueberschrift',
      'alternativ',
    ]
    expect(choiceOf(kinds.map((art) => ({ art })))).toEqual([
      { basis: 1, art: 'optional', options: [1, 2] },
      { basis: 3, art: 'position', options: [4, 5] },
      { basis: null, art: 'alternativ', options: [7] },
    ])
  })
})

test('for all: each alternative is in one choice, and one of each choice is ordered', () => {
  const art = fc.constantFrom<PositionKind>('position', 'position', 'optional', 'alternativ', 'ueberschrift')
  fc.assert(
    fc.property(fc.array(art, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (kinds, numbers) => {
      const lines = kinds.map((one) => ({ art: one, gewaehlt: false }))
      const choices = choiceOf(lines)
      expect(choices.flatMap(({ options }) => options).toSorted((a, b) => a - b)).toEqual(
        kinds.flatMap((one, at) => (one === 'optional' || one === 'alternativ' ? [at] : [])),
      )
      const taken = new Set(choices.map(({ options }) => options[numbers.next().value! % options.length]!))
      const chosen = lines.map((line, at) => ({ ...line, gewaehlt: taken.has(at) }))
      expect(isUnambiguous(chosen)).toBe(true)
      const plain = kinds.filter((one) => one === 'position').length
      const beyond = choices.filter((choice) => choice.art !== 'position').length
      expect(orderedLines(chosen).filter(isCounted).length).toBe(plain + beyond)
    }),
  )
})
