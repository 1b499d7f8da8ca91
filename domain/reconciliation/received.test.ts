// Received invoices among the proposals: money goes out for them and comes in for credit notes.
import { describe, expect, test } from 'vitest'
import { readSkonto, skontoBt20 } from '../skonto.ts'
import { type ReceivedInvoice, receivedKey, reconcileAll } from './received.ts'
import type { ReconciliationRechnung, ReconciliationUmsatz } from './suggestion.ts'

const IBAN = 'DE75512108001245126199'
const received = (eingang_id: number, part: Partial<ReceivedInvoice> = {}): ReceivedInvoice => ({
  eingang_id,
  kreditor_id: eingang_id,
  kreditor: `Baumschule ${'Nord Süd West Ost Mitte'.split(' ')[eingang_id % 5]!}hain ${eingang_id}`,
  nummer: `R${2026000 + eingang_id}`,
  datum: '2026-03-01',
  zahlbetrag: '119.00',
  bezahlt: '0.00',
  offen: part.zahlbetrag ?? '119.00',
  iban: [],
  skonto: [],
  posten: null,
  ...part,
})
const umsatz = (part: Partial<ReconciliationUmsatz> = {}): ReconciliationUmsatz => ({
  id: 1,
  datum: '2026-03-10',
  rest: '-119.00',
  name: '',
  iban: '',
  zweck: '',
  ...part,
})
const own: ReconciliationRechnung = {
  rechnung_id: 1,
  client_id: 1,
  kunde: 'Forst Amsel',
  nummer: 'RE-2026-0001',
  rn_datum: '2026-03-01',
  zahlbetrag: '119.00',
  bezahlt: '238.00',
  offen: '-119.00',
  storniert: false,
  skonto: [],
  mahnkosten: '0.00',
}
const all = (
  entry: Partial<ReconciliationUmsatz>,
  some: readonly ReceivedInvoice[],
  rechnungen: readonly ReconciliationRechnung[] = [],
) => reconcileAll([umsatz(entry)], { rechnungen, accountList: [] }, some)[0]!
const best = (...given: Parameters<typeof all>) => all(...given).suggestions[0]
const line = (eingang_id: number, amount: string, skonto = false) => ({
  rechnung_id: receivedKey(eingang_id),
  betrag: amount,
  skonto,
})

describe('money that goes out', () => {
  test('by number and amount, with the sign of the entry', () =>
    expect(best({ zweck: 'Rechnung R2026007' }, [received(7), received(8)])).toMatchObject({
      zuordnungen: [line(7, '-119.00')],
      sicher: true,
    }))
  test('by the account of the supplier and the only amount', () =>
    expect(best({ iban: IBAN }, [received(7, { iban: [IBAN] }), received(8)])).toMatchObject({
      zuordnungen: [line(7, '-119.00')],
      reasons: ['betrag', 'iban'],
      sicher: true,
    }))
  test('less cash discount in time, as the terms of the file say', () => {
    const skonto = readSkonto(skontoBt20([{ tage: 14, prozent: '2.00' }]))
    expect(skonto).toEqual([{ tage: 14, prozent: '2.00' }])
    expect(best({ zweck: 'R2026007', rest: '-116.62' }, [received(7, { skonto })])).toMatchObject({
      zuordnungen: [line(7, '-116.62', true)],
      sicher: true,
    })
    expect(
      best({ zweck: 'R2026007', rest: '-116.62', datum: '2026-03-20' }, [received(7, { skonto })])!.reasons,
    ).toContain('skonto_spaet')
  })
  test('a part is proposed, and never sure', () =>
    expect(best({ zweck: 'R2026007', rest: '-19.00' }, [received(7)])).toMatchObject({
      zuordnungen: [line(7, '-19.00')],
      sicher: false,
    }))
  test('paid twice: the number is known as settled', () =>
    expect(all({ zweck: 'R2026007' }, [received(7, { bezahlt: '119.00', offen: '0.00' })]).settled).toEqual([
      'R2026007',
    ]))
})

describe('a file of credit transfers, booked as one sum', () => {
  const part = (id: number, lauf_id: number, amount: string, skonto = false, tag = '2026-03-09') =>
    received(id, { zahlbetrag: '119.00', posten: { lauf_id, tag, betrag: amount, skonto } })
  test('each day of a file is a sum of its own', () =>
    expect(
      best({ rest: '-135.00' }, [
        part(7, 1, '100.00'),
        part(8, 1, '35.00'),
        part(9, 1, '119.00', false, '2026-03-12'),
      ]),
    ).toMatchObject({
      zuordnungen: [line(7, '-100.00'), line(8, '-35.00')],
      reasons: ['lauf'],
      sicher: true,
    }))
  test('an entry before its day is not that file: banks execute none of it earlier', () => {
    const file = [part(7, 1, '10.00', false, '2026-03-10')]
    expect(best({ rest: '-10.00', datum: '2026-03-10' }, file)).toMatchObject({ reasons: ['lauf'] })
    expect(best({ rest: '-10.00', datum: '2026-03-09' }, file)).toBeUndefined()
  })
  test('all of its lines are proposed, with their discounts', () =>
    expect(
      best({ rest: '-235.62' }, [part(7, 1, '119.00'), part(8, 1, '116.62', true), part(9, 2, '5.00')]),
    ).toEqual(
      expect.objectContaining({
        zuordnungen: [line(7, '-119.00'), line(8, '-116.62', true)],
        reasons: ['lauf'],
        sicher: true,
      }),
    ))
  test('two files with this sum are both proposed, neither is sure', () =>
    expect(all({ rest: '-10.00' }, [part(7, 1, '10.00'), part(8, 2, '10.00')]).suggestions).toMatchObject([
      { sicher: false },
      { sicher: false },
    ]))
  test('another sum is not that file', () =>
    expect(best({ rest: '-235.61' }, [part(7, 1, '119.00'), part(8, 1, '116.62')])).toBeUndefined())
})

describe('money that comes in', () => {
  test('settles a credit note by its number', () =>
    expect(
      best({ rest: '119.00', zweck: 'Gutschrift R2026007' }, [received(7, { zahlbetrag: '-119.00' })]),
    ).toMatchObject({
      zuordnungen: [line(7, '119.00')],
      sicher: true,
    }))
  test('is not taken for an invoice that is to be paid', () =>
    expect(best({ rest: '119.00', zweck: 'R2026007' }, [received(7)])).toBeUndefined())
})

test('one entry that is sure of two sides is sure of none', () => {
  const found = all({ zweck: 'RE-2026-0001 R2026007' }, [received(7)], [own])
  expect(found.suggestions.map(({ sicher }) => sicher)).toEqual([false, false])
  expect(found.suggestions.flatMap(({ reasons }) => reasons)).toContain('mehrdeutig')
})
test.each([
  '',
  'netto 30 Tage',
  '#SKONTO#TAGE=14#',
  '#SKONTO#TAGE=14#PROZENT=0.00#',
  '#SKONTO#TAGE=7#PROZENT=2.00#BASISBETRAG=5.00#',
])('no discount is read from %j', (text) => expect(readSkonto(text)).toEqual([]))
