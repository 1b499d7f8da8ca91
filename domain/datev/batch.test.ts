import { describe, expect, test } from 'vitest'
import type { Beleg } from '../beleg.ts'
import { type MusterBeleg, musterBeleg, musterPosition, computeMuster } from '../beleg-sample.ts'
import golden from './golden.cases.json' with { type: 'json' }
import { negateBeleg } from '../rechnung.oracle.ts'
import { encodeWindows1252 } from '../windows-1252.ts'
import { datevBatch } from './batch.ts'
import { datevSample } from './datev.fixture.ts'
import { DATEV_COLUMNS, fiscalYearStart } from './format.ts'
import type { DatevDifference, DatevJob, DatevTax, DatevZahlung } from './job.ts'
import { belegField } from './postings.ts'

const SETTING = {
  adviser: '29098',
  mandant: '55003',
  accountDigits: 4,
  chartOfAccounts: '03',
  revenueAccounts: {
    'S 19.00': '8400',
    'S 7.00': { konto: '8000', bu: '2' },
    'AE 0.00': '8336',
    'E 0.00': '8100',
  },
}
const buyer =
  (name: string, part: Partial<MusterBeleg['empfaenger']> = {}) =>
  (beleg: MusterBeleg) =>
    void Object.assign(beleg.empfaenger, { name, ...part })
const first = musterBeleg(buyer('Müßig & Söhne „Forst“ GmbH'))
const storno: Beleg = { ...negateBeleg(first), nummer: 'RE-2026-0018', datum: '2026-03-02' }
const reverse = musterBeleg((beleg) => {
  buyer('Holz "Wien" Ges.m.b.H.', { ust_id: 'ATU 13585627', land: 'AT' })(beleg)
  beleg.nummer = 'RE-2026-0019'
  beleg.positionen = [musterPosition({ kategorie: 'AE', ust_satz: '0.00' })]
  computeMuster(beleg)
})
const jobSpec = (part: Partial<DatevJob> = {}): DatevJob => ({
  von: '2026-01-01',
  bis: '2026-03-31',
  createdAt: '2026-04-01T12:00:00.000Z',
  setting: SETTING,
  belege: [
    { beleg: datevSample(first), debitor: '10005' },
    { beleg: datevSample(storno), debitor: '10005' },
    { beleg: datevSample(reverse), debitor: '10006' },
  ],
  ...part,
})
const decode = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes)
const codes = (part: Partial<DatevJob>): string[] =>
  datevBatch(jobSpec(part)).faults.map(({ code, nummer }) => `${nummer} ${code}`.trim())

test('a correction is on the other side, names its invoice, and has the period of its own day', () => {
  const correction: Beleg = {
    ...negateBeleg(first),
    art: 'korrektur',
    nummer: 'RE-2026-0021',
    datum: '2026-03-09',
  }
  const { bytes, faults } = datevBatch(
    jobSpec({ belege: [{ beleg: datevSample(correction), debitor: '10005' }] }),
  )
  expect(faults).toEqual([])
  const [line] = decode(bytes).split('\r\n').slice(2)
  const cells = line!.split(';')
  expect(cells[1]).toBe('"H"')
  expect(cells[10]).toBe('"RE-2026-0021"')
  expect(cells[13]).toBe(`"Korrektur zu ${first.nummer} ${first.empfaenger.name}"`)
  expect(cells[115]).toBe('09032026')
})

