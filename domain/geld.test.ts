import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  divideRounded,
  formatAmount,
  formatCents,
  formatDecimal,
  formatEuro,
  formatGerman,
  isEqual,
  multiply,
  negate,
  negateText,
  parseDecimal,
  parseHundredths,
  parseNumberInput,
  percentOf,
  round2,
  roundTo,
  sign,
  subtract,
  sum,
} from './geld.ts'

const anyDecimal = fc.record({
  wert: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  decimals: fc.integer({ min: 0, max: 6 }),
})

describe('text of the wire', () => {
  for (const text of [
    '0',
    '0.00',
    '1234.50',
    '-0.01',
    '-12.3456',
    '0.000001',
    '999999999999.99',
    '100000000000000000000.05',
  ])
    test(`${text} comes back as it is`, () => expect(formatDecimal(decimal(text))).toBe(text))
  for (const text of [
    '',
    ' ',
    '1,5',
    '1.',
    '.5',
    '+1',
    '1e3',
    '0x10',
    '1.1234567',
    'NaN',
    'Infinity',
    '1 000',
    '--1',
    '١',
    '1.5 ',
  ])
    test(`${JSON.stringify(text)} is none`, () => {
      expect(parseDecimal(text)).toBeNull()
      expect(() => decimal(text)).toThrow(RangeError)
    })
  test('there is no minus zero', () => {
    expect(formatDecimal(decimal('-0.00'))).toBe('0.00')
    expect(negateText('0.00')).toBe('0.00')
    expect(formatCents(decimal('-0.004'))).toBe('0.00')
  })
  test('and back, for every decimal', () =>
    fc.assert(
      fc.property(anyDecimal, (value) => {
        expect(decimal(formatDecimal(value))).toEqual(value)
      }),
      { numRuns: 2000 },
    ))
})

describe('column of two places', () => {
  test.each([
    ['480', 48000n],
    ['480.5', 48050n],
    ['0.05', 5n],
    ['-3.10', -310n],
    [12.34, 1234n],
    ['33.3300', 3333n],
  ])('%s', (given, cents) => expect(parseHundredths(given)).toEqual({ wert: cents, decimals: 2 }))
  test.each(['', 'abc', '1,50', '1.234', '1e5', '--1'])('%s is none', (given) =>
    expect(() => parseHundredths(given)).toThrow(RangeError),
  )
})

describe('rounding', () => {
  // The third column is what binary floats give (Math.round(x * 100) / 100 or toFixed(2)).
  for (const [text, rounded, float] of [
    ['1.005', '1.01', '1.00'],
    ['2.675', '2.68', '2.67'],
    ['1.345', '1.35', '1.34'],
    ['8.575', '8.58', '8.57'],
    ['10.235', '10.24', '10.23'],
    ['-0.005', '-0.01', '-0.01'],
  ] as const) {
    test(`${text} is ${rounded}`, () => expect(formatCents(decimal(text))).toBe(rounded))
    if (float !== rounded)
      test(`a float would say ${float}`, () => expect(Number(text).toFixed(2)).toBe(float))
  }
  for (const [text, rounded] of [
    ['-2.5', '-3'],
    ['2.5', '3'],
    ['-1.5', '-2'],
    ['0.5', '1'],
    ['-0.5', '-1'],
    ['0.4999', '0'],
    ['-0.4999', '0'],
    ['1.999999', '2'],
  ] as const)
    test(`${text} to whole is ${rounded}: half goes away from zero`, () =>
      expect(formatDecimal(roundTo(decimal(text), 0))).toBe(rounded))
  test('odd divisors', () => {
    expect([5n, -5n, 4n, -4n, 2n, -2n, 1n].map((value) => divideRounded(value, 3n))).toEqual([
      2n,
      -2n,
      1n,
      -1n,
      1n,
      -1n,
      0n,
    ])
    expect([7n, -7n, 3n, -3n].map((value) => divideRounded(value, 2n))).toEqual([4n, -4n, 2n, -2n])
  })
  test('is symmetric, never further off than half, and leaves cents alone', () =>
    fc.assert(
      fc.property(anyDecimal, (value) => {
        const rounded = round2(value)
        expect(round2(negate(value))).toEqual(negate(rounded))
        expect(round2(rounded)).toEqual(rounded)
        const off = subtract(value, rounded)
        expect(
          compare({ wert: off.wert < 0n ? -off.wert : off.wert, decimals: off.decimals }, decimal('0.005')),
        ).not.toBe(1)
      }),
      { numRuns: 2000 },
    ))
})

