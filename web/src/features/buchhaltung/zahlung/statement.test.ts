// Bank files: what is read from them, and the faults for those that cannot be read.
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { allBuchungen, bankPortions } from '#domain/camt/portions.ts'
import { readCamt } from '#domain/camt/read-camt.ts'
import type { CamtStatement } from '#domain/camt/statement.ts'
import { add, decimal, formatCents, sum } from '#domain/geld.ts'
import { reconcile } from '#domain/reconciliation/reconcile.ts'
import {
  statementXml,
  OWN_IBAN,
  type CamtVersion,
  KUNDEN_IBAN,
  type SampleStatement,
} from '#domain/camt/statement.fixture.ts'
import { statementFaultText } from './statement-file.ts'
import { StatementFault, readStatements } from './read-statements.ts'
import { parseXml } from './parse-xml.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const read = (xml: string) => readStatements(utf8(xml))
const only = async (xml: string): Promise<CamtStatement> => {
  const [one, ...others] = await read(xml)
  expect(others).toEqual([])
  return one!
}
const VERSIONS: readonly CamtVersion[] = ['02', '04', '08']

describe.each(VERSIONS)('a statement of version %s', (revision) => {
  const xml = (bankStatement: SampleStatement) => statementXml(revision, [bankStatement])

  test('gives its entries with both sides, purpose and reference', async () => {
    const bankStatement = await only(
      xml({
        anfang: '1000.00',
        ende: '2040.50',
        buchungen: [
          {
            betrag: '1190.00',
            referenz: 'B-1',
            pieces: [
              {
                name: 'Müßig & Söhne',
                iban: KUNDEN_IBAN,
                endToEnd: 'E2E-7',
                zweck: ['RE-2026-', '0012 Vermessung', 'Nord'],
              },
            ],
          },
          {
            betrag: '149.5',
            richtung: 'DBIT',
            referenz: 'NONREF',
            pieces: [{ name: 'Tankstelle', zweck: ['Diesel'] }],
          },
        ],
      }),
    )
    expect(bankStatement).toEqual({
      quelle: 'camt',
      konto: OWN_IBAN,
      nummer: '1',
      von: '2026-03-02',
      bis: '2026-03-02',
      anfang: '1000.00',
      ende: '2040.50',
      hinweise: [],
      buchungen: [
        {
          konto: OWN_IBAN,
          datum: '2026-03-02',
          betrag: '1190.00',
          name: 'Müßig & Söhne',
          iban: KUNDEN_IBAN,
          zweck: 'RE-2026-\n0012 Vermessung\nNord\nEREF: E2E-7',
          referenz: 'B-1|E2E-7',
        },
        {
          konto: OWN_IBAN,
          datum: '2026-03-02',
          betrag: '-149.50',
          name: 'Tankstelle',
          iban: '',
          zweck: 'Diesel',
          referenz: '',
        },
      ],
    })
  })

  test('a batch becomes its parts; one whose parts do not add up keeps them and what they leave over', async () => {
    const parts = [
      { name: 'A', betrag: '10.00', zweck: ['eins'] },
      { name: 'B', betrag: '20.00', zweck: ['zwei'], endToEnd: 'E-2' },
    ]
    const bankStatement = await only(
      xml({
        buchungen: [
          { betrag: '30.00', referenz: 'S-1', pieces: parts },
          { betrag: '31.00', referenz: 'S-2', text: 'SAMMLER', pieces: parts },
          { betrag: '29.50', referenz: 'S-3', pieces: parts },
        ],
      }),
    )
    expect(
      bankStatement.buchungen.map(({ betrag, name, zweck, referenz }) => [betrag, name, zweck, referenz]),
    ).toEqual([
      ['10.00', 'A', 'eins', 'S-1|1/2'],
      ['20.00', 'B', 'zwei\nEREF: E-2', 'S-1|E-2|2/2'],
      ['10.00', 'A', 'eins', 'S-2|1/2'],
      ['20.00', 'B', 'zwei\nEREF: E-2', 'S-2|E-2|2/2'],
      ['1.00', '', 'Rest einer Sammelbuchung über 31,00 €\nSAMMLER', 'S-2|Rest'],
      ['10.00', 'A', 'eins', 'S-3|1/2'],
      ['20.00', 'B', 'zwei\nEREF: E-2', 'S-3|E-2|2/2'],
      ['-0.50', '', 'Rest einer Sammelbuchung über 29,50 €', 'S-3|Rest'],
    ])
    expect(bankStatement.hinweise).toEqual([{ art: 'sammler', anzahl: 2, betrag: '0.00' }])
    // What an earlier version stored for the same entry.
    expect(bankStatement.buchungen.map(({ vorher }) => vorher)).toEqual([
      undefined,
      undefined,
      ...Array.from({ length: 3 }, () => ({ betrag: '31.00', zweck: 'SAMMLER', referenz: 'S-2' })),
      ...Array.from({ length: 3 }, () => ({ betrag: '29.50', zweck: '', referenz: 'S-3' })),
    ])
  })

  test('what is not booked yet is left out and counted, and is no part of the balance', async () => {
    const bankStatement = await only(
      xml({
        anfang: '0.00',
        ende: '5.00',
        buchungen: [
          { betrag: '5.00' },
          { betrag: '7.00', stand: 'PDNG' },
          { betrag: '8.00', stand: 'INFO' },
          { betrag: '0.00' },
        ],
      }),
    )
    expect(bankStatement.buchungen).toHaveLength(1)
    expect(bankStatement.hinweise).toEqual([
      { art: 'vorgemerkt', anzahl: 2, betrag: '0.00' },
      { art: 'null', anzahl: 1, betrag: '0.00' },
    ])
  })

  test('a payment that comes back names who had paid, and why', async () => {
    const bankStatement = await only(
      xml({
        buchungen: [
          {
            betrag: '119.00',
            richtung: 'DBIT',
            storno: true,
            pieces: [{ name: 'Kunde A', iban: KUNDEN_IBAN, zweck: ['RE-2026-0001'], returned: 'MD01' }],
          },
        ],
      }),
    )
    expect(bankStatement.buchungen[0]).toMatchObject({
      betrag: '-119.00',
      name: 'Kunde A',
      iban: KUNDEN_IBAN,
      zweck: 'RE-2026-0001\nRückgabe: MD01',
    })
  })

  test('balances that the entries do not explain are told with the difference', async () => {
    const wrong = await only(
      xml({ anfang: '100.00', ende: '-10.00', buchungen: [{ betrag: '100.00', richtung: 'DBIT' }] }),
    )
    expect(wrong.hinweise).toEqual([{ art: 'saldo', anzahl: 1, betrag: '-10.00' }])
  })

  test('an account without IBAN is told, one in another currency is refused by name', async () => {
    expect((await only(xml({ iban: null, buchungen: [{ betrag: '1.00' }] }))).hinweise).toEqual([
      { art: 'konto', anzahl: 1, betrag: '0.00' },
    ])
    await expect(read(xml({ currencyCode: 'CHF', buchungen: [] }))).rejects.toMatchObject({
      werte: { code: 'waehrung', was: 'CHF' },
    })
    await expect(read(xml({ buchungen: [{ betrag: '1.00', currencyCode: 'USD' }] }))).rejects.toMatchObject({
      werte: { code: 'waehrung', was: 'USD' },
    })
  })

  test('a part in a foreign currency does not stand for euros, but what the others leave is its', async () => {
    const dollars = { betrag: '10.00', currencyCode: 'USD', name: 'Ausland', zweck: ['RE-7'] }
    const bankStatement = await only(
      xml({
        buchungen: [
          { betrag: '29.10', referenz: 'F', pieces: [dollars, { betrag: '20.00', name: 'Inland' }] },
          { betrag: '9.10', pieces: [dollars] },
        ],
      }),
    )
    expect(
      bankStatement.buchungen.map(({ betrag, name, zweck, referenz }) => [betrag, name, zweck, referenz]),
    ).toEqual([
      ['9.10', 'Ausland', 'RE-7', 'F|1/2'],
      ['20.00', 'Inland', '', 'F|2/2'],
      ['9.10', 'Ausland', 'RE-7', ''],
    ])
    expect(bankStatement.hinweise).toEqual([])
  })
})