describe('the batch', () => {
  test('is the golden one, byte by byte', () => {
    const { bytes, faults, zeilen, dateiname } = datevBatch(jobSpec())
    expect(faults).toEqual([])
    expect(decode(bytes).split('\r\n')).toEqual([...golden.zeilen, ''])
    expect(zeilen).toBe(5)
    expect(dateiname).toBe('EXTF_Buchungsstapel_20260101_20260331.csv')
    expect(datevBatch(jobSpec()).bytes).toEqual(bytes)
  })
  test('every line has its columns, the head its 31 fields', () => {
    const [head, columns, ...lines] = decode(datevBatch(jobSpec()).bytes).split('\r\n').slice(0, -1)
    expect(head!.split(';')).toHaveLength(31)
    expect(columns!.split(';')).toHaveLength(125)
    expect(DATEV_COLUMNS).toHaveLength(125)
    expect(new Set(DATEV_COLUMNS).size).toBe(125)
    for (const each of lines) expect(each.split(';')).toHaveLength(125)
  })
  test('line feeds alone do not occur', () =>
    expect(decode(datevBatch(jobSpec()).bytes).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/))
  test('debit and credit of an invoice and its Storno cancel out, group by group', () => {
    const lines = decode(datevBatch(jobSpec()).bytes)
      .split('\r\n')
      .slice(2, 6)
      .map((each) => each.split(';'))
    const total = lines.reduce(
      (cents, [amount, side]) => cents + (side === '"S"' ? 1n : -1n) * BigInt(amount!.replace(',', '')),
      0n,
    )
    expect(total).toBe(0n)
  })
  test('a credit group within an invoice is credit', () => {
    const mixed = musterBeleg((beleg) => {
      beleg.positionen = [musterPosition(), musterPosition({ anzahl: '-1.000', ust_satz: '7.00' })]
      computeMuster(beleg)
    })
    const lines = decode(
      datevBatch(jobSpec({ belege: [{ beleg: datevSample(mixed), debitor: '10005' }] })).bytes,
    )
      .split('\r\n')
      .slice(2, 4)
    expect(lines.map((each) => each.split(';').slice(0, 2).join(' '))).toEqual(['934,15 "S"', '84,00 "H"'])
  })
  test('a group of nothing makes no line', () => {
    const given = musterBeleg((beleg) => {
      beleg.positionen = [musterPosition(), musterPosition({ ust_satz: '7.00', rabatt_prozent: '100.00' })]
      computeMuster(beleg)
    })
    expect(datevBatch(jobSpec({ belege: [{ beleg: datevSample(given), debitor: '10005' }] })).zeilen).toBe(1)
  })
  test('hostile text stays one field', () => {
    const hostile = musterBeleg(buyer('A";"S"\r\n=cmd|x;\u0000B'))
    const lines = decode(
      datevBatch(jobSpec({ belege: [{ beleg: datevSample(hostile), debitor: '10005' }] })).bytes,
    ).split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[2]).toContain('"A"";""S"" =cmd|x; B"')
  })
  test('the day of supply is in column 115, its tax period in 116, or neither', () => {
    const columns = (part: Partial<DatevJob> = {}) =>
      decode(datevBatch(jobSpec(part)).bytes)
        .split('\r\n')
        .slice(2, -1)
        .map((each) => each.split(';').slice(114, 116).join(' '))
    expect(DATEV_COLUMNS.slice(114, 116)).toEqual(['Leistungsdatum', 'Datum Zuord. Steuerperiode'])
    expect(columns()).toEqual([
      '28022026 28022026',
      '28022026 28022026',
      // A Storno changes the tax of its own day.
      '28022026 02032026',
      '28022026 02032026',
      '28022026 28022026',
    ])
    expect(new Set(columns({ withoutSupply: true }))).toEqual(new Set([' ']))
  })
  test('a group that was supplied in two months has two lines', () => {
    const sample = datevSample(first)
    const [group] = sample.summen.steuern
    const half = { ...group!, basis: '392.50', steuer: '74.58' }
    const sums = { steuern: [{ ...half, le_date: '2026-01-31', datum: '2026-01-31' }, half] }
    const { bytes } = datevBatch(
      jobSpec({ belege: [{ beleg: { ...sample, summen: sums }, debitor: '10005' }] }),
    )
    expect(
      decode(bytes)
        .split('\r\n')
        .slice(2, -1)
        .map((each) =>
          each
            .split(';')
            .filter((_, at) => [0, 114].includes(at))
            .join(' '),
        ),
    ).toEqual(['467,08 31012026', '467,08 28022026'])
  })
  test('locked lines', () => {
    const lines = decode(datevBatch(jobSpec({ setting: { ...SETTING, isFinal: true } })).bytes).split('\r\n')
    expect(lines[0]!.split(';')[20]).toBe('1')
    expect(lines[2]!.split(';')[113]).toBe('1')
  })
  test('names are cut to 60 signs', () => {
    const long = musterBeleg(buyer('ä'.repeat(70)))
    expect(
      decode(datevBatch(jobSpec({ belege: [{ beleg: datevSample(long), debitor: '10005' }] })).bytes),
    ).toContain(`"${'ä'.repeat(60)}"`)
  })
})

