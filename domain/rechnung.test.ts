import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PositionKind, TaxCategory } from './beleg.ts'
import {
  decimal,
  formatCents,
  formatDecimal,
  multiply,
  negate,
  negateText,
  percentOf,
  round2,
  subtract,
  sum,
} from './geld.ts'
import cases from './rechnung.cases.json' with { type: 'json' }
import {
  computeBeleg,
  belegSums,
  isCounted,
  positionAmount,
  positionNumbers,
  type BelegBasis,
  type PositionBasis,
  splitByLargestRemainder,
} from './rechnung.ts'
import { negateSums } from './rechnung.oracle.ts'

const inputOf = ({ kopf, positionen }: (typeof cases)[number]): BelegBasis => ({
  ...kopf,
  positionen: positionen as readonly PositionBasis[],
})

describe('the table of cases', () => {
  test('is a table of cases', () => expect(cases.length).toBeGreaterThanOrEqual(60))
  for (const each of cases)
    test(each.why, () => {
      const { summen, zeilen } = computeBeleg(inputOf(each))
      expect(summen).toEqual(each.summen)
      expect(zeilen).toEqual(each.zeilen)
      expect(belegSums(inputOf(each))).toEqual(each.summen)
    })
})

describe('the table would find who reckons otherwise', () => {
  // Each wrong way must fail in some case; otherwise the table would not protect the right one.
  const cents = (value: number): string => (Math.round(value * 100) / 100).toFixed(2)
  const anyLine = (wrong: (line: PositionBasis) => string): boolean =>
    cases.some((each) =>
      inputOf(each).positionen.some(
        (line) => line.art !== 'ueberschrift' && wrong(line) !== formatCents(positionAmount(line)),
      ),
    )
  test('lines in binary floats', () =>
    expect(
      anyLine((line) =>
        cents(Number(line.anzahl) * Number(line.ep) * (1 - Number(line.rabatt_prozent) / 100)),
      ),
    ).toBe(true))
  test('lines rounded twice', () =>
    expect(
      anyLine((line) =>
        formatCents(
          percentOf(
            round2(multiply(decimal(line.anzahl), decimal(line.ep))),
            subtract(decimal('100'), decimal(line.rabatt_prozent)),
          ),
        ),
      ),
    ).toBe(true))
  test('lines that are not rounded', () =>
    expect(
      cases.some((each) => {
        const exact = sum(
          inputOf(each)
            .positionen.filter(isCounted)
            .map((line) =>
              percentOf(
                multiply(decimal(line.anzahl), decimal(line.ep)),
                subtract(decimal('100'), decimal(line.rabatt_prozent)),
              ),
            ),
        )
        return formatCents(exact) !== each.summen.positionen
      }),
    ).toBe(true))
  test('tax by lines', () =>
    expect(
      cases.some((each) => {
        if (each.summen.steuern.length !== 1) return false
        const rate = decimal(each.summen.steuern[0]!.satz)
        const byLines = sum(
          inputOf(each)
            .positionen.filter(isCounted)
            .map((line) => round2(percentOf(positionAmount(line), rate))),
        )
        return each.summen.rabatt === '0.00' && formatCents(byLines) !== each.summen.steuer
      }),
    ).toBe(true))
  test('tax in binary floats', () =>
    expect(
      cases.some((each) =>
        each.summen.steuern.some(
          (group) => cents((Number(group.basis) * Number(group.satz)) / 100) !== group.steuer,
        ),
      ),
    ).toBe(true))
  test('a share of the discount that is rounded by itself', () =>
    expect(
      cases.some((each) =>
        each.summen.steuern.some(
          (group) =>
            formatCents(percentOf(decimal(group.positionen), decimal(each.kopf.rabatt_prozent))) !==
            group.rabatt,
        ),
      ),
    ).toBe(true))
})