describe('a batch', () => {
  const entry = (more: string): string =>
    statementXml('08', [{ buchungen: [{ betrag: '59.00', referenz: 'S', text: 'SAMMLER' }] }]).replace(
      '</BkTxCd>',
      `</BkTxCd>${more}`,
    )
  const part = (name: string, purpose: string, more = ''): string =>
    `<TxDtls>${more}<RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr></RltdPties>` +
    `<RmtInf><Ustrd>${purpose}</Ustrd></RmtInf></TxDtls>`
  const rows = async (more: string) =>
    (await only(entry(more))).buchungen.map(({ betrag, name, zweck }) => [betrag, name, zweck])
  const euro = (sum: string, direction = ''): string =>
    `<Amt Ccy="EUR">${sum}</Amt>${direction === '' ? '' : `<CdtDbtInd>${direction}</CdtDbtInd>`}`

  test('whose parts have no amounts stays one, with the texts of all', async () => {
    const all = `<NtryDtls>${part('A', 'RE-1')}${part('B', 'RE-2')}</NtryDtls>`
    expect(await rows(all)).toEqual([['59.00', '', 'SAMMLER\nA: RE-1\nB: RE-2']])
    expect((await only(entry(all))).hinweise).toEqual([{ art: 'sammler', anzahl: 1, betrag: '0.00' }])
  })
  test('of which one part has an amount is that part and the texts of the others', async () => {
    expect(
      await rows(
        `<NtryDtls>${part('A', 'RE-1', euro('19.00'))}${part('B', 'x')}${part('C', 'y')}</NtryDtls>`,
      ),
    ).toEqual([
      ['19.00', 'A', 'RE-1'],
      ['40.00', '', 'Rest einer Sammelbuchung über 59,00 €\nSAMMLER\nB: x\nC: y'],
    ])
  })
  test('of which one part has no amount gives it the rest, if its direction is that of the part', async () => {
    const returned = '<CdtDbtInd>DBIT</CdtDbtInd>'
    expect(
      await rows(
        `<NtryDtls>${part('A', 'RE-1', euro('60.00', 'CRDT'))}${part('B', 'zurück', returned)}</NtryDtls>`,
      ),
    ).toEqual([
      ['60.00', 'A', 'RE-1'],
      ['-1.00', 'B', 'zurück'],
    ])
    expect(
      await rows(
        `<NtryDtls>${part('A', 'RE-1', euro('19.00', 'CRDT'))}${part('B', 'zurück', returned)}</NtryDtls>`,
      ),
    ).toEqual([
      ['19.00', 'A', 'RE-1'],
      ['40.00', '', 'Rest einer Sammelbuchung über 59,00 €\nSAMMLER\nB: zurück'],
    ])
  })
  test('in several groups is all of their parts', async () => {
    const group = (text: string): string =>
      `<NtryDtls><Btch><PmtInfId>P</PmtInfId><NbOfTxs>1</NbOfTxs></Btch>${text}</NtryDtls>`
    expect(
      await rows(group(part('A', 'RE-1', euro('19.00'))) + group(part('B', 'RE-2', euro('40.00')))),
    ).toEqual([
      ['19.00', 'A', 'RE-1'],
      ['40.00', 'B', 'RE-2'],
    ])
  })
  test('less its charges, and with a payment that came back, leaves both in their direction', async () => {
    const returned =
      `<TxDtls>${euro('41.00', 'DBIT')}<RltdPties><Dbtr><Pty><Nm>R</Nm></Pty></Dbtr></RltdPties>` +
      '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>'
    const parts = part('A', 'RE-1', euro('50.00', 'CRDT')) + part('B', 'RE-2', euro('51.00', 'CRDT'))
    expect(await rows(`<NtryDtls>${parts}${returned}</NtryDtls>`)).toEqual([
      ['50.00', 'A', 'RE-1'],
      ['51.00', 'B', 'RE-2'],
      ['-41.00', 'R', 'SAMMLER\nRückgabe: AC04'],
      ['-1.00', '', 'Rest einer Sammelbuchung über 59,00 €\nSAMMLER'],
    ])
  })
  test('takes the amount in euros wherever the bank writes it', async () => {
    const foreign =
      '<Amt Ccy="USD">60.00</Amt><AmtDtls><CntrValAmt><Amt Ccy="EUR">49.00</Amt></CntrValAmt></AmtDtls>'
    const instructed = '<AmtDtls><InstdAmt><Amt Ccy="EUR">10.00</Amt></InstdAmt></AmtDtls>'
    expect(
      await rows(`<NtryDtls>${part('A', 'x', foreign)}${part('B', 'y', instructed)}</NtryDtls>`),
    ).toEqual([
      ['49.00', 'A', 'x'],
      ['10.00', 'B', 'y'],
    ])
  })
  test('with a long list of texts stays within what the database keeps', async () => {
    const many = Array.from({ length: 300 }, (_, at) => part(`Kunde ${at}`, `RE-2026-${at}`)).join('')
    const [only, ...others] = await rows(`<NtryDtls>${many}</NtryDtls>`)
    expect(others).toEqual([])
    expect(only![2]!.length).toBe(2000)
    expect(only![2]).toContain('Kunde 60: RE-2026-60')
  })
  test('is proposed line by line', async () => {
    const { buchungen } = await only(
      entry(
        `<NtryDtls>${part('A', 'RE-2026-0001', euro('19.00'))}` +
          `${part('B', 'RE-2026-0002', euro('41.00'))}</NtryDtls>`,
      ),
    )
    const rechnung = (id: number, number: string, amount: string) => ({
      rechnung_id: id,
      client_id: id,
      kunde: `Kunde ${id}`,
      nummer: number,
      rn_datum: '2026-02-01',
      zahlbetrag: amount,
      bezahlt: '0.00',
      offen: amount,
      storniert: false,
      skonto: [],
      mahnkosten: '0.00',
    })
    const found = reconcile(
      buchungen.map((one, id) => ({ ...one, id, rest: one.betrag })),
      {
        rechnungen: [rechnung(1, 'RE-2026-0001', '19.00'), rechnung(2, 'RE-2026-0002', '41.00')],
        accountList: [],
      },
    )
    expect(
      found.map(({ suggestions }) => suggestions[0]?.zuordnungen.map(({ rechnung_id }) => rechnung_id)),
    ).toEqual([[1], [2], undefined])
  })
})