describe('faults', () => {
  test('settings', () => {
    expect(codes({ setting: { ...SETTING, adviser: '' } })).toEqual(['berater'])
    expect(codes({ setting: { ...SETTING, adviser: '1000' } })).toEqual(['berater'])
    expect(codes({ setting: { ...SETTING, mandant: '0' } })).toEqual(['mandant'])
    expect(codes({ setting: { ...SETTING, accountDigits: 3 }, belege: [] })).toEqual(['kontenlaenge'])
    expect(codes({ von: '2026-03-31', bis: '2026-01-01', belege: [] })).toEqual(['zeitraum'])
    expect(codes({ von: '2025-12-01', bis: '2026-03-31' })).toEqual(['wirtschaftsjahr'])
    expect(
      codes({ von: '2025-12-01', bis: '2026-03-31', setting: { ...SETTING, fiscalYearMonth: 7 } }),
    ).toEqual([])
    expect(codes({ belege: [] })).toEqual(['leer'])
  })
  test('invoices', () => {
    expect(
      codes({ setting: { ...SETTING, revenueAccounts: { 'S 19.00': '8400', 'AE 0.00': '8336' } } }),
    ).toEqual(['RE-2026-0017 erloeskonto'])
    expect(
      codes({ setting: { ...SETTING, revenueAccounts: { ...SETTING.revenueAccounts, 'AE 0.00': '83360' } } }),
    ).toEqual(['RE-2026-0019 erloeskonto'])
    expect(codes({ belege: [{ beleg: datevSample(first), debitor: '' }] })).toEqual(['RE-2026-0017 debitor'])
    expect(codes({ belege: [{ beleg: datevSample(first), debitor: '1005' }] })).toEqual([
      'RE-2026-0017 debitor',
    ])
    expect(codes({ bis: '2026-03-14', belege: [{ beleg: datevSample(first), debitor: '10005' }] })).toEqual([
      'RE-2026-0017 datum',
    ])
  })
  test('what is missing is told once, with the invoices behind it', () => {
    const belege = ['11', '12', '13', '14', '15'].map((end) => ({
      beleg: datevSample(
        musterBeleg((beleg) => {
          beleg.nummer = `RE-2026-00${end}`
        }),
      ),
      debitor: end === '15' ? '4711' : '10005',
    }))
    const { faults } = datevBatch(
      jobSpec({ belege, setting: { ...SETTING, revenueAccounts: { 'S 19.00': '840' } } }),
    )
    expect(faults.map(({ text }) => text)).toEqual([
      'Für Umsätze zu 19 % (S 19.00) fehlt ein Erlöskonto mit 4 Stellen. ' +
        'Bitte in den Einstellungen eintragen. Betrifft RE-2026-0011, RE-2026-0012, ' +
        'RE-2026-0013 und 2 weitere.',
      'Für Umsätze zu 7 % (S 7.00) fehlt ein Erlöskonto mit 4 Stellen. ' +
        'Bitte in den Einstellungen eintragen. Betrifft RE-2026-0011, RE-2026-0012, ' +
        'RE-2026-0013 und 2 weitere.',
      'Das Debitorenkonto 4711 hat nicht 5 Stellen. ' +
        'Bitte beim Kunden oder in den Einstellungen berichtigen. Betrifft RE-2026-0015.',
    ])
  })
  test('half a batch is not written', () => {
    const { bytes, zeilen } = datevBatch(
      jobSpec({
        belege: [
          { beleg: datevSample(first), debitor: '10005' },
          { beleg: datevSample(first), debitor: '' },
        ],
      }),
    )
    expect([bytes.length, zeilen]).toEqual([0, 0])
  })
  /** Each breaks one thing that nobody can change any more in an issued document. */
  test.each<[string, string, (beleg: MusterBeleg) => void]>([
    [
      'eleven digits before the comma',
      'betrag',
      (beleg) => {
        beleg.positionen = [musterPosition({ anzahl: '999999999.000', ep: '9999.0000' })]
        computeMuster(beleg)
      },
    ],
    ['a number without any character of the format', 'belegfeld', (beleg) => void (beleg.nummer = 'ßöü ä')],
    ['a supply of the next century', 'leistung', (beleg) => void (beleg.le_date_bis = '2100-01-01')],
    ['a due date of the next century', 'leistung', (beleg) => void (beleg.faellig = '2101-02-03')],
  ])('%s: this document is named and left out, the others are written', (_, code, change) => {
    const odd = musterBeleg((beleg) => {
      beleg.nummer = 'RE-2026-0099'
      change(beleg)
    })
    const belege = [odd, first, odd].map((beleg) => ({ beleg: datevSample(beleg), debitor: '10005' }))
    const batch = datevBatch(jobSpec({ belege }))
    expect(batch.faults).toMatchObject([
      { code, severity: 'ausgelassen', nummer: odd.nummer, text: expect.stringContaining(odd.nummer) },
      { code, severity: 'ausgelassen', nummer: odd.nummer },
    ])
    expect([batch.zeilen, batch.ausgelassen]).toEqual([2, [odd.nummer]])
    expect(decode(batch.bytes)).not.toContain(belegField(odd.nummer) || 'never')
    // Alone it makes no batch.
    const alone = datevBatch(jobSpec({ belege: belege.slice(0, 1) }))
    expect([alone.zeilen, alone.faults.map((fault) => fault.code)]).toEqual([0, [code, 'leer']])
  })
  test('the largest amount that fits is written', () => {
    const large = musterBeleg((beleg) => {
      beleg.positionen = [
        musterPosition({ anzahl: '1.000', ep: '9999999999.9900', ust_satz: '0.00', kategorie: 'E' }),
      ]
      computeMuster(beleg)
    })
    const { faults, bytes } = datevBatch(
      jobSpec({ belege: [{ beleg: datevSample(large), debitor: '10005' }] }),
    )
    expect(faults).toEqual([])
    expect(decode(bytes)).toContain('\r\n9999999999,99;"S"')
  })
  test.each([
    ['S 19.00', '3', true],
    ['S 19.00', '0003', true],
    ['S 7.00', '2', true],
    ['S 19.00', '2', false],
    ['S 7.00', '3', false],
    ['S 19.00', '9', false],
    ['E 0.00', '3', false],
    ['E 0.00', '1', true],
    ['AE 0.00', '46', true],
  ])('tax key of %s: %s, right: %s', (group, bu, isRight) => {
    const revenueAccounts = { ...SETTING.revenueAccounts, [group]: { konto: '8000', bu } }
    expect(codes({ setting: { ...SETTING, revenueAccounts } })).toEqual(isRight ? [] : ['schluessel'])
  })
  test('hints do not hinder', () => {
    const odd = musterBeleg((beleg) => {
      beleg.nummer = 'RE 2026/17.1'
      beleg.empfaenger.name = 'Łukasz 🌲'
    })
    const { faults, bytes } = datevBatch(jobSpec({ belege: [{ beleg: datevSample(odd), debitor: '10005' }] }))
    expect(faults.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      'belegfeld hinweis',
      'zeichen hinweis',
    ])
    expect(decode(bytes)).toContain('"RE2026/171"')
    expect(decode(bytes)).toContain('"Lukasz ?"')
  })
})