test('what counts', () => {
  expect(
    [
      { art: 'optional', gewaehlt: null },
      { art: 'alternativ' },
      { art: 'ueberschrift', gewaehlt: true },
      { art: 'optional', gewaehlt: false },
    ].some((line) => isCounted(line as PositionBasis)),
  ).toBe(false)
  expect(
    [
      { art: 'position', gewaehlt: null },
      { art: 'optional', gewaehlt: true },
      { art: 'alternativ', gewaehlt: true },
    ].every((line) => isCounted(line as PositionBasis)),
  ).toBe(true)
})

describe('numbers', () => {
  const numbers = (text: string): string =>
    positionNumbers(
      [...text].map((letter) => ({
        art: ({ p: 'position', o: 'optional', a: 'alternativ', h: 'ueberschrift' } as const)[letter as 'p'],
      })),
    ).join(' ')
  for (const [lines, expected] of [
    ['', ''],
    ['ppp', '1 2 3'],
    ['poa', '1 2 3'],
    ['hpp', '1 1.1 1.2'],
    ['pphpphp', '1 2 3 3.1 3.2 4 4.1'],
    ['hhp', '1 2 2.1'],
  ] as const)
    test(`${lines || 'nothing'}: ${expected}`, () => expect(numbers(lines)).toBe(expected))
})

describe('split', () => {
  const split = (total: string, ...shares: string[]): string =>
    splitByLargestRemainder(decimal(total), shares.map(decimal)).map(formatDecimal).join(' ')
  test('what divides evenly', () => expect(split('3.00', '1.00', '2.00')).toBe('1.00 2.00'))
  test('largest remainder first, then the first of equals', () => {
    expect(split('0.03', '0.011', '0.019')).toBe('0.01 0.02')
    expect(split('0.01', '0.005', '0.005')).toBe('0.01 0.00')
    expect(split('0.02', '0.005', '0.005', '0.005')).toBe('0.01 0.01 0.00')
  })
  test('negative', () => expect(split('-0.01', '-0.005', '-0.005')).toBe('-0.01 0.00'))
  test('mixed', () => expect(split('0.01', '0.016', '-0.006')).toBe('0.02 -0.01'))
})

const places = (most: bigint, decimals: number, negative = true): fc.Arbitrary<string> =>
  fc.bigInt({ min: negative ? -most : 0n, max: most }).map((wert) => formatDecimal({ wert, decimals }))
const anyPosition: fc.Arbitrary<PositionBasis> = fc.record({
  art: fc.constantFrom<PositionKind>(
    'position',
    'position',
    'position',
    'optional',
    'alternativ',
    'ueberschrift',
  ),
  anzahl: places(10_000_000n, 3),
  ep: places(100_000_000n, 4),
  rabatt_prozent: fc.oneof(fc.constant('0'), places(10_000n, 2, false)),
  ust_satz: fc.constantFrom(null, '19.00', '7.00', '16.00', '5.5', '0'),
  kategorie: fc.constantFrom<TaxCategory | null>(null, null, null, 'S', 'E', 'AE', 'O'),
  steuergrund: fc.constantFrom('', 'Grund A', 'Grund B', null),
  gewaehlt: fc.constantFrom(true, false, null),
})
const anyBeleg: fc.Arbitrary<BelegBasis> = fc.record({
  positionen: fc.array(anyPosition, { maxLength: 20 }),
  rabatt_prozent: fc.oneof(fc.constant('0'), fc.constant('100.00'), places(10_000n, 2, false)),
  ust_satz: fc.constantFrom('19.00', '7.00', '0.00'),
  anzahlung: places(10_000_000n, 2, false),
  kleinunternehmer: fc.boolean(),
})
const total = (values: readonly string[]): string => formatCents(sum(values.map(decimal)))
const negated = (beleg: BelegBasis): BelegBasis => ({
  ...beleg,
  positionen: beleg.positionen.map((position) => ({ ...position, anzahl: negateText(position.anzahl) })),
  anzahlung: negateText(beleg.anzahlung),
})

