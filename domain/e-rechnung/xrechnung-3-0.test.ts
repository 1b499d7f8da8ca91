import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountFaults, amountsOfBeleg, amountsOfXml } from '../../test/einvoice/amounts.ts'
import {
  advanceOf,
  attachedTo,
  BELEGE,
  EINZUG,
  HOSTILE,
  type Head,
  makeBeleg,
  makeStorno,
  type TableRow,
} from '../../test/einvoice/belege.ts'
import { randomBeleg } from '../../test/einvoice/random-belege.ts'
import { all, type Element, emptyElements, parseXml, text, texts } from '../../test/einvoice/xml-tree.ts'
import type { Beleg } from '../beleg.ts'
import { PRIVATE_RETENTION } from '../retention.ts'
import { ciiXml as writeCii, NoERechnungError, GUIDELINE_ID, type Profile, RULESET } from './xrechnung-3-0.ts'

const ciiXml = (beleg: Beleg, profile: Profile): string => writeCii(beleg, profile, attachedTo(beleg))
const PROFILE: readonly Profile[] = ['xrechnung', 'en16931']
const PAGE: TableRow = { bez: 'Revierkarte', anzahl: '3', einheit: 'Stück', ep: '24.90', ust_satz: '7.00' }

const read = (beleg: Beleg, profile: Profile = 'xrechnung'): Element => parseXml(ciiXml(beleg, profile))
const invoiceOf = (rows?: readonly TableRow[], head?: Head): Element => read(makeBeleg(rows, head))

const TRADE = 'rsm:SupplyChainTradeTransaction'
const LINE = `${TRADE}/ram:IncludedSupplyChainTradeLineItem`
const AGREEMENT = `${TRADE}/ram:ApplicableHeaderTradeAgreement`
const SELLER = `${AGREEMENT}/ram:SellerTradeParty`
const BUYER = `${AGREEMENT}/ram:BuyerTradeParty`
const SETTLEMENT = `${TRADE}/ram:ApplicableHeaderTradeSettlement`
const SUMS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`
const NOTES = 'rsm:ExchangedDocument/ram:IncludedNote/ram:Content'
const TERMS = `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms`
const MEANS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`
const DATE = 'udt:DateTimeString'

describe('to the byte', () => {
  test('an invoice with discount, Skonto and two rates', () =>
    expect(
      ciiXml(
        makeBeleg(
          [
            {
              bez: 'Grenzvermessung',
              erl: 'Abteilung 12 a',
              anzahl: '2.500',
              einheit: 'ha',
              ep: '48.5000',
              rabatt_prozent: '10.00',
            },
            PAGE,
          ],
          {
            rabatt_prozent: '5.00',
            rabatt_grund: 'Gutschein WALD26',
            skonto: [{ tage: 10, prozent: '2.00' }],
          },
        ),
        'xrechnung',
      ),
    ).toMatchFileSnapshot('golden/rechnung.xrechnung.xml'))
  test('its Storno', () =>
    expect(
      ciiXml(
        makeStorno(makeBeleg([{ bez: 'Außendienst', anzahl: '7.5', einheit: 'Std', ep: '86.00' }])),
        'en16931',
      ),
    ).toMatchFileSnapshot('golden/storno.en16931.xml'))
  test('the same document gives the same text', () => {
    for (const beleg of Object.values(BELEGE))
      expect(ciiXml(structuredClone(beleg), 'xrechnung')).toBe(ciiXml(beleg, 'xrechnung'))
  })
})

describe('every sample, in both profiles', () => {
  for (const [name, beleg] of Object.entries(BELEGE)) {
    test.each(PROFILE)(
      `${name}: %s is well-formed, has no empty elements, adds up and tells the amounts of the document`,
      (profile) => {
        const invoice = read(beleg, profile)
        expect(emptyElements(invoice)).toEqual([])
        // What takes the last of an invoice takes the last cent of its tax (BR-CO-17 allows it).
        if (name !== 'korrektur-rest') expect(amountFaults(invoice)).toEqual([])
        expect(amountsOfXml(invoice)).toEqual(amountsOfBeleg(beleg))
      },
    )
  }
})

