// UBL says what CII says: both are read with the reader of received invoices, and their terms compared.
import { describe, expect, test } from 'vitest'
import { parseXml as parseReceived } from '#server/parse-xml.ts'
import { attachedTo, BELEGE, makeBeleg } from '../../test/einvoice/belege.ts'
import { issuableBelege } from '../../test/einvoice/random-belege.ts'
import { emptyElements, parseXml } from '../../test/einvoice/xml-tree.ts'
import type { Beleg } from '../beleg.ts'
import { checkInvoice } from '../eingang/check.ts'
import type { InvoiceGroup } from '../eingang/invoice.ts'
import { readInvoice } from '../eingang/read-invoice.ts'
import { ublXml } from './ubl.ts'
import { ciiXml, NoERechnungError } from './xrechnung-3-0.ts'

const ubl = (beleg: Beleg): string => ublXml(beleg, attachedTo(beleg))
const readUbl = (beleg: Beleg) => readInvoice(parseReceived(ubl(beleg)))
const readCii = (beleg: Beleg) => readInvoice(parseReceived(ciiXml(beleg, 'xrechnung', attachedTo(beleg))))

/**
 * The advances of a final invoice stand in BG-3, where CII has room for one and names the others in BG-24. All else
 * is the same.
 */
function withoutAdvances({ terms, groups }: InvoiceGroup, { abschlaege = [] }: Beleg): InvoiceGroup {
  const numbers = new Set(abschlaege.map(({ nummer }) => nummer))
  const isOther = (term: string) => (group: InvoiceGroup) => !numbers.has(group.terms[term]?.[0] ?? '')
  const { 'BG-3': before = [], 'BG-24': beside = [], ...others } = groups
  const [preceding, related] = [before.filter(isOther('BT-25')), beside.filter(isOther('BT-122'))]
  return {
    terms,
    groups: {
      ...others,
      ...(preceding.length > 0 && { 'BG-3': preceding }),
      ...(related.length > 0 && { 'BG-24': related }),
    },
  }
}

describe('every sample', () => {
  test.each(Object.entries(BELEGE))('%s', (_name, beleg) => {
    const read = readUbl(beleg)
    expect(emptyElements(parseXml(ubl(beleg)))).toEqual([])
    expect(read.unread).toEqual([])
    expect(checkInvoice(read, null).filter(({ weight }) => weight === 'fault')).toEqual([])
    expect(withoutAdvances(read.invoice, beleg)).toEqual(withoutAdvances(readCii(beleg).invoice, beleg))
  })
})
test('thirty random ones', () => {
  for (const beleg of issuableBelege(30)) expect(readUbl(beleg).invoice).toEqual(readCii(beleg).invoice)
})
test('a final invoice names each advance that it takes off', () => {
  const { invoice } = readUbl(BELEGE['schluss-zwei-abschlaege-zwei-saetze']!)
  expect(invoice.groups['BG-3']).toHaveLength(2)
})
test('a buyer in a country without postcodes has no BT-53, the supplier keeps BT-38', () => {
  const beleg = makeBeleg([{ kategorie: 'O', ust_satz: '0.00', steuergrund: 'Im Inland nicht steuerbar' }], {
    format: 'zugferd',
    empfaenger: { land: 'HK', plz: '', ort: 'Kowloon' },
  })
  for (const xml of [ubl(beleg), ciiXml(beleg, 'en16931')]) {
    expect(emptyElements(parseXml(xml))).toEqual([])
    const { groups } = readInvoice(parseReceived(xml)).invoice
    const [seller, buyer] = ['BG-4', 'BG-7'].map((party) => groups[party]![0]!.groups)
    expect(seller!['BG-5']![0]!.terms['BT-38']).toEqual([beleg.lieferant.plz])
    expect(buyer!['BG-8']![0]!.terms).not.toHaveProperty('BT-53')
    expect(buyer!['BG-8']![0]!.terms).toMatchObject({ 'BT-52': ['Kowloon'], 'BT-55': ['HK'] })
  }
})
test('to the byte', () =>
  expect(
    ublXml(
      makeBeleg(
        [{ bez: 'Grenzvermessung', erl: 'Abteilung 12 a', anzahl: '2.500', einheit: 'ha', ep: '48.5000' }],
        {
          rabatt_prozent: '5.00',
          rabatt_grund: 'Gutschein WALD26',
          skonto: [{ tage: 10, prozent: '2.00' }],
        },
      ),
    ),
  ).toMatchFileSnapshot('golden/rechnung.ubl.xml'))
test('drafts and offers are refused', () => {
  expect(() => ublXml({ ...makeBeleg(), entwurf: true })).toThrow(NoERechnungError)
  expect(() => ublXml({ ...makeBeleg(), art: 'angebot' })).toThrow(NoERechnungError)
})