describe('for every document', () => {
  const always = (check: (beleg: BelegBasis) => void): void =>
    fc.assert(
      fc.property(anyBeleg, (beleg) => {
        check(beleg)
      }),
      { numRuns: 3000 },
    )
  test('totals are the sums of groups and lines', () =>
    always((beleg) => {
      const { summen, zeilen } = computeBeleg(beleg)
      for (const key of ['positionen', 'rabatt', 'steuer'] as const)
        expect(total(summen.steuern.map((group) => group[key]))).toBe(summen[key])
      expect(total(summen.steuern.map((group) => group.basis))).toBe(summen.netto)
      expect(
        total(zeilen.filter((_, index) => isCounted(beleg.positionen[index]!)).map((row) => row.betrag)),
      ).toBe(summen.positionen)
      expect(total([summen.netto, summen.steuer])).toBe(summen.brutto)
      expect(total([summen.zahlbetrag, summen.anzahlung])).toBe(summen.brutto)
    }))
  test('the share of a group is never further than a cent from what it would be', () =>
    always((beleg) => {
      for (const group of belegSums(beleg).steuern) {
        const off = subtract(
          percentOf(decimal(group.positionen), decimal(beleg.rabatt_prozent)),
          decimal(group.rabatt),
        )
        const most = 10n ** BigInt(off.decimals - 2)
        expect(off.wert < most && off.wert > -most).toBe(true)
      }
    }))
  test('groups are one per category and rate, in their order', () =>
    always((beleg) => {
      const keys = belegSums(beleg).steuern.map(
        (group) =>
          `${'S E AE O'.split(' ').indexOf(group.kategorie)} ` +
          `${String(1e6 - Math.round(Number(group.satz) * 100)).padStart(8, '0')}`,
      )
      expect(keys).toEqual([...new Set(keys)].sort())
    }))
  test('only S bears tax', () =>
    always((beleg) => {
      for (const group of belegSums(beleg).steuern)
        if (group.kategorie !== 'S') expect([group.satz, group.steuer]).toEqual(['0.00', '0.00'])
    }))
  test('the document of the reversed quantities is the exact negation, and twice negated it is itself', () =>
    always((beleg) => {
      const sums = belegSums(beleg)
      expect(belegSums(negated(beleg))).toEqual(negateSums(sums))
      expect(negateSums(negateSums(sums))).toEqual(sums)
    }))
  test('subtotals of the headings and the lines before them make the whole', () =>
    always((beleg) => {
      const { summen, zeilen } = computeBeleg(beleg)
      const first = beleg.positionen.findIndex((position) => position.art === 'ueberschrift')
      const parts = beleg.positionen.flatMap((position, index) =>
        position.art === 'ueberschrift' || (isCounted(position) && (first === -1 || index < first))
          ? [zeilen[index]!.betrag]
          : [],
      )
      expect(total(parts)).toBe(summen.positionen)
      expect(new Set(zeilen.map((row) => row.nr)).size).toBe(zeilen.length)
    }))
  test('the order of the lines changes no amount', () =>
    always((beleg) => {
      const amounts = ({ steuern, ...rest }: ReturnType<typeof belegSums>) => ({
        ...rest,
        steuern: steuern.map((group) => ({ ...group, grund: '' })),
      })
      expect(amounts(belegSums({ ...beleg, positionen: beleg.positionen.toReversed() }))).toEqual(
        amounts(belegSums(beleg)),
      )
    }))
  test('a line is the rounded product and never off by more than half a cent', () =>
    fc.assert(
      fc.property(anyPosition, (line) => {
        const exact = percentOf(
          multiply(decimal(line.anzahl), decimal(line.ep)),
          subtract(decimal('100'), decimal(line.rabatt_prozent)),
        )
        const off = subtract(exact, positionAmount(line))
        const doubled = off.wert < 0n ? -2n * off.wert : 2n * off.wert
        expect(doubled <= 10n ** BigInt(off.decimals - 2)).toBe(true)
        expect(positionAmount({ ...line, anzahl: negateText(line.anzahl) })).toEqual(
          negate(positionAmount(line)),
        )
      }),
      { numRuns: 3000 },
    ))
})