describe('identifiers', () => {
  test.each(PROFILE)('%s', (profile) => {
    const invoice = read(makeBeleg(), profile)
    expect(
      text(invoice, 'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
    ).toBe(GUIDELINE_ID[profile])
    expect(RULESET[profile]).not.toBe('')
  })
  test('the process is named for XRechnung alone', () => {
    const path = 'rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID'
    expect(text(read(makeBeleg(), 'xrechnung'), path)).toBe('urn:fdc:peppol.eu:2017:poacc:billing:01:1.0')
    expect(text(read(makeBeleg(), 'en16931'), path)).toBeNull()
  })
  test.each([
    ['an offer', { art: 'angebot' as const }],
    ['a reminder', { art: 'mahnung' as const }],
    ['a draft', { entwurf: true }],
    ['a document without a number', { nummer: '' }],
  ])('%s is no e-invoice', (_what, head) =>
    expect(() => ciiXml(makeBeleg(undefined, head), 'xrechnung')).toThrow(NoERechnungError),
  )
})

describe('Skonto (BT-20)', () => {
  const terms = (skonto: Beleg['skonto'], head: Head = {}) =>
    text(invoiceOf(undefined, { ...head, skonto }), `${TERMS}/ram:Description`)

  test('one line per tier with two places, and a line feed after the last', () =>
    expect(
      terms([
        { tage: 7, prozent: '3' },
        { tage: 14, prozent: '2.5' },
        { tage: 30, prozent: '0.25' },
      ]),
    ).toBe('#SKONTO#TAGE=7#PROZENT=3.00#\n#SKONTO#TAGE=14#PROZENT=2.50#\n#SKONTO#TAGE=30#PROZENT=0.25#\n'))
  test('the bytes: nothing before the first sign and nothing but the line feed after the last', () =>
    expect(ciiXml(makeBeleg(undefined, { skonto: [{ tage: 10, prozent: '2.00' }] }), 'xrechnung')).toContain(
      '<ram:Description>#SKONTO#TAGE=10#PROZENT=2.00#\n</ram:Description>\n<ram:DueDateDateTime>',
    ))
  test('without tiers there is no text', () => expect(terms([])).toBeNull())
  test('no text of the document can come in', () =>
    expect(terms([{ tage: 1, prozent: '1' }], { zuerl: HOSTILE, anschreiben: '#SKONTO#' })).toBe(
      '#SKONTO#TAGE=1#PROZENT=1.00#\n',
    ))
})

describe('what is to be paid', () => {
  test('by transfer to the account, with the number as reference', () => {
    const invoice = invoiceOf()
    expect(text(invoice, `${SETTLEMENT}/ram:PaymentReference`)).toBe('RE-2026-0042')
    expect(text(invoice, `${MEANS}/ram:TypeCode`)).toBe('58')
    expect(text(invoice, `${MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:IBANID`)).toBe(
      'DE02120300000000202051',
    )
    expect(text(invoice, `${MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:AccountName`)).toBe(
      'Forstkontor Vermessung GmbH',
    )
    expect(text(invoice, `${MEANS}/ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID`)).toBe(
      'BYLADEM1001',
    )
    expect(text(invoice, `${TERMS}/ram:DueDateDateTime/${DATE}`)).toBe('20261221')
  })
  test('by direct debit: mandate, creditor and the account of the buyer, and none of ours', () => {
    const invoice = invoiceOf(undefined, { faellig: EINZUG.tag, einzug: EINZUG })
    expect(text(invoice, `${MEANS}/ram:TypeCode`)).toBe('59')
    expect(text(invoice, `${MEANS}/ram:PayerPartyDebtorFinancialAccount/ram:IBANID`)).toBe(EINZUG.iban)
    expect(all(invoice, '**ram:PayeePartyCreditorFinancialAccount')).toEqual([])
    expect(text(invoice, `${SETTLEMENT}/ram:CreditorReferenceID`)).toBe(EINZUG.glaeubiger_id)
    expect(text(invoice, `${TERMS}/ram:DirectDebitMandateID`)).toBe(EINZUG.mandat)
    expect(text(invoice, `${TERMS}/ram:DueDateDateTime/${DATE}`)).toBe('20261222')
  })
  test('nothing is collected where nothing is left to pay, and of a Storno', () => {
    const collected = makeBeleg(undefined, { einzug: EINZUG })
    const paid = makeBeleg(undefined, { einzug: EINZUG, anzahlung: '1190.00' })
    for (const beleg of [paid, makeStorno(collected)]) {
      const invoice = read(beleg)
      expect(text(invoice, `${MEANS}/ram:TypeCode`)).toBe('1')
      expect(all(invoice, '**ram:CreditorReferenceID')).toEqual([])
      expect(all(invoice, '**ram:DirectDebitMandateID')).toEqual([])
    }
    expect(makeStorno(collected)).not.toHaveProperty('einzug')
  })
  test('the account has the name of the supplier where no other is given', () =>
    expect(
      text(
        invoiceOf(undefined, { lieferant: { kontoinhaber: '', bic: '' } }),
        `${MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:AccountName`,
      ),
    ).toBe('Forstkontor Vermessung GmbH'))
  test('at once where no day is given', () =>
    expect(text(invoiceOf(undefined, { faellig: null }), `${TERMS}/ram:DueDateDateTime/${DATE}`)).toBe(
      '20261121',
    ))
  test.each([
    ['nothing is left to pay', makeBeleg(undefined, { anzahlung: '1190.00' })],
    ['too much was paid', makeBeleg(undefined, { anzahlung: '2000.00' })],
    ['it is a Storno', makeStorno(makeBeleg())],
    ['there is no account', makeBeleg(undefined, { lieferant: { iban: '' } })],
  ])('no account and code 1 where %s', (_why, beleg) => {
    const invoice = read(beleg)
    expect(text(invoice, `${MEANS}/ram:TypeCode`)).toBe('1')
    expect(all(invoice, '**ram:IBANID')).toEqual([])
  })
  test('no day and no Skonto where nothing is to be paid', () =>
    expect(
      all(invoiceOf(undefined, { anzahlung: '1190.00', skonto: [{ tage: 10, prozent: '2' }] }), TERMS),
    ).toEqual([]))
  test('prepaid and allowances are left out where they are nothing', () => {
    const plain = invoiceOf()
    expect([
      text(plain, `${SUMS}/ram:TotalPrepaidAmount`),
      text(plain, `${SUMS}/ram:AllowanceTotalAmount`),
    ]).toEqual([null, null])
    const paid = invoiceOf(undefined, { anzahlung: '90.00' })
    expect([
      text(paid, `${SUMS}/ram:TotalPrepaidAmount`),
      text(paid, `${SUMS}/ram:DuePayableAmount`),
    ]).toEqual(['90.00', '1100.00'])
  })
})

describe('Storno', () => {
  const invoice = read(
    makeStorno(
      makeBeleg([{ ...PAGE, rabatt_prozent: '10.00' }], { skonto: [{ tage: 10, prozent: '2.00' }] }),
    ),
  )

  test('is a corrected invoice (384) that names what it takes back', () => {
    expect(text(invoice, 'rsm:ExchangedDocument/ram:TypeCode')).toBe('384')
    expect(text(invoice, `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`)).toBe(
      'RE-2026-0042',
    )
    expect(
      text(
        invoice,
        `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime/qdt:DateTimeString`,
      ),
    ).toBe('20261121')
    expect(texts(invoice, NOTES)[0]).toBe('Storno der Rechnung RE-2026-0042 vom 21.11.2026')
  })
  test('turns quantities and amounts and no price', () => {
    expect(text(invoice, `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity`)).toBe('-3')
    expect(
      text(invoice, `${LINE}/ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount`),
    ).toBe('24.90')
    expect(texts(invoice, `${LINE}/**ram:ActualAmount`)).toEqual(['-7.47'])
    expect(text(invoice, `${SUMS}/ram:DuePayableAmount`)).toBe('-71.94')
  })
})

describe('advances', () => {
  test('an advance is a partial invoice (326) for a supply that is to come', () => {
    const advance = read(advanceOf({ le_date: '2026-12-01' }))
    expect(text(advance, 'rsm:ExchangedDocument/ram:TypeCode')).toBe('326')
    expect(texts(advance, NOTES)[0]).toBe(
      'Abschlag auf eine noch nicht ausgeführte Leistung. ' +
        'Die Leistung wird voraussichtlich am oder ab dem 01.12.2026 ausgeführt.',
    )
    expect(all(advance, `${TRADE}/**ram:ActualDeliverySupplyChainEvent`)).toEqual([])
    expect(text(advance, `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime/${DATE}`)).toBe(
      '20261201',
    )
    expect(texts(read(advanceOf({ le_date: null }), 'en16931'), NOTES)[0]).toMatch(/noch nicht vereinbart\.$/)
  })
  const final = read(BELEGE['schluss-zwei-abschlaege-zwei-saetze']!)
  test('the final invoice (380) bills the whole and names each advance', () => {
    expect(text(final, 'rsm:ExchangedDocument/ram:TypeCode')).toBe('380')
    expect(texts(final, `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`)).toEqual([
      'RE-2026-0031',
    ])
    expect(texts(final, `${AGREEMENT}/ram:AdditionalReferencedDocument/ram:IssuerAssignedID`)).toEqual([
      'AN-2026-0007',
      'RE-2026-0033',
    ])
    expect(text(final, `${SUMS}/ram:TotalPrepaidAmount`)).toBe('1490.01')
  })
  test('their net and tax by rate are in words: EN 16931 has no field for them', () => {
    const note = texts(final, NOTES).find((each) => each.startsWith('Abgesetzt'))!
    expect(note.replaceAll('\u00A0', ' ').split('\n').slice(1, 3)).toEqual([
      'Abschlagsrechnung RE-2026-0031 vom 02.03.2026, erhalten am 11.03.2026: ' +
        'netto 1.000,00 €, USt 19 % 190,00 €, brutto 1.190,00 €',
      'Abschlagsrechnung RE-2026-0033 vom 04.05.2026, erhalten am 12.05.2026, 01.06.2026: ' +
        'netto 193,98 €, USt 19 % 36,85 €, brutto 230,83 €; netto 64,65 €, USt 7 % 4,53 €, brutto 69,18 €',
    ])
    expect(note).toMatch(/Es verbleiben: netto/)
  })
  test('a correction names its invoice, in words and as BG-3', () => {
    const made = read(BELEGE['korrektur-schluss']!)
    expect(text(made, 'rsm:ExchangedDocument/ram:TypeCode')).toBe('384')
    expect(texts(made, NOTES)[0]).toBe(
      'Rechnungskorrektur zur Schlussrechnung Nr. RE-2026-0042 vom 21.11.2026',
    )
    expect(texts(made, `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`)).toEqual([
      'RE-2026-0042',
    ])
  })
  test('a Storno names what kind of invoice it takes back', () => {
    expect(texts(read(BELEGE['storno-abschlag']!), NOTES)[0]).toBe(
      'Storno der Abschlagsrechnung RE-2026-0031 vom 02.03.2026',
    )
    const back = read(BELEGE['storno-schluss']!)
    expect(texts(back, `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`)).toHaveLength(1)
    expect(text(back, `${SUMS}/ram:TotalPrepaidAmount`)).toBe('-1490.01')
  })
})

describe('lines', () => {
  test.each([
    ['2.500', '2.5'],
    ['3', '3'],
    ['0.001', '0.001'],
    ['100', '100'],
    ['0', '0'],
  ])('quantity %s is %s', (count, wanted) =>
    expect(
      text(
        invoiceOf([{ ...PAGE, anzahl: count }]),
        `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity`,
      ),
    ).toBe(wanted),
  )
  test.each([
    ['24.9', '24.90'],
    ['0.0375', '0.0375'],
    ['12.3450', '12.345'],
    ['10', '10.00'],
  ])('price %s is %s', (ep, wanted) =>
    expect(
      text(
        invoiceOf([{ ...PAGE, ep }]),
        `${LINE}/ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount`,
      ),
    ).toBe(wanted),
  )
  test('a price below nothing gives its sign to the quantity', () => {
    const invoice = invoiceOf([PAGE, { bez: 'Gutschrift', anzahl: '2', einheit: 'Stück', ep: '-5.00' }])
    expect(
      texts(
        invoice,
        `${LINE}/ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount`,
      ),
    ).toEqual(['24.90', '5.00'])
    expect(texts(invoice, `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity`)).toEqual(['3', '-2'])
  })
  test('units are codes; a unit that has none is "one" and says its name', () => {
    const invoice = invoiceOf(['ha', 'Std', 'Findling', ''].map((unit) => ({ ...PAGE, einheit: unit })))
    expect(
      all(invoice, `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity`).map(
        ({ attributes }) => attributes['unitCode'],
      ),
    ).toEqual(['H18', 'HUR', 'C62', 'C62'])
    expect(texts(invoice, `${LINE}/**ram:Value`)).toEqual(['Findling'])
  })
  test('a discount of the line: percentage, what it is off, and how much', () => {
    const invoice = invoiceOf([{ ...PAGE, rabatt_prozent: '33.33' }])
    const off = `${LINE}/ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeAllowanceCharge`
    expect(
      ['CalculationPercent', 'BasisAmount', 'ActualAmount', 'ReasonCode', 'Reason'].map((name) =>
        text(invoice, `${off}/ram:${name}`),
      ),
    ).toEqual(['33.33', '74.70', '24.90', '95', 'Rabatt'])
    expect(text(invoice, `${off}/ram:ChargeIndicator/udt:Indicator`)).toBe('false')
  })
  test('a surcharge of the line is a discount below zero: both numbers above zero, and said to be a charge', () => {
    const line = { ...PAGE, rabatt_prozent: '-33.33' }
    const off = `${LINE}/ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeAllowanceCharge`
    const told = (invoice: Element) => [
      text(invoice, `${off}/ram:ChargeIndicator/udt:Indicator`),
      ...['CalculationPercent', 'BasisAmount', 'ActualAmount', 'Reason'].map((name) =>
        text(invoice, `${off}/ram:${name}`),
      ),
    ]
    expect(told(invoiceOf([line]))).toEqual(['true', '33.33', '74.70', '24.90', 'Zuschlag'])
    expect(texts(invoiceOf([line]), `${off}/ram:ReasonCode`)).toEqual([])
    // Taken back, the amounts alone are negated.
    expect(told(read(makeStorno(makeBeleg([line]))))).toEqual([
      'true',
      '33.33',
      '-74.70',
      '-24.90',
      'Zuschlag',
    ])
  })
  test('name from bez, else from the title of the explanation, else from the number', () =>
    expect(
      texts(
        invoiceOf([PAGE, { ...PAGE, bez: ' ', erl_titel: 'Titel' }, { ...PAGE, bez: '' }]),
        `${LINE}/ram:SpecifiedTradeProduct/ram:Name`,
      ),
    ).toEqual(['Revierkarte', 'Titel', 'Position 3']))
  test('the explanation is told where it is printed', () =>
    expect(
      texts(
        invoiceOf([
          { ...PAGE, erl_titel: 'Titel', erl: 'Zeile 1\r\nZeile 2' },
          { ...PAGE, erl: 'nur Text' },
          { ...PAGE, erl_titel: 'Titel', erl: 'verborgen', erl_on: false },
        ]),
        `${LINE}/ram:SpecifiedTradeProduct/ram:Description`,
      ),
    ).toEqual(['Titel\nZeile 1\nZeile 2', 'nur Text']))
  test('optional and alternative lines that nobody chose are none', () =>
    expect(
      texts(read(BELEGE['optional-und-alternativ']!), `${LINE}/ram:SpecifiedTradeProduct/ram:Name`),
    ).toEqual(['Grenzvermessung', 'Gewählt']))
  test('headings are notes of their lines, the text on the first; without lines, of the invoice', () => {
    const invoice = read(BELEGE['ueberschriften']!)
    expect(texts(invoice, `${LINE}/ram:AssociatedDocumentLineDocument/ram:LineID`)).toEqual([
      '1',
      '2.1',
      '2.2',
      '3.1',
    ])
    expect(texts(invoice, `${LINE}/**ram:Content`)).toEqual([
      'Revier Nord\nHinweis\nGrenzsteine waren freigelegt.',
      'Revier Nord',
      'Revier Süd',
    ])
    expect(texts(invoice, NOTES)).toContain('Ohne Leistung\nAuf Wunsch nicht ausgeführt.')
  })
})

describe('days', () => {
  const supplyOf = (rows: readonly TableRow[], head: Head) => {
    const invoice = invoiceOf(rows, head)
    return {
      day: text(
        invoice,
        `${TRADE}/ram:ApplicableHeaderTradeDelivery/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/${DATE}`,
      ),
      period: texts(invoice, `${SETTLEMENT}/ram:BillingSpecifiedPeriod/**${DATE}`),
      lines: texts(invoice, `${LINE}/ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod/**${DATE}`),
    }
  }
  test('one day', () => expect(supplyOf([PAGE], {})).toEqual({ day: '20261112', period: [], lines: [] }))
  test('first and last day the same', () =>
    expect(supplyOf([PAGE], { le_date_bis: '2026-11-12' })).toEqual({
      day: '20261112',
      period: [],
      lines: [],
    }))
  test('a period, whose last day is when it was completed', () =>
    expect(supplyOf([PAGE], { le_date: '2026-10-01', le_date_bis: '2026-10-31' })).toEqual({
      day: '20261031',
      period: ['20261001', '20261031'],
      lines: [],
    }))
  test("lines' own days widen the period", () =>
    expect(
      supplyOf(
        [
          { ...PAGE, le_date: '2026-09-28', le_date_bis: '2026-10-02' },
          { ...PAGE, le_date: '2026-11-02' },
        ],
        { le_date: '2026-10-01', le_date_bis: '2026-10-31' },
      ),
    ).toEqual({
      day: '20261102',
      period: ['20260928', '20261102'],
      lines: ['20260928', '20261002', '20261102', '20261102'],
    }))
  test("lines' own days beside one day of the document leave it alone", () =>
    expect(supplyOf([{ ...PAGE, le_date: '2026-09-28' }], {})).toEqual({
      day: '20261112',
      period: [],
      lines: ['20260928', '20260928'],
    }))
  test('without a day of the document the lines have it', () =>
    expect(supplyOf([{ ...PAGE, le_date: '2026-09-28' }], { le_date: null })).toEqual({
      day: '20260928',
      period: [],
      lines: ['20260928', '20260928'],
    }))
  test('without any day the element is there with nothing in it, as the schema wants', () => {
    expect(supplyOf([PAGE], { le_date: null })).toEqual({ day: null, period: [], lines: [] })
    expect(
      all(invoiceOf([PAGE], { le_date: null }), `${TRADE}/ram:ApplicableHeaderTradeDelivery`),
    ).toHaveLength(1)
  })
  test('days of lines that are not billed do not count', () =>
    expect(
      supplyOf([PAGE, { ...PAGE, art: 'optional', le_date: '2020-01-01' }], {
        le_date: '2026-10-01',
        le_date_bis: '2026-10-31',
      }).period,
    ).toEqual(['20261001', '20261031']))
})

describe('parties', () => {
  const registrations = (invoice: Element, party: string) =>
    all(invoice, `${party}/ram:SpecifiedTaxRegistration/ram:ID`).map(
      ({ attributes, text: id }) => `${attributes['schemeID']} ${id}`,
    )

  test('supplier: name, footer, contact, address, endpoint, numbers', () => {
    const invoice = invoiceOf()
    expect(text(invoice, `${SELLER}/ram:Name`)).toBe('Forstkontor Vermessung GmbH')
    expect(text(invoice, `${SELLER}/ram:Description`)).toBe(
      'Amtsgericht Göttingen, HRB 4711\nGeschäftsführer: Dr. Käthe Öztürk',
    )
    expect(texts(invoice, `${SELLER}/ram:DefinedTradeContact/ram:PersonName`)).toEqual(['Jörg Müßig'])
    expect(texts(invoice, `${SELLER}/ram:DefinedTradeContact/**ram:CompleteNumber`)).toEqual([
      '+49 551 123456',
    ])
    expect(texts(invoice, `${SELLER}/ram:DefinedTradeContact/**ram:URIID`)).toEqual([
      'rechnung@forstkontor.example',
    ])
    expect(all(invoice, `${SELLER}/ram:PostalTradeAddress`)[0]!.children.map((child) => child.text)).toEqual([
      '37073',
      'Am Försterweg 12',
      'Büro für Forsteinrichtung',
      'Göttingen',
      'DE',
    ])
    expect(all(invoice, `${SELLER}/ram:URIUniversalCommunication/ram:URIID`)[0]!.attributes).toEqual({
      schemeID: 'EM',
    })
    expect(registrations(invoice, SELLER)).toEqual(['VA DE136695976', 'FC 20/200/12345'])
    expect(text(invoice, `${SELLER}/ram:ID`)).toBeNull()
  })
  test('a supplier without VAT number is identified by the tax number', () => {
    const invoice = invoiceOf(undefined, { lieferant: { ust_id: '' } })
    expect(registrations(invoice, SELLER)).toEqual(['FC 20/200/12345'])
    expect(text(invoice, `${SELLER}/ram:ID`)).toBe('20/200/12345')
  })
  test('buyer: reference, order, endpoint, VAT number without blanks', () => {
    const invoice = invoiceOf(undefined, { empfaenger: { ust_id: 'ATU 1358 5627', land: 'at' } })
    expect(text(invoice, `${AGREEMENT}/ram:BuyerReference`)).toBe('04011000-1234512345-06')
    expect(text(invoice, `${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`)).toBe(
      'B-2026/0815',
    )
    expect(text(invoice, `${BUYER}/ram:PostalTradeAddress/ram:CountryID`)).toBe('AT')
    expect(registrations(invoice, BUYER)).toEqual(['VA ATU13585627'])
  })
  test('an authority without an address is found by its Leitweg-ID, nobody else is', () => {
    const endpoint = (recipient: Head['empfaenger']) =>
      all(
        invoiceOf(undefined, { empfaenger: recipient! }),
        `${BUYER}/ram:URIUniversalCommunication/ram:URIID`,
      ).map(({ attributes, text: id }) => [attributes['schemeID'], id])
    expect(endpoint({ mail: '' })).toEqual([['0204', '04011000-1234512345-06']])
    expect(endpoint({ mail: '', leitweg_id: '' })).toEqual([])
    expect(endpoint({ mail: 'a@b.example' })).toEqual([['EM', 'a@b.example']])
  })
  test('an address without a street has the addition in its place; without both it has neither', () => {
    const lines = (recipient: Head['empfaenger']) => {
      const invoice = invoiceOf(undefined, { empfaenger: recipient! })
      return [
        text(invoice, `${BUYER}/ram:PostalTradeAddress/ram:LineOne`),
        text(invoice, `${BUYER}/ram:PostalTradeAddress/ram:LineTwo`),
      ]
    }
    expect(lines({ strasse: '', name_zusatz: 'Postfach' })).toEqual(['Postfach', null])
    expect(lines({ strasse: '', name_zusatz: '' })).toEqual([null, null])
  })
  test('orders and offers are left out where there are none', () => {
    const invoice = invoiceOf(undefined, { empfaenger: { bestellnummer: '', leitweg_id: '' } })
    expect([
      all(invoice, '**ram:BuyerOrderReferencedDocument'),
      all(invoice, '**ram:AdditionalReferencedDocument'),
      all(invoice, '**ram:BuyerReference'),
    ]).toEqual([[], [], []])
  })
  test('the offer that is billed is a related document', () => {
    const offer = all(read(BELEGE['aus-angebot']!), `${AGREEMENT}/ram:AdditionalReferencedDocument`)[0]!
    expect(offer.children.map((child) => child.text)).toEqual([
      'AN-2026-0007',
      '916',
      'Angebot vom 01.09.2026',
    ])
    expect(all(read(BELEGE['aus-angebot']!), '**ram:InvoiceReferencedDocument')).toEqual([])
  })
})

describe('tax', () => {
  const group = (name: string) =>
    all(read(BELEGE[name]!), `${SETTLEMENT}/ram:ApplicableTradeTax`).map((tax) =>
      ['CategoryCode', 'RateApplicablePercent', 'ExemptionReason', 'ExemptionReasonCode'].map((leafName) =>
        text(tax, `ram:${leafName}`),
      ),
    )
  test('rates without a reason', () =>
    expect(group('mischung-19-7')).toEqual([
      ['S', '19', null, null],
      ['S', '7', null, null],
    ]))
  test('a rate with places keeps them', () =>
    expect(group('satz-mit-komma')).toEqual([['S', '7.8', null, null]]))
  test('exempt', () =>
    expect(group('nur-0-befreit')).toEqual([['E', '0', 'Steuerfrei nach § 4 Nr. 21 UStG', null]]))
  test('two reasons in one group', () =>
    expect(group('zwei-befreiungen')).toEqual([
      ['E', '0', 'Steuerfrei nach § 4 Nr. 21 UStG; Steuerfrei nach § 4 Nr. 14 UStG', null],
    ]))
  test('reverse charge', () =>
    expect(group('reverse-charge')).toEqual([
      ['AE', '0', 'Steuerschuldnerschaft des Leistungsempfängers', 'VATEX-EU-AE'],
    ]))
  test('Kleinunternehmer', () =>
    expect(group('kleinunternehmer')).toEqual([
      ['E', '0', 'Steuerbefreiung für Kleinunternehmer (§ 19 UStG)', null],
    ]))
  test('outside of the tax: no VAT numbers, no rate on lines and allowances, one on the group', () => {
    const invoice = read(BELEGE['nicht-steuerbar']!)
    expect(group('nicht-steuerbar')).toEqual([['O', '0', 'Nicht steuerbarer Schadensersatz', 'VATEX-EU-O']])
    expect(all(invoice, `${LINE}/**ram:RateApplicablePercent`)).toEqual([])
    expect(
      all(invoice, '**ram:CategoryTradeTax').flatMap((tax) => texts(tax, 'ram:RateApplicablePercent')),
    ).toEqual([])
    expect(
      all(invoice, '**ram:SpecifiedTaxRegistration').flatMap((one) =>
        all(one, 'ram:ID').map(({ attributes }) => attributes['schemeID']),
      ),
    ).toEqual(['FC'])
    expect(text(read(BELEGE['nicht-steuerbar-ohne-steuernummer']!), `${SELLER}/ram:ID`)).toBe('DE136695976')
  })
  test('the discount is split over the groups, each with its reason and code', () => {
    const off = all(read(BELEGE['gutschein-alle-saetze']!), `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge`)
    expect(
      off.map((one) => [
        text(one, 'ram:CategoryTradeTax/ram:CategoryCode'),
        text(one, 'ram:CategoryTradeTax/ram:RateApplicablePercent'),
        text(one, 'ram:ActualAmount'),
        text(one, 'ram:ReasonCode'),
        text(one, 'ram:Reason'),
      ]),
    ).toEqual([
      ['S', '19', '155.65', '95', 'Gutschein WALD26'],
      ['S', '7', '9.34', '95', 'Gutschein WALD26'],
      ['E', '0', '77.50', '95', 'Gutschein WALD26'],
    ])
    expect(
      texts(read(BELEGE['rabatt-ohne-grund']!), `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge/ram:Reason`),
    ).toEqual(['Rabatt'])
  })
})

describe('notes', () => {
  test('salutation and letter are one, the closing text another', () =>
    expect(texts(invoiceOf(), NOTES)).toEqual([
      'Sehr geehrte Damen und Herren,\nfür die erbrachten Leistungen erlauben wir uns zu berechnen:',
      'Wir danken für Ihren Auftrag.',
    ]))
  test('none where nothing is said', () =>
    expect(texts(invoiceOf(undefined, { anrede: '', anschreiben: ' ', zuerl: '\n' }), NOTES)).toEqual([]))
  test('a private person is told how long to keep it', () =>
    expect(texts(read(BELEGE['privat']!), NOTES)).toContain(PRIVATE_RETENTION))
  test('in the words of the settings, where the document bears them; in none where they are empty', () => {
    const told = (retention: string): string[] =>
      texts(read({ ...BELEGE['privat']!, aufbewahrung: retention }), NOTES)
    expect(told('Zwei Jahre\naufbewahren!').at(-1)).toBe('Zwei Jahre\naufbewahren!')
    expect(told(' ')).toEqual(texts(read(BELEGE['privat']!), NOTES).slice(0, -1))
  })
  test('once, where the closing text says it already', () => {
    const remarks = 'Sie sind verpflichtet, die Rechnung zwei Jahre aufzubewahren.'
    expect(
      texts(invoiceOf(undefined, { zuerl: remarks, empfaenger: { ist_privat: true } }), NOTES).slice(1),
    ).toEqual([remarks])
  })
  test('of a Storno nobody is', () =>
    expect(texts(read(makeStorno(BELEGE['privat']!)), NOTES)).not.toContain(PRIVATE_RETENTION))
  test('hostile text comes back as text', () => {
    const [note] = texts(read(BELEGE['feindlicher-text']!), NOTES)
    expect(note).toContain('<script>alert("1")</script>')
    expect(note).toContain(']]> &amp; \uFFFD')
    expect(note).toContain('Zeile 2\nZeile 3 😀')
  })
})

test('random invoices add up to the cent when computed from their XML alone, and say what the document says', () =>
  fc.assert(
    fc.property(randomBeleg, (beleg) => {
      const invoice = read(beleg)
      expect(amountFaults(invoice)).toEqual([])
      expect(amountsOfXml(invoice)).toEqual(amountsOfBeleg(beleg))
    }),
    { numRuns: 1000 },
  ))

test('the reckoning of these tests finds a cent', () => {
  const xml = ciiXml(BELEGE['alles-zusammen']!, 'xrechnung')
  const kinds = '(?:Line|TaxBasis|Grand|Allowance)Total|Actual|Calculated|Basis|DuePayable|TotalPrepaid'
  const amounts = [...xml.matchAll(new RegExp(`<ram:((?:${kinds})Amount)>(\\d+)\\.(\\d)(\\d)<`, 'g'))]
  expect(amounts.length).toBeGreaterThan(15)
  for (const found of amounts) {
    const wrong = `<ram:${found[1]}>${found[2]}.${found[3]}${(Number(found[4]) + 1) % 10}<`
    const seeded = xml.slice(0, found.index) + wrong + xml.slice(found.index + found[0].length)
    expect(amountFaults(parseXml(seeded)), wrong).not.toEqual([])
  }
})
