import { describe, expect, test } from 'vitest'
import { isSepaReference, sepaText } from './charset.ts'
import creditorIds from './creditor-id.cases.json' with { type: 'json' }
import { creditorIdFault } from './creditor-id.ts'
import { creditTransferXml, type DebitOrder, directDebitXml, type SepaFile } from './pain.ts'
import { ibanFault } from '../iban.ts'
import area from './area.cases.json' with { type: 'json' }
import { isDebitAccount, isSepaAccount } from './area.ts'
import targetDays from './target-day.cases.json' with { type: 'json' }
import { firstCollectionDay, isTargetDay, targetDayFrom } from './target-day.ts'

test.each(creditorIds)('creditor id: $why', ({ id, fault }) => expect(creditorIdFault(id)).toBe(fault))
test.each(area)('$iban', ({ iban, sepa, debit }) => {
  expect([ibanFault(iban), isSepaAccount(iban), isDebitAccount(iban)]).toEqual([null, sepa, debit])
})
test.each([
  ['a Wednesday', '2026-11-25', '2026-11-26'],
  ['a Friday', '2026-11-27', '2026-11-30'],
  ['a Saturday: the bank has it on Monday', '2026-11-28', '2026-12-01'],
  ['a Sunday', '2026-11-29', '2026-12-01'],
  ['the day before Christmas', '2026-12-24', '2026-12-28'],
])('collects first, made on %s', (_why, today, first) => expect(firstCollectionDay(today)).toBe(first))

test.each(targetDays)('TARGET: $why', ({ tag, ab }) => {
  expect(targetDayFrom(tag)).toBe(ab)
  expect(isTargetDay(tag)).toBe(tag === ab)
})

test.each([
  ['Müller & Söhne Groß', 'Mueller + Soehne Gross'],
  ['Àéîõç Łódź Ærø', 'Aeioc Lodz AEro'],
  ['Rechnung „RE-2026/1“; 5 €', 'Rechnung RE-2026/1 , 5 EUR'],
  ['<b>\n\u0000x</b>', 'b x /b'],
  ['日本 GmbH', 'GmbH'],
])('%j is written as %j', (text, written) => expect(sepaText(text, 140)).toBe(written))
test('a text is cut to its length', () => expect(sepaText(`${'ü'.repeat(40)}`, 70)).toHaveLength(70))
test.each([
  ['FK-1-2026', true],
  ["A+b:c,d(e)f?g.h'i/j", true],
  ['x'.repeat(36), false],
  ['a b', false],
  ['/a', false],
  ['a/', false],
  ['a//b', false],
  ['ä', false],
  ['', false],
])('%j is a reference: %s', (text, is) => expect(isSepaReference(text)).toBe(is))

const FILE: SepaFile = {
  id: 'FK-12',
  erstellt: '2026-11-27T09:30:00',
  konto: { name: 'Müller & Söhne', iban: 'DE02120300000000202051', bic: '' },
  tag: '2026-12-10',
}
const order = (part: Partial<DebitOrder> = {}): DebitOrder => ({
  referenz: 'RE-2026-0042',
  betrag: '119.00',
  debtor: { name: 'Jürgen Groß', iban: 'DE02500105170137075030', bic: 'INGDDEFF' },
  mandat: 'M-1',
  unterschrieben: '2026-01-15',
  art: 'core',
  folge: 'RCUR',
  zweck: 'Rechnung RE-2026-0042',
  ...part,
})
/** Names of the elements below each other, in their order. */
function shapeOf(xml: string): string[] {
  const path: string[] = []
  const found: string[] = []
  for (const [, end, name] of xml.matchAll(/<(\/?)([A-Za-z]+)[^>?]*>/g)) {
    if (end === '/') path.pop()
    else {
      path.push(name!)
      found.push(path.join('/'))
    }
  }
  expect(path).toEqual([])
  return found
}
const valuesOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, value]) => value!)

