// Bank statements in MT940 as German banks write them, and the faults of those that cannot be read.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CamtFault } from '../camt/statement.ts'
import { formatCents } from '../geld.ts'
import { ibanFault } from '../iban.ts'
import { isMt940, readMt940 } from './read-mt940.ts'

const IBAN = 'DE02120300000000202051'
const KUNDE = 'DE89370400440532013000'
const statement = (...entries: readonly string[]): string[] => [
  ':20:STARTUMS',
  ':25:12030000/0000202051',
  ':28C:00001/001',
  ':60F:C260301EUR1000,00',
  ...entries,
]
const text = (lines: readonly string[], end = ':62F:C260302EUR1119,00'): string =>
  [...lines, end, '-'].join('\r\n')
const only = (lines: readonly string[], end?: string) => {
  const [one, ...others] = readMt940(text(lines, end))
  expect(others).toEqual([])
  return one!
}
const first = (...lines: readonly string[]) => only(statement(...lines)).buchungen[0]!
const ENTRY = ':61:2603020302C119,00NTRFNONREF//B-1'

test('a statement has its account, balances, entries with other side, purpose and references', () => {
  expect(
    only(
      statement(
        ENTRY,
        ':86:166?00GUTSCHR. UEBERWEISUNG?109310?20EREF+E2E-7?21SVWZ+Rechnungs-Nr RE-2026-0?22012 Verm',
        'essung Nord?30COBADEFFXXX?31DE89370400440532013000?32Müßig &?33Söhne',
      ),
    ),
  ).toEqual({
    quelle: 'mt940',
    konto: IBAN,
    nummer: '00001/001',
    von: '2026-03-02',
    bis: '2026-03-02',
    anfang: '1000.00',
    ende: '1119.00',
    hinweise: [],
    buchungen: [
      {
        konto: IBAN,
        datum: '2026-03-02',
        betrag: '119.00',
        name: 'Müßig & Söhne',
        iban: KUNDE,
        zweck: 'Rechnungs-Nr RE-2026-0012 Vermessung Nord\nEREF: E2E-7',
        referenz: 'B-1|E2E-7',
      },
    ],
  })
})

describe('a purpose', () => {
  const purposeOf = (details: string): string => first(ENTRY, details).zweck
  test.each([
    [
      'in pieces of 27 characters and shorter ones',
      ':86:166?00X?20SVWZ+RE-2026-0001 und RE-202?216-0002 danke?22Familie Baum',
      'RE-2026-0001 und RE-2026-0002 danke Familie Baum',
    ],
    ['in ?60 to ?63', ':86:166?00X?20SVWZ+Rechnung vom?60zweiten?61dritten', 'Rechnung vom zweiten dritten'],
    ['without labels', ':86:051?00X?20RE-2026-0003?21Danke', 'RE-2026-0003 Danke'],
    [
      'with labels in the middle of a piece',
      ':86:166?20EREF+A1 MREF+M2 SVWZ+RE-1 ABWA+Baum',
      'RE-1\nEREF: A1',
    ],
    ['with labels of the Volksbanken', ':86:166?20EREF: A1 MREF: M2?21SVWZ: RE-1', 'RE-1\nEREF: A1'],
    ['that names an account', ':86:166?20SVWZ+Bitte auf IBAN: DE89 RE?21-1', 'RE-1\nBitte auf'],
    ['without an end-to-end reference', ':86:166?20EREF+NOTPROVIDED?21SVWZ+RE-1', 'RE-1'],
    ['that is missing', ':86:805?00ABSCHLUSS', 'ABSCHLUSS'],
    ['with another separator', ':86:166<00X<20SVWZ+RE-1?x', 'RE-1?x'],
    ['with the separator in its text', ':86:166?00X?20SVWZ+Wirklich?Ja', 'Wirklich?Ja'],
    ['in free text', ':86:Rechnung RE-1', 'Rechnung RE-1'],
    ['in free text that begins with a number', ':86:123.45 Rechnung', '123.45 Rechnung'],
    ['whose line looks like a tag', ':86:166?00X?20SVWZ+Siehe\r\n:9999:Nr', 'Siehe:9999:Nr'],
  ])('%s', (_what, details, expected) => expect(purposeOf(details)).toBe(expected))

  test('of a return says so; who pays for somebody else is named', () => {
    expect(
      first(':61:2603020302D119,00NRTINONREF', ':86:109?00RUECKLASTSCHRIFT?20SVWZ+RE-1?32Kunde A?31DE89'),
    ).toMatchObject({ betrag: '-119.00', name: 'Kunde A', zweck: 'RE-1\nRückgabe: RUECKLASTSCHRIFT' })
    expect(first(ENTRY, ':86:166?20SVWZ+RE-1?21ABWA+Erben Baum?32Notar').name).toBe('Notar (Erben Baum)')
  })
  test('without :86: is what is below the entry', () =>
    expect(first(ENTRY, 'GUTSCHRIFT', ':61:2603020302C1,00NTRFX').zweck).toBe('GUTSCHRIFT'))
})