test('a structured reference is a purpose', async () => {
  const xml = statementXml('08', [
    { buchungen: [{ betrag: '1.00', pieces: [{ name: 'A', zweck: ['X'] }] }] },
  ]).replace(
    '<Ustrd>X</Ustrd>',
    '<Strd><RfrdDocInf><Nb>RE-2026-0003</Nb></RfrdDocInf><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd>',
  )
  expect((await only(xml)).buchungen[0]!.zweck).toBe('RF18539007547034\nRE-2026-0003')
})

describe('a file', () => {
  const statement = statementXml('02', [
    { buchungen: [{ betrag: '5.00', pieces: [{ name: 'Bäcker', zweck: ['süß'] }] }] },
  ])

  test('with several statements, and an archive of several files, give all of them', async () => {
    const two = statementXml('08', [
      { buchungen: [{ betrag: '1.00' }] },
      { iban: KUNDEN_IBAN, buchungen: [{ betrag: '2.00' }] },
    ])
    expect((await read(two)).map(({ konto, buchungen }) => [konto, buchungen.length])).toEqual([
      [OWN_IBAN, 1],
      [KUNDEN_IBAN, 1],
    ])
    const zip = zipSync({
      'b.xml': utf8(statement),
      'a/2026-03.xml': utf8(two),
      '__MACOSX/._b.xml': utf8('x'),
    })
    expect((await readStatements(zip)).map(({ buchungen }) => buchungen.map(({ betrag }) => betrag))).toEqual(
      [['1.00'], ['2.00'], ['5.00']],
    )
  })
  test('declared as ISO-8859-1 or Windows-1252, or with a mark of UTF-8 or UTF-16, keeps its umlauts', async () => {
    for (const encoding of ['ISO-8859-1', 'windows-1252'])
      expect(
        (await readStatements(latin1(statement.replace('UTF-8', encoding))))[0]!.buchungen[0],
      ).toMatchObject({
        name: 'Bäcker',
        zweck: 'süß',
      })
    expect((await readStatements(utf8(`\uFEFF${statement}`)))[0]!.buchungen[0]!.name).toBe('Bäcker')
    const wide = new Uint8Array(
      Uint16Array.from(`\uFEFF${statement.replace('UTF-8', 'UTF-16')}`, (letter) => letter.charCodeAt(0))
        .buffer,
    )
    expect((await readStatements(wide))[0]!.buchungen[0]!.name).toBe('Bäcker')
  })

  const mt940 =
    ':20:X\r\n:25:12030000/202051\r\n:60F:C260301EUR0,00\r\n:61:260302C5,00NTRFX\r\n' +
    ':86:166?00X?20SVWZ+süß – danke?32Bäcker\r\n:62F:C260302EUR5,00\r\n-\r\n'
  test('in MT940 keeps its umlauts in UTF-8, Latin 1 and Windows-1252, alone and in an archive', async () => {
    const windows = latin1(mt940.replace('–', '\u0096'))
    for (const bytes of [utf8(mt940), utf8(`\uFEFF${mt940}`), windows, zipSync({ 'umsatz.sta': windows })]) {
      const [{ quelle, konto, buchungen }] = (await readStatements(bytes)) as [CamtStatement]
      expect([quelle, konto, buchungen[0]!.name, buchungen[0]!.zweck]).toEqual([
        'mt940',
        OWN_IBAN,
        'Bäcker',
        'süß – danke',
      ])
      expect(allBuchungen([{ ...(await readStatements(bytes))[0]! }])[0]!.quelle).toBe('mt940')
    }
  })

  const bomb = `<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]>\n<Document>&c;</Document>`
  test.each<[string, Uint8Array<ArrayBuffer>, string, string]>([
    ['empty', utf8(''), 'datei_leer', ''],
    ['blank', utf8(' \n '), 'datei_leer', ''],
    ['a PDF', utf8('%PDF-1.7 …'), 'pdf', ''],
    ['a CSV', utf8('"Buchungstag";"Betrag";"Zweck"\n"02.03.2026";"5,00";"x"'), 'csv', ''],
    ['MT940 cut off', utf8(':20:STARTUMS\n:25:12030000/202051\n:60F:C260301EUR1000,00\n'), 'mt940_ende', ''],
    ['MT940 broken in line 2', utf8(':20:X\n:60F:C2603\n'), 'mt940', '2'],
    ['an intraday report in MT942', utf8(':20:X\n:25:1/2\n:34F:EUR0,\n'), 'mt942', ''],
    ['old Excel', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1), 'tabelle', ''],
    ['a workbook', zipSync({ 'xl/workbook.xml': utf8('<x/>') }), 'tabelle', ''],
    ['a page of the bank', utf8('<!DOCTYPE html><html></html>'), 'html', ''],
    ['some text', utf8('Sehr geehrte Damen und Herren'), 'unbekannt', ''],
    ['an intraday report', utf8(statementXml('08', [], { art: '052' })), 'camt052', ''],
    ['an advice', utf8(statementXml('02', [], { art: '054' })), 'camt054', ''],
    [
      'an order of payments',
      utf8('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn/></Document>'),
      'kein_camt',
      'Document',
    ],
    ['an invoice', utf8('<Invoice/>'), 'kein_camt', 'Invoice'],
    ['a statement without one', utf8(statementXml('08', [])), 'leer', ''],
    [
      'the version before',
      utf8(statementXml('02', []).replace('053.001.02', '053.001.01')),
      'version',
      'urn:iso:std:iso:20022:tech:xsd:camt.053.001.01',
    ],
    ['cut off', utf8(statement.slice(0, statement.indexOf('<Ntry>') + 20)), 'xml', '9'],
    ['broken in line 3', utf8(statement.replace('<GrpHdr>', '<GrpHdr')), 'xml', '3'],
    ['with an unknown entity', utf8(statement.replace('süß', '&uuml;')), 'xml', ''],
    ['with a document type', utf8(bomb), 'dtd', '2'],
    ['nested without end', utf8('<a>'.repeat(200)), 'tief', '1'],
    ['latin 1 that says UTF-8', latin1(statement), 'kodierung', 'UTF-8'],
    ['of an unknown encoding', utf8(statement.replace('UTF-8', 'KLINGON')), 'kodierung', 'KLINGON'],
    ['an empty archive', zipSync({}), 'archiv_leer', ''],
    ['an archive of pictures', zipSync({ 'a.png': utf8('x') }), 'archiv_leer', ''],
    ['half an archive', zipSync({ 'a.xml': utf8(statement) }).slice(0, 500), 'archiv', ''],
    ['an amount with a comma', utf8(statement.replace('>5.00<', '>5,00<')), 'betrag', ''],
    ['an amount with thousandths', utf8(statement.replace('>5.00<', '>5.001<')), 'betrag', ''],
    ['a day that is none', utf8(statement.replaceAll('2026-03-02', '2026-02-30')), 'datum', ''],
  ])('that is %s is named', async (_what, bytes, code, was) => {
    const fault = await readStatements(bytes).then(
      () => null,
      (error: unknown) => error,
    )
    expect(fault).toBeInstanceOf(StatementFault)
    const { werte } = fault as StatementFault
    expect(werte.code).toBe(code)
    if (was !== '') expect(werte.was).toBe(was)
    expect(statementFaultText(werte)).not.toMatch(/[{}]|undefined/)
  })
  test('in an archive is named with its name', async () => {
    const zip = zipSync({ 'gut.xml': utf8(statement), 'kaputt.xml': utf8('<a') })
    await expect(readStatements(zip)).rejects.toMatchObject({ werte: { code: 'xml', datei: 'kaputt.xml' } })
  })
})