test('what the lines cannot say is told by document and month, and hinders nothing', () => {
  const difference: DatevDifference = {
    nummer: 'RE-2026-0017',
    monat: '2026-02-01',
    kategorie: 'S',
    satz: '19.00',
    declared: '1190.00',
    booked: '-0.50',
    root: 17,
    stand: 'neu',
    before_declared: null,
    before_booked: null,
    noted_at: null,
  }
  const differences = [difference, { ...difference, kategorie: '' as const, satz: '' }]
  const { faults, zeilen } = datevBatch(jobSpec({ differences }))
  expect(zeilen).toBe(5)
  expect(faults.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
    differences.map(() => 'hinweis abweichung'),
  )
  expect(faults.map(({ text }) => text.replaceAll('\u00A0', ' '))).toEqual([
    'RE-2026-0017: Zum Monat 02/2026 gehören in der Voranmeldung 1.190,00 €, in DATEV -0,50 € brutto (S 19.00). ' +
      'Bitte mit der Steuerberatung von Hand angleichen.',
    'RE-2026-0017: Zum Monat 02/2026 gehören in der Voranmeldung 1.190,00 €, in DATEV -0,50 € brutto. ' +
      'Bitte mit der Steuerberatung von Hand angleichen.',
  ])
})

test('what an earlier batch names is told again only if it has changed, and noted as it is now', () => {
  const difference: DatevDifference = {
    nummer: 'RE-2026-0017',
    monat: '2026-02-01',
    kategorie: 'S',
    satz: '19.00',
    declared: '169.00',
    booked: '119.00',
    root: 17,
    stand: 'genannt',
    before_declared: null,
    before_booked: null,
    noted_at: '2026-03-01T08:00:00Z',
  }
  const differences: DatevDifference[] = [
    difference,
    { ...difference, nummer: 'RE-2026-0018', root: 18, stand: 'vorbei' },
    {
      ...difference,
      nummer: 'RE-2026-0019',
      root: 19,
      stand: 'anders',
      declared: '149.00',
      before_declared: '169.00',
      before_booked: '119.00',
    },
  ]
  const { faults, hinweise } = datevBatch(jobSpec({ differences }))
  expect(faults.map(({ text }) => text.replaceAll('\u00A0', ' '))).toEqual([
    'RE-2026-0018: Der frühere Hinweis zum Monat 02/2026 (Voranmeldung 169,00 €, DATEV 119,00 € brutto) gilt nicht ' +
      'mehr. Bitte zurücknehmen, was dafür von Hand gebucht wurde.',
    'RE-2026-0019: Der frühere Hinweis zum Monat 02/2026 hat sich geändert. Voranmeldung / DATEV brutto: ' +
      'bisher 169,00 € / 119,00 €, jetzt 149,00 € / 119,00 €. Bitte berichtigen, was dafür von Hand gebucht wurde.',
    'Abweichungen, die schon in einem früheren Stapel genannt sind und so gelten: 1.',
  ])
  expect(hinweise.map(({ root, declared, booked }) => `${root} ${declared} ${booked}`)).toEqual([
    '18 0.00 0.00',
    '19 149.00 119.00',
  ])
  expect(datevBatch(jobSpec({ differences, allDifferences: true })).faults).toHaveLength(3)
})