// The order is that of the message definitions of ISO 20022, as far as Anlage 3 uses them.
describe('a direct debit', () => {
  test('has the elements of pain.008.001.08 in their order', () => {
    const xml = directDebitXml(FILE, 'DE98ZZZ09999999999', [order()])
    expect(xml).toContain('xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08"')
    const below = (parent: string) =>
      shapeOf(xml).flatMap((path) => (path.startsWith(`${parent}/`) ? path.slice(parent.length + 1) : []))
    const direct = (parent: string) => below(parent).filter((path) => !path.includes('/'))
    const root = 'Document/CstmrDrctDbtInitn'
    expect(direct(root)).toEqual(['GrpHdr', 'PmtInf'])
    expect(direct(`${root}/GrpHdr`)).toEqual(['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum', 'InitgPty'])
    expect(direct(`${root}/PmtInf`)).toEqual(
      (
        'PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdColltnDt Cdtr CdtrAcct CdtrAgt ' +
        'ChrgBr CdtrSchmeId DrctDbtTxInf'
      ).split(' '),
    )
    expect(below(`${root}/PmtInf/PmtTpInf`)).toEqual([
      'SvcLvl',
      'SvcLvl/Cd',
      'LclInstrm',
      'LclInstrm/Cd',
      'SeqTp',
    ])
    expect(below(`${root}/PmtInf/CdtrSchmeId`)).toEqual([
      'Id',
      'Id/PrvtId',
      'Id/PrvtId/Othr',
      'Id/PrvtId/Othr/Id',
      'Id/PrvtId/Othr/SchmeNm',
      'Id/PrvtId/Othr/SchmeNm/Prtry',
    ])
    expect(direct(`${root}/PmtInf/DrctDbtTxInf`)).toEqual(
      'PmtId InstdAmt DrctDbtTx DbtrAgt Dbtr DbtrAcct RmtInf'.split(' '),
    )
    expect(below(`${root}/PmtInf/DrctDbtTxInf/DrctDbtTx`)).toEqual([
      'MndtRltdInf',
      'MndtRltdInf/MndtId',
      'MndtRltdInf/DtOfSgntr',
    ])
  })
  test('has a part for each scheme and place in the sequence', () => {
    const orders = [order(), order({ folge: 'FRST' }), order({ art: 'b2b' }), order({ betrag: '0.01' })]
    const xml = directDebitXml(FILE, 'DE98ZZZ09999999999', orders)
    expect(valuesOf(xml, 'PmtInfId')).toEqual(['FK-12-1', 'FK-12-2', 'FK-12-3'])
    expect(valuesOf(xml, 'SeqTp')).toEqual(['RCUR', 'FRST', 'RCUR'])
    expect(valuesOf(xml, 'NbOfTxs')).toEqual(['4', '1', '1', '2'])
    expect(valuesOf(xml, 'CtrlSum')).toEqual(['357.01', '119.00', '119.00', '119.01'])
  })
  test('keeps every cent of ten thousand of the largest amounts', () => {
    const orders = Array.from({ length: 10_000 }, () => order({ betrag: '999999999.99' }))
    expect(valuesOf(directDebitXml(FILE, 'X', orders), 'CtrlSum')).toEqual(
      Array.from({ length: 2 }, () => '9999999999900.00'),
    )
  })
  test('holds only characters that every bank takes, whatever the names', () => {
    const xml = directDebitXml(FILE, 'DE98ZZZ09999999999', [
      order({
        debtor: { name: '</Nm>&<x> „Łódź“', iban: 'DE02500105170137075030', bic: '' },
        zweck: '&amp;',
      }),
    ])
    expect(valuesOf(xml, 'Nm')).toEqual(['Mueller + Soehne', 'Mueller + Soehne', '/Nm + x Lodz'])
    expect(valuesOf(xml, 'Ustrd')).toEqual(['+amp,'])
    expect(xml).not.toMatch(/[^\n\x20-\x7e]/)
    expect(shapeOf(xml).filter((path) => path.endsWith('/NOTPROVIDED'))).toEqual([])
    expect(xml).toContain('<Id>NOTPROVIDED</Id>')
  })
})

test('a credit transfer has the elements of pain.001.001.09 in their order', () => {
  const xml = creditTransferXml(FILE, [
    { referenz: 'RE-1', betrag: '10.5', empfaenger: { ...FILE.konto, name: 'Jürgen' }, zweck: 'Rückzahlung' },
  ])
  const root = 'Document/CstmrCdtTrfInitn/PmtInf'
  const direct = (parent: string) =>
    shapeOf(xml).flatMap(
      (path) =>
        /^([^/]+)$/.exec(path.startsWith(`${parent}/`) ? path.slice(parent.length + 1) : '')?.[1] ?? [],
    )
  expect(direct(root)).toEqual(
    'PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdExctnDt Dbtr DbtrAcct DbtrAgt ChrgBr CdtTrfTxInf'.split(
      ' ',
    ),
  )
  expect(direct(`${root}/CdtTrfTxInf`)).toEqual('PmtId Amt Cdtr CdtrAcct RmtInf'.split(' '))
  expect(valuesOf(xml, 'InstdAmt')).toEqual(['10.50'])
  expect(valuesOf(xml, 'Dt')).toEqual(['2026-12-10'])
  expect(valuesOf(xml, 'Ustrd')).toEqual(['Rueckzahlung'])
})
test('credit transfers of several days: a part for each, the earliest first, with its own sum', () => {
  const pay = (tag: string | undefined, amount: string) => ({
    referenz: `R-${amount}`,
    betrag: amount,
    empfaenger: FILE.konto,
    zweck: 'x',
    ...(tag !== undefined && { tag }),
  })
  const xml = creditTransferXml(FILE, [
    pay('2026-12-14', '1.10'),
    pay(undefined, '2.20'),
    pay('2026-12-14', '3.30'),
    pay('2026-12-09', '4.40'),
  ])
  expect(valuesOf(xml, 'PmtInfId')).toEqual(['FK-12-1', 'FK-12-2', 'FK-12-3'])
  expect(valuesOf(xml, 'Dt')).toEqual(['2026-12-09', '2026-12-10', '2026-12-14'])
  // Of the file, then of each part.
  expect(valuesOf(xml, 'NbOfTxs')).toEqual(['4', '1', '1', '2'])
  expect(valuesOf(xml, 'CtrlSum')).toEqual(['11.00', '4.40', '2.20', '4.40'])
  expect(valuesOf(xml, 'EndToEndId')).toEqual(['R-4.40', 'R-2.20', 'R-1.10', 'R-3.30'])
})