describe('entries of several statements', () => {
  const twins = parse(
    statementXml('08', [{ buchungen: [{ betrag: '5.00' }, { betrag: '5.00' }, { betrag: '6.00' }] }]),
  )
  function parse(xml: string): CamtStatement[] {
    return readCamt(parseXml(xml))
  }
  test('alike ones of one statement are several, the same statement twice is once', () => {
    expect(allBuchungen(twins).map(({ betrag }) => betrag)).toEqual(['5.00', '5.00', '6.00'])
    expect(allBuchungen([...twins, ...twins])).toEqual(allBuchungen(twins))
  })
  test('are parted for the calls, alike ones together', () => {
    const all = allBuchungen(twins)
    for (const limits of [
      { anzahl: 2, zeichen: 1000 },
      { anzahl: 9, zeichen: 120 },
    ])
      expect(bankPortions(all, limits).map((part) => part.map(({ betrag }) => betrag))).toEqual([
        ['5.00', '5.00'],
        ['6.00'],
      ])
    expect(bankPortions(all)).toHaveLength(1)
    expect(bankPortions([])).toEqual([])
    // Those of a day in one call, unless there are too many.
    const days = ['2026-03-02', '2026-03-03', '2026-03-02'].map((datum) => ({ ...all[2]!, datum }))
    expect(
      bankPortions(days, { anzahl: 2, zeichen: 9999 }).map((part) => part.map(({ datum }) => datum)),
    ).toEqual([['2026-03-02', '2026-03-02'], ['2026-03-03']])
  })
})

