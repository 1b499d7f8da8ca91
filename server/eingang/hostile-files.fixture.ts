// Files that are made to deceive a reader or to bring it down, and odd ones that are harmless, each with what must
// become of it. Generated here from bytes.
import { deflateSync } from 'node:zlib'
import { cii, type Spec, ubl } from '#domain/eingang/files.fixture.ts'
import { makePdf } from './pdf.fixture.ts'

export const SPEC: Spec = {
  number: 'H-1',
  vatId: 'DE136695976',
  iban: 'DE02120300000000202051',
  due: '2026-03-16',
  supplied: '2026-02-27',
  lines: [{ id: '1', name: 'Holz', quantity: '1', price: '100.00', net: '100.00' }],
  taxes: [{ base: '100.00', tax: '19.00' }],
  sum: '100.00',
  net: '100.00',
  tax: '19.00',
  gross: '119.00',
  payable: '119.00',
}
const CII = cii(SPEC)
const UBL = ubl(SPEC)

/** A code of file-fault.ts, or the format in which it is taken in and the rules that its findings name. */
export type Ends =
  | string
  | { readonly format: string; readonly rules?: readonly string[]; readonly head?: object }
export interface HostileFile {
  readonly what: string
  readonly bytes: () => Buffer
  readonly ends: Ends
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const swapped = (text: string): Buffer => utf16(text).swap16()
const withType = (type: string): Buffer => Buffer.from(CII.replace('\n', `\n${type}\n`))
const changed = (from: string | RegExp, to: string, of = CII): (() => Buffer) => {
  if (of.replace(from, to) === of) throw new Error(`nothing changed by ${String(from)}`)
  return () => Buffer.from(of.replace(from, to))
}
const LAUGHS =
  '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' +
  'bcdefghij'
    .split('')
    .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghij'[at]};`.repeat(10)}">`)
    .join('') +
  ']>'

const XML: readonly (readonly [what: string, bytes: () => Buffer, ends: Ends])[] = [
  ['nothing', () => Buffer.alloc(0), 'eingang_leer'],
  ['a word', () => Buffer.from('Rechnung'), 'eingang_art'],
  ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'eingang_art'],
  ['an archive', () => Buffer.from('PK\u0003\u0004\u0014\u0000', 'latin1'), 'eingang_art'],
  ['JSON', () => Buffer.from('{"a": 1}'), 'eingang_art'],
  ['a page', () => Buffer.from('<html><body>Rechnung</body></html>'), 'eingang_fremd'],
  ['a page with its document type', () => Buffer.from('<!DOCTYPE html><html></html>'), 'eingang_dtd'],
  ['an entity', () => withType('<!DOCTYPE x [<!ENTITY a "b">]>'), 'eingang_dtd'],
  [
    'an entity of a file',
    () => withType('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
    'eingang_dtd',
  ],
  [
    'a document type elsewhere',
    () => withType('<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">'),
    'eingang_dtd',
  ],
  ['entities of entities', () => withType(LAUGHS), 'eingang_dtd'],
  ['an entity that is nowhere', changed('>Holz<', '>&holz;<'), 'eingang_xml'],
  ['half of it', () => Buffer.from(CII.slice(0, CII.length / 2)), 'eingang_xml'],
  ['two roots', () => Buffer.from(CII + CII.replace(/^<\?xml[^>]*>\n/, '')), 'eingang_xml'],
  ['a prefix of no namespace', changed(' xmlns:ram="', ' xmlns:rum="'), 'eingang_xml'],
  ['a sign that XML forbids', changed('>Holz<', '>H\u0001lz<'), 'eingang_xml'],
  ['a forbidden sign by its number', changed('>Holz<', '>H&#1;lz<'), 'eingang_xml'],
  [
    '100,000 deep',
    () => Buffer.from(CII.replace('>Holz<', `>${'<ram:X>'.repeat(100_000)}<`)),
    'eingang_umfang',
  ],
  [
    '400,000 elements',
    () => Buffer.from(CII.replace('>Holz<', `>${'<ram:X/>'.repeat(400_000)}<`)),
    'eingang_umfang',
  ],
  ['another root', changed(/CrossIndustryInvoice(?=[ >])/g, 'CrossIndustryOrder'), 'eingang_fremd'],
  ['another namespace', changed('CrossIndustryInvoice:100', 'CrossIndustryInvoice:99'), 'eingang_fremd'],
  ['an order of UBL', () => Buffer.from(UBL.replaceAll('Invoice', 'Order')), 'eingang_fremd'],
  [
    'ZUGFeRD 1.0',
    () => Buffer.from('<r:CrossIndustryDocument xmlns:r="urn:ferd:CrossIndustryDocument:invoice:1p0"/>'),
    'eingang_zugferd_1',
  ],
  ['an encoding that nobody knows', changed('encoding="UTF-8"', 'encoding="EBCDIC"'), 'eingang_zeichen'],
  [
    'Latin-1 that says UTF-8',
    () => Buffer.from(CII.replace('>Holz<', '>Hölzer<'), 'latin1'),
    'eingang_zeichen',
  ],
  [
    'Latin-1 that says so',
    () => Buffer.from(CII.replace('UTF-8', 'ISO-8859-1').replace('>Holz<', '>Hölzer<'), 'latin1'),
    { format: 'cii' },
  ],
  ['a mark of UTF-8', () => Buffer.from(`\uFEFF${CII}`), { format: 'cii' }],
  ['UTF-16, little end first', () => utf16(`\uFEFF${CII.replace('UTF-8', 'UTF-16')}`), { format: 'cii' }],
  ['UTF-16, big end first', () => swapped(`\uFEFF${CII.replace('UTF-8', 'UTF-16')}`), { format: 'cii' }],
  ['UTF-16 without a mark', () => utf16(CII.replace('UTF-8', 'UTF-16')), { format: 'cii' }],
  ['UTF-8 that says UTF-16', changed('UTF-8', 'UTF-16'), { format: 'cii' }],
  ['half of UTF-16', () => utf16(`\uFEFF${CII}`).subarray(0, 1001), 'eingang_zeichen'],
  [
    'totals below zero',
    changed('<ram:DuePayableAmount>119', '<ram:DuePayableAmount>-119'),
    { format: 'cii', rules: ['BR-CO-16'], head: { zahlbetrag: '-119.00' } },
  ],
  [
    'NaN',
    changed('<ram:GrandTotalAmount>119.00', '<ram:GrandTotalAmount>NaN'),
    { format: 'cii', rules: ['zahl'], head: { brutto: null } },
  ],
  [
    'infinity',
    changed('<ram:GrandTotalAmount>119.00', '<ram:GrandTotalAmount>INF'),
    { format: 'cii', rules: ['zahl'], head: { brutto: null } },
  ],
  [
    '40 digits',
    changed('<ram:GrandTotalAmount>119.00', `<ram:GrandTotalAmount>${'9'.repeat(40)}`),
    { format: 'cii', rules: ['zahl'], head: { brutto: null } },
  ],
  [
    '31 February',
    changed('>20260302<', '>20260231<'),
    { format: 'cii', rules: ['tag'], head: { datum: null } },
  ],
  ['the year 9999', changed('>20260316<', '>99991231<'), { format: 'cii', head: { faellig: null } }],
  [
    'a currency that is none of ours',
    changed('>EUR</ram:Inv', '>XAU</ram:Inv'),
    { format: 'cii', rules: ['waehrung'], head: { brutto: null, currency: 'XAU' } },
  ],
  [
    'HTML in the name',
    changed('>Baumschule Müller &amp; Söhne<', '>&lt;img src=x onerror=alert(1)&gt;<'),
    { format: 'cii', head: { name: '<img src=x onerror=alert(1)>' } },
  ],
  [
    'a name that turns the direction of reading',
    changed('>Baumschule Müller &amp; Söhne<', '>Sparkasse\u202Egpj<'),
    { format: 'cii', head: { name: 'Sparkasse gpj' } },
  ],
  [
    'a page as an embedded document',
    () => Buffer.from(cii({ ...SPEC, attachments: [['a.html', 'text/html', 'PHNjcmlwdD4=']] })),
    { format: 'cii', rules: ['BR-CL-24'] },
  ],
  [
    'names of built-in things',
    changed('>Holz<', '>__proto__</ram:Name><ram:constructor>x</ram:constructor><ram:Name>Holz<'),
    { format: 'cii', rules: ['ungelesen'] },
  ],
  [
    'no totals at all',
    changed(
      /<ram:SpecifiedTradeSettlementHeaderM[\s\S]*<\/ram:SpecifiedTradeSettlementHeaderMonetarySummation>/,
      '',
    ),
    { format: 'cii', rules: ['BR-13', 'BR-15'], head: { brutto: null } },
  ],
  [
    'an empty invoice',
    () => Buffer.from('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'),
    { format: 'ubl', rules: ['BR-02', 'BR-16'], head: { nummer: null } },
  ],
]

const FACTUR = 'factur-x.xml'
const hybrid = (content: Buffer | string = Buffer.from(CII), more: object = {}): Buffer =>
  makePdf({ attachments: [[FACTUR, content]], ...more })

const PDFS: readonly (readonly [what: string, bytes: () => Buffer, ends: Ends])[] = [
  ['without anything', () => makePdf({ attachments: [] }), { format: 'pdf', rules: [] }],
  ['Factur-X', () => hybrid(), { format: 'zugferd', rules: [] }],
  [
    'XRechnung in UBL',
    () => makePdf({ attachments: [['xrechnung.xml', Buffer.from(UBL)]] }),
    { format: 'zugferd', rules: [] },
  ],
  [
    'ZUGFeRD 2.0',
    () => makePdf({ attachments: [['zugferd-invoice.xml', Buffer.from(CII)]] }),
    { format: 'zugferd', rules: [] },
  ],
  ['packed objects', () => hybrid(undefined, { packed: true }), { format: 'zugferd', rules: [] }],
  ['lengths elsewhere', () => hybrid(undefined, { indirectLength: true }), { format: 'zugferd', rules: [] }],
  ['names in UTF-16', () => hybrid(undefined, { wideNames: true }), { format: 'zugferd', rules: [] }],
  [
    'an attachment that is not packed',
    () => hybrid(undefined, { plain: true }),
    { format: 'zugferd', rules: [] },
  ],
  [
    'an older revision before it',
    () => Buffer.concat([hybrid(Buffer.from(CII.replace('H-1', 'OLD'))), hybrid().subarray(9)]),
    { format: 'zugferd', rules: [], head: { nummer: 'H-1' } },
  ],
  [
    'two invoices',
    () =>
      makePdf({
        attachments: [
          [FACTUR, Buffer.from(CII)],
          ['xrechnung.xml', Buffer.from(UBL)],
        ],
      }),
    { format: 'pdf', rules: ['pdf_mehrere'] },
  ],
  [
    'behind a password',
    () => hybrid(undefined, { encrypted: true }),
    { format: 'pdf', rules: ['pdf_passwort'] },
  ],
  ['a script', () => hybrid(undefined, { script: true }), { format: 'zugferd', rules: ['pdf_aktiv'] }],
  ['a broken invoice', () => hybrid(Buffer.from(CII.slice(0, 900))), { format: 'pdf', rules: ['pdf_xml'] }],
  ['an entity in the invoice', () => hybrid(withType(LAUGHS)), { format: 'pdf', rules: ['pdf_xml'] }],
  [
    'ZUGFeRD 1.0 inside',
    () =>
      makePdf({ attachments: [['ZUGFeRD-invoice.xml', '<a:CrossIndustryDocument xmlns:a="urn:ferd"/>']] }),
    { format: 'pdf', rules: ['pdf_zugferd_1'] },
  ],
  [
    'an attachment of 60 MB in 60 kB',
    () => hybrid(Buffer.alloc(60 * 2 ** 20, ' ')),
    { format: 'pdf', rules: ['pdf_anlage'] },
  ],
  [
    'a filter that nobody knows',
    () => hybrid(undefined, { filter: '/JBIG2Decode' }),
    { format: 'pdf', rules: ['pdf_anlage'] },
  ],
  ['its mark and nothing else', () => Buffer.from('%PDF-1.7\n'), { format: 'pdf', rules: [] }],
  [
    'noise behind its mark',
    () => Buffer.concat([Buffer.from('%PDF-1.4\n'), deflateSync(Buffer.alloc(9_999, 7))]),
    { format: 'pdf', rules: [] },
  ],
  ['half of it', () => hybrid().subarray(0, 700), { format: 'pdf' }],
  [
    'lists a million deep',
    () => Buffer.from(`%PDF-1.4\n1 0 obj\n${'['.repeat(1_000_000)}`),
    { format: 'pdf', rules: [] },
  ],
  [
    'a stream without an end',
    () => Buffer.from('%PDF-1.4\n1 0 obj\n<</Length 5>>\nstream\nabc'),
    { format: 'pdf', rules: [] },
  ],
  [
    'a file that points to itself',
    () => Buffer.from('%PDF-1.4\n1 0 obj\n<< /EF << /F 1 0 R >> /F (factur-x.xml) >>\nendobj\n'),
    { format: 'pdf', rules: ['pdf_anlage'] },
  ],
]

export const HOSTILE: readonly HostileFile[] = [
  ...XML.map(([what, bytes, ends]) => ({ what: `XML: ${what}`, bytes, ends })),
  ...PDFS.map(([what, bytes, ends]) => ({ what: `PDF: ${what}`, bytes, ends })),
]
