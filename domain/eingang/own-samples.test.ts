// What we write ourselves is read back without loss and without a fault.
import { expect, test } from 'vitest'
import { parseXml } from '#server/parse-xml.ts'
import { attachedTo, BELEGE } from '../../test/einvoice/belege.ts'
import { ciiXml } from '../e-rechnung/xrechnung-3-0.ts'
import { checkInvoice } from './check.ts'
import { headOf } from './head.ts'
import { readInvoice } from './read-invoice.ts'

test.each(Object.entries(BELEGE))('%s', (_name, beleg) => {
  for (const profile of ['xrechnung', 'en16931'] as const) {
    const read = readInvoice(parseXml(ciiXml(beleg, profile, attachedTo(beleg))))
    expect(read.unread).toEqual([])
    expect(checkInvoice(read, null).filter(({ weight }) => weight === 'fault')).toEqual([])
    const { summen } = beleg
    const head = headOf(read.invoice)
    expect([head.nummer, head.datum]).toEqual([beleg.nummer, beleg.datum])
    expect([head.netto, head.steuer, head.brutto, head.zahlbetrag]).toEqual([
      summen.netto,
      summen.steuer,
      summen.brutto,
      summen.zahlbetrag,
    ])
  }
})