test('whatever is booked, the entries are the difference of the balances', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          cents: fc.integer({ min: 1, max: 99_999_999 }),
          out: fc.boolean(),
          parts: fc.integer({ min: 1, max: 4 }),
        }),
        {
          maxLength: 30,
        },
      ),
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.constantFrom(...VERSIONS),
      (entries, start, revision) => {
        const euro = (cents: number) => formatCents({ wert: BigInt(cents), decimals: 2 })
        const end = entries.reduce((at, { cents, out }) => at + (out ? -cents : cents), start)
        const xml = statementXml(revision, [
          {
            anfang: euro(start),
            ende: euro(end),
            buchungen: entries.map(({ cents, out, parts }) => {
              const each = Math.floor(cents / parts)
              return {
                betrag: euro(cents),
                richtung: out ? 'DBIT' : 'CRDT',
                pieces: Array.from({ length: parts }, (_, index) => ({
                  betrag: euro(index === 0 ? cents - each * (parts - 1) : each),
                })),
              }
            }),
          },
        ])
        const [bankStatement] = readCamt(parseXml(xml))
        expect(bankStatement!.hinweise.filter(({ art }) => art === 'saldo')).toEqual([])
        const total = sum(bankStatement!.buchungen.map(({ betrag }) => decimal(betrag)))
        expect(formatCents(add(decimal(euro(start)), total))).toBe(euro(end))
        expect(bankPortions(bankStatement!.buchungen, { anzahl: 7, zeichen: 2000 }).flat()).toHaveLength(
          bankStatement!.buchungen.length,
        )
      },
    ),
    { numRuns: 60 },
  ))