test('business years', () => {
  expect(fiscalYearStart('2026-03-31')).toBe('2026-01-01')
  expect(fiscalYearStart('2026-03-31', 7)).toBe('2025-07-01')
  expect(fiscalYearStart('2026-07-01', 7)).toBe('2026-07-01')
})
test('Belegfeld 1', () =>
  expect(['RE-2026-0017', 'RE 17', 'ä'.repeat(3), 'A'.repeat(40)].map(belegField)).toEqual([
    'RE-2026-0017',
    'RE17',
    '',
    'A'.repeat(36),
  ]))

describe('Windows-1252', () => {
  test('all of its signs come back as a browser reads them', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      // Five bytes are unassigned.
      if ([0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)) continue
      const sign = new TextDecoder('windows-1252').decode(Uint8Array.of(byte))
      expect(encodeWindows1252(sign)).toEqual({ bytes: Uint8Array.of(byte), replaced: 0 })
    }
  })
  test('composed and decomposed umlauts are the same', () =>
    expect(encodeWindows1252('a\u0308')).toEqual({ bytes: Uint8Array.of(0xe4), replaced: 0 }))
  test('what it lacks', () =>
    expect(decode(encodeWindows1252('Čapek ł 森 🌲 ẞ').bytes)).toBe('Capek l ? ? ß'))
  test('control signs of the second row are none of its own', () =>
    expect(encodeWindows1252('\u0081').replaced).toBe(1))
})