describe('an entry', () => {
  test.each([
    ['C', '119.00'],
    ['D', '-119.00'],
    ['RC', '-119.00'],
    ['RD', '119.00'],
    ['CR', '119.00'],
    ['DR', '-119.00'],
    ['RCR', '-119.00'],
  ])('marked %s', (mark, amount) =>
    expect(first(`:61:2603020302${mark}119,00NTRFNONREF`, ':86:166?00X').betrag).toBe(amount),
  )
  test.each([
    ['2601021231', '2025-12-31'],
    ['2512310102', '2026-01-02'],
    ['2603020302', '2026-03-02'],
    ['240229', '2024-02-29'],
    ['2402280229', '2024-02-29'],
    // Banks calculate interest with months of 30 days.
    ['260230', '2026-02-28'],
    ['2602300302', '2026-03-02'],
  ])('of %s is booked on %s', (days, datum) =>
    expect(first(`:61:${days}C119,00NTRFNONREF`, ':86:166?00X').datum).toBe(datum),
  )
  test('without an amount is left out and told', () =>
    expect(only(statement(ENTRY, ':61:2603020302C0,00NTRFX')).hinweise).toEqual([
      { art: 'null', anzahl: 1, betrag: '0.00' },
    ]))
})

test.each([
  [':25:12030000/202051', IBAN],
  [':25:12030000/0000202051EUR', IBAN],
  [`:25:${IBAN}`, IBAN],
  [`:25:${IBAN}EUR`, IBAN],
  [':25:BYLADEM1001/202051', ''],
])('the account %s', (line, account) => {
  const read = only(statement(ENTRY).with(1, line))
  expect(read.konto).toBe(account)
  expect(read.hinweise.map(({ art }) => art)).toEqual(account === '' ? ['konto'] : [])
  if (account !== '') expect(ibanFault(read.konto)).toBeNull()
})

test('several statements, in envelopes and with pages, are all read', () => {
  const page = (more: string): string =>
    text(statement(ENTRY).with(3, ':60M:C260301EUR1000,00'), ':62M:C260302EUR1119,00').replace(
      'STARTUMS',
      more,
    )
  const envelope = `{1:F01BYLADEM1001XXXX0000000000}{2:I940X}{4:\r\n${text(statement(ENTRY))}}`
  const file = [envelope, page('B'), page('C')].join('\r\n')
  expect(readMt940(file).map(({ buchungen, hinweise }) => [buchungen.length, hinweise])).toEqual([
    [1, []],
    [1, []],
    [1, []],
  ])
})

test('balances that the entries do not explain are told with the difference', () =>
  expect(only(statement(ENTRY), ':62F:D260302EUR1,00').hinweise).toEqual([
    { art: 'saldo', anzahl: 1, betrag: '-1120.00' },
  ]))

describe('a file', () => {
  test.each<[string, string, string, string]>([
    ['an entry without direction', text(statement(':61:260302X119,00NTRFX')), 'mt940', '5'],
    ['an entry cut off', text(statement(':61:2603')), 'mt940', '5'],
    ['an amount with thousandths', text(statement(':61:260302C119,001NTRFX')), 'betrag', '260302 119,001'],
    [
      'an amount without end',
      text(statement(`:61:260302C${'9'.repeat(40)},00NX`)),
      'betrag',
      `260302 ${'9'.repeat(15)}`,
    ],
    ['a day that is none', text(statement(':61:261302C1,00NTRFX')), 'datum', '261302'],
    ['a day of booking that is none', text(statement(':61:2603021302C1,00NTRFX')), 'datum', '260302 1302'],
    ['another currency', text(statement().with(3, ':60F:C260301CHF1,00')), 'waehrung', 'CHF'],
    ['a balance that is none', text(statement().with(3, ':60F:C260301EUR')), 'mt940', '4'],
    ['cut off before its end', statement(ENTRY).join('\n'), 'mt940_ende', ''],
    ['an intraday report', text([':20:X', ':25:1/2', ':34F:EUR0,', ':13D:2603021200+0100']), 'mt942', ''],
    ['text before the first tag', `Hallo\n${text(statement(ENTRY))}`, 'mt940', '1'],
  ])('with %s is refused', (_what, file, code, was) => {
    expect(() => readMt940(file)).toThrow(CamtFault)
    try {
      readMt940(file)
    } catch (fault) {
      expect(fault).toMatchObject({ code, was })
    }
  })
  test('is recognised', () => {
    expect(isMt940(text(statement(ENTRY)))).toBe(true)
    expect(isMt940('{1:F01BYLADEM1001}{4:\n:20:X')).toBe(true)
    expect(isMt940('"Buchungstag";"Betrag"')).toBe(false)
    expect(isMt940('Bitte um 12:25:30 Uhr')).toBe(false)
  })
  test('of hostile length is read at once', () => {
    const began = performance.now()
    expect(() => readMt940(text(statement(`:61:260302C1,00NTRF${'/'.repeat(500_000)}x`)))).toThrow(CamtFault)
    expect(first(ENTRY, `:86:166?20SVWZ+${'EREF'.repeat(100_000)}`).zweck.length).toBeLessThanOrEqual(2000)
    expect(first(ENTRY, `:86:166${'?20'.repeat(100_000)}`).zweck).toBe('')
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

test('whatever is booked, the entries are the difference of the balances', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.constantFrom('C', 'D', 'RC', 'RD')), {
        maxLength: 30,
      }),
      (entries) => {
        const euro = (cents: number): string =>
          formatCents({ wert: BigInt(Math.abs(cents)), decimals: 2 }).replace('.', ',')
        const end = entries.reduce(
          (at, [cents, mark]) => at + (/^(C|RD)$/.test(mark) ? cents : -cents),
          100_000,
        )
        const read = only(
          statement(...entries.map(([cents, mark]) => `:61:2603020302${mark}${euro(cents)}NTRFX`)),
          `:62F:${end < 0 ? 'D' : 'C'}260302EUR${euro(end)}`,
        )
        expect(read.buchungen).toHaveLength(entries.length)
        expect(read.hinweise).toEqual([])
      },
    ),
    { numRuns: 50 },
  ))