describe('arithmetic', () => {
  test('0.1 + 0.2', () => expect(formatDecimal(add(decimal('0.1'), decimal('0.2')))).toBe('0.3'))
  test('different places', () =>
    expect(formatDecimal(subtract(decimal('1'), decimal('0.001')))).toBe('0.999'))
  test('products are exact', () =>
    expect(formatDecimal(multiply(decimal('1.11'), decimal('-0.0003')))).toBe('-0.000333'))
  test('beyond what a float can hold', () =>
    expect(formatDecimal(multiply(decimal('999999999.999'), decimal('9999999999.9999')))).toBe(
      '9999999999989900000.0000001',
    ))
  test('quotients are rounded half away from zero, whatever the signs', () =>
    expect(
      (
        [
          ['2', '3', 2],
          ['-2', '3', 2],
          ['2.00', '-3.0', 2],
          ['-1', '-8', 2],
          ['1', '0.03', 0],
          ['0', '-7', 1],
        ] as const
      ).map(([one, other, places]) => formatDecimal(divide(decimal(one), decimal(other), places))),
    ).toEqual(['0.67', '-0.67', '-0.67', '0.13', '33', '0.0']))
  test('per cent', () =>
    expect(formatDecimal(percentOf(decimal('200.00'), decimal('19.00')))).toBe('38.000000'))
  test('1.5 is 1.50', () => {
    expect(isEqual(decimal('1.5'), decimal('1.50'))).toBe(true)
    expect(compare(decimal('-1.51'), decimal('-1.5'))).toBe(-1)
    expect(compare(decimal('10'), decimal('9.999'))).toBe(1)
    expect([decimal('-0.01'), decimal('0.000'), decimal('3')].map(sign)).toEqual([-1, 0, 1])
  })
  test('a sum of nothing is nothing, of a hundred cents one euro', () => {
    expect(formatDecimal(sum([]))).toBe('0.00')
    expect(formatDecimal(sum(Array.from({ length: 100 }, () => decimal('0.01'))))).toBe('1.00')
  })
})

describe('shown in German', () => {
  for (const [text, shown] of [
    ['1234.50', '1.234,50\u00A0€'],
    ['-1234567.8', '-1.234.567,80\u00A0€'],
    ['0', '0,00\u00A0€'],
    ['999.995', '1.000,00\u00A0€'],
    ['-0.001', '0,00\u00A0€'],
    ['123', '123,00\u00A0€'],
  ] as const)
    test(`${text} as ${shown}`, () => expect(formatEuro(text)).toBe(shown))
  test('as the browser shows it', () => {
    const browser = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' })
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
        expect(formatEuro({ wert: BigInt(cents), decimals: 2 })).toBe(
          browser.format(`${formatDecimal({ wert: BigInt(cents), decimals: 2 })}` as `${number}`),
        )
      }),
    )
  })
  test('numbers keep what they have', () => {
    expect(formatGerman(decimal('12.5000'))).toBe('12,5')
    expect(formatGerman(decimal('12.000'))).toBe('12')
    expect(formatGerman(decimal('1.2345'), { atLeast: 2 })).toBe('1,2345')
    expect(formatGerman(decimal('1.2000'), { atLeast: 2 })).toBe('1,20')
    expect(formatGerman(decimal('1200'), { atLeast: 0 })).toBe('1.200')
    expect(formatGerman(decimal('1.2345'), { atMost: 3 })).toBe('1,235')
    expect(formatAmount('7')).toBe('7,00')
  })
})

describe('typed in German', () => {
  const money = { decimals: 2, integerDigits: 12 }
  const price = { decimals: 4, integerDigits: 10, allowNegative: true }
  for (const [typed, wire] of [
    ['1.234,50', '1234.50'],
    ['1234,5', '1234.50'],
    ['1.234', '1234.00'],
    ['12,', '12.00'],
    ['0,10', '0.10'],
    ['007', '7.00'],
    [' 12,50 € ', '12.50'],
    ['12,50 EUR', '12.50'],
    ['12,5%', '12.50'],
    ['1 234,50', '1234.50'],
    ['1\u202F234,50', '1234.50'],
    ['1,2000000', '1.20'],
    ['999.999.999.999,99', '999999999999.99'],
    ['-0', '0.00'],
    [',5', '0.50'],
  ] as const)
    test(`${JSON.stringify(typed)} is ${wire}`, () =>
      expect(formatDecimal(parseNumberInput(typed, money) as Decimal)).toBe(wire))
  for (const [typed, fault] of [
    ['', 'fehlt'],
    ['  ', 'fehlt'],
    ['€', 'fehlt'],
    ['zwölf', 'zahl'],
    ['1,2,3', 'zahl'],
    ['-', 'zahl'],
    [',', 'zahl'],
    ['0.123', 'punkt'],
    ['.5', 'punkt'],
    ['1e3', 'zahl'],
    ['+5', 'zahl'],
    ['12.5', 'punkt'],
    ['1.23', 'punkt'],
    ['1234.567', 'punkt'],
    ['1.23,5', 'punkt'],
    ['0,001', 'stellen'],
    ['1.234,567', 'stellen'],
    ['1000000000000', 'gross'],
    ['-5', 'negativ'],
    ['−5', 'negativ'],
  ] as const)
    test(`${JSON.stringify(typed)}: ${fault}`, () => expect(parseNumberInput(typed, money)).toBe(fault))
  test('credit lines may be below nothing', () => {
    expect(formatDecimal(parseNumberInput('-1.000,1234', price) as Decimal)).toBe('-1000.1234')
    expect(formatDecimal(parseNumberInput('−5', price) as Decimal)).toBe('-5.0000')
  })
  test('what is shown can be typed', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 11n), max: 10n ** 11n }), (wert) => {
        expect(
          parseNumberInput(formatEuro({ wert, decimals: 2 }), { ...money, allowNegative: true }),
        ).toEqual({ wert, decimals: 2 })
      }),
      { numRuns: 1000 },
    ))
})