describe('payments', () => {
  const setting = {
    ...SETTING,
    bankAccount: '1200',
    skontoAccounts: { 'S 19.00': { konto: '8736', bu: '' }, 'S 7.00': '8731' },
  }
  const group = (rate: string, basis: string, tax: string, day = '2026-03-20'): DatevTax => ({
    kategorie: 'S',
    satz: rate,
    basis,
    steuer: tax,
    le_date: '2026-02-28',
    datum: day,
  })
  const zahlung = (part: Partial<DatevZahlung> = {}): DatevZahlung => ({
    nummer: 'RE-2026-0017',
    kunde: 'Kunde A',
    debitor: '10005',
    datum: '2026-03-20',
    betrag: '119.00',
    art: 'zahlung',
    steuern: [],
    ...part,
  })
  /** With the day of supply and the day of the tax period. */
  const periodsOf = (zahlungen: readonly DatevZahlung[], part: Partial<DatevJob> = {}): string[] =>
    written(zahlungen, part, [0, 1, 6, 7, 9, 10, 13, 114, 115]).lines.map((each) => each.trimEnd())
  const written = (
    zahlungen: readonly DatevZahlung[],
    part: Partial<DatevJob> = {},
    columns: readonly number[] = [0, 1, 6, 7, 9, 10, 13],
  ) => {
    const { bytes, faults } = datevBatch(jobSpec({ setting, belege: [], zahlungen, ...part }))
    const lines = decode(bytes).split('\r\n').slice(2, -1)
    return {
      lines: lines.map((each) =>
        each
          .split(';')
          .filter((_, index) => columns.includes(index))
          .join(' '),
      ),
      faults,
    }
  }
  test('go from the debtor to the bank, and back', () =>
    expect(written([zahlung(), zahlung({ betrag: '-19.00', datum: '2026-03-21' })])).toEqual({
      lines: [
        '119,00 "H" 10005 1200 2003 "RE-2026-0017" "Zahlung Kunde A"',
        '19,00 "S" 10005 1200 2103 "RE-2026-0017" "Rückzahlung Kunde A"',
      ],
      faults: [],
    }))
  test('a discount is a line by rate and tax period', () => {
    const discounted = [
      group('19.00', '2.00', '0.38'),
      group('7.00', '1.00', '0.07', '2026-04-30'),
      group('7.00', '0.00', '0.00'),
    ]
    const lines = [
      '2,38 "H" 10005 8736 2003 "RE-2026-0017" "Skonto Kunde A" 28022026 20032026',
      '1,07 "H" 10005 8731 2003 "RE-2026-0017" "Skonto Kunde A" 28022026 30042026',
    ]
    expect(periodsOf([zahlung({ art: 'skonto', betrag: '3.45', steuern: discounted })])).toEqual(lines)
    const back = discounted.map((one) => ({ ...one, basis: `-${one.basis}`, steuer: `-${one.steuer}` }))
    expect(periodsOf([zahlung({ art: 'skonto', betrag: '-3.45', steuern: back })])).toEqual(
      lines.map((each) => each.replace('"H"', '"S"')),
    )
    expect(
      periodsOf([zahlung({ art: 'skonto', betrag: '3.45', steuern: discounted })], { withoutSupply: true }),
    ).toEqual(lines.map((each) => each.replace(/ \d{8} \d{8}$/, '')))
  })
  test('one that is too large is named and left out, the others are written', () => {
    const { lines, faults } = written([zahlung({ betrag: '12345678901.00', nummer: 'RE-1' }), zahlung()])
    expect([lines.length, faults.map(({ code, nummer, severity }) => [code, nummer, severity])]).toEqual([
      1,
      [['betrag', 'RE-1', 'ausgelassen']],
    ])
  })
  test('costs of reminders are money of the debtor; their revenue is left to people', () => {
    const { lines, faults } = written([zahlung({ art: 'mahnkosten', betrag: '15.40' })])
    expect(lines.length).toBe(1)
    expect(lines[0]).toContain('Mahnkosten')
    expect(faults.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['mahnkosten hinweis'])
  })
  test('what is lost is told and left to people', () => {
    const lost = zahlung({ art: 'ausfall', betrag: '5.00' })
    const { lines, faults } = written([zahlung(), lost, { ...lost, nummer: 'RE-9', betrag: '-5.00' }])
    expect([lines.length, faults.map(({ code, severity }) => `${code} ${severity}`)]).toEqual([
      1,
      ['ausfall hinweis', 'ausfall hinweis'],
    ])
    expect(faults[1]!.text).toMatch(/zurückgenommener Forderungsausfall von 5,00/)
  })
  const received = [
    { ...group('19.00', '300.00', '57.00'), le_date: '2026-03-20' },
    { ...group('7.00', '100.00', '7.00'), le_date: '2026-03-20' },
  ]
  const advance = (part: Partial<DatevZahlung> = {}) =>
    zahlung({ nummer: 'RE-2026-0030', betrag: '464.00', anzahlungen: received, ...part })
  test('of an advance go on to the account of advances, by rate; the debtor owes nothing for it', () => {
    const lines = [
      '357,00 "S" 10005 1718 2003 "RE-2026-0030" "Abschlag erhalten Kunde A"',
      '107,00 "S" 10005 1711 2003 "RE-2026-0030" "Abschlag erhalten Kunde A"',
      '464,00 "H" 10005 1200 2003 "RE-2026-0030" "Zahlung Kunde A"',
    ]
    expect(written([advance()])).toEqual({ lines, faults: [] })
    // It counts when it is received; the bank's line has no tax.
    expect(periodsOf([advance()])).toEqual([
      ...lines.slice(0, 2).map((each) => `${each} 20032026 20032026`),
      lines[2],
    ])
    // The bank's lines may come from the adviser; what the final invoice clears is always written.
    expect(written([advance(), zahlung()], { advancesOnly: true }).lines).toEqual(lines.slice(0, 2))
    const back = received.map((group) => ({ ...group, basis: `-${group.basis}`, steuer: `-${group.steuer}` }))
    expect(written([advance({ betrag: '-464.00', anzahlungen: back })]).lines[0]).toBe(
      '357,00 "H" 10005 1718 2003 "RE-2026-0030" "Abschlag erhalten Kunde A"',
    )
  })
  test('of an advance, of which an earlier batch has a part: the other is written', () => {
    const lines = written([advance()]).lines
    const booked = (money: boolean, isAdvance: boolean, more: object = {}) =>
      written(
        [
          advance({ booked: { money, advance: isAdvance } }),
          zahlung({ booked: { money: true, advance: true } }),
        ],
        more,
      ).lines
    expect(booked(false, true)).toEqual(lines.slice(2))
    expect(booked(true, false)).toEqual(lines.slice(0, 2))
    expect(booked(false, false, { advancesOnly: true })).toEqual(lines.slice(0, 2))
    expect(booked(false, false)).toEqual(lines)
  })
  test('of advances: the account is the chart’s, longer with zeros, or the one that was set', () => {
    const accountsOf = (part: object) =>
      written([advance({ debitor: 'accountDigits' in part ? '100050' : '10005' })], {
        setting: { ...setting, ...part },
      })
    const of = (part: object) => accountsOf(part).lines.map((each) => each.split(' ')[3])
    expect(of({ chartOfAccounts: '04' })).toEqual(['3272', '3260', '1200'])
    expect(of({ accountDigits: 5, bankAccount: '12000' })).toEqual(['17180', '17110', '12000'])
    expect(of({ advanceAccounts: { 'S 19.00': '1710' } })).toEqual(['1710', '1711', '1200'])
    expect(accountsOf({ chartOfAccounts: '' }).faults.map(({ code }) => code)).toEqual([
      'anzahlungskonto',
      'anzahlungskonto',
    ])
    expect(
      accountsOf({ advanceAccounts: { 'S 19.00': { konto: '1710', bu: '9' } } }).faults.map(
        ({ code }) => code,
      ),
    ).toEqual(['schluessel'])
  })
  test('a final invoice bills the whole and clears the advances with its own tax period', () => {
    const groups = received.map((group) => ({ ...group, le_date: '2026-02-28', datum: '2026-02-28' }))
    const beleg = { ...datevSample(first), art: 'schluss' as const, anzahlungen: groups }
    const { lines, faults } = written([], { belege: [{ beleg, debitor: '10005' }] })
    expect(faults).toEqual([])
    expect(lines.slice(-2)).toEqual([
      '357,00 "H" 10005 1718 1503 "RE-2026-0017" "Abschlag verrechnet Müßig & Söhne „Forst“ GmbH"',
      '107,00 "H" 10005 1711 1503 "RE-2026-0017" "Abschlag verrechnet Müßig & Söhne „Forst“ GmbH"',
    ])
  })
  test('accounts that are missing are told once', () => {
    const faultsOf = (part: object, ...zahlungen: DatevZahlung[]) =>
      written(zahlungen, { setting: { ...setting, ...part } }).faults.map(({ code, nummer }) =>
        `${nummer} ${code}`.trim(),
      )
    expect(faultsOf({ bankAccount: '' }, zahlung(), zahlung())).toEqual(['bankkonto'])
    expect(faultsOf({ bankAccount: '12000' }, zahlung())).toEqual(['bankkonto'])
    const taxes = [group('19.00', '1.00', '0.19'), group('7.00', '0.76', '0.05')]
    const discount = zahlung({ art: 'skonto', betrag: '2.00', steuern: taxes })
    expect(faultsOf({ skontoAccounts: {} }, discount)).toEqual([
      'RE-2026-0017 skontokonto',
      'RE-2026-0017 skontokonto',
    ])
    expect(faultsOf({}, zahlung({ debitor: '1' }))).toEqual(['RE-2026-0017 debitor'])
    expect(written([]).faults.map(({ code }) => code)).toEqual(['leer'])
  })
})
