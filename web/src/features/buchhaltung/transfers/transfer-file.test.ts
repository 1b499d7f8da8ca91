import { expect, test } from 'vitest'
import type { TransferRun } from '#contract/eingang.ts'
import { transferFileName, transferFileOf } from './transfer-file.ts'

const RUN: TransferRun = {
  id: 7,
  tag: '2026-12-10',
  name: 'Müller & Söhne',
  iban: 'DE02120300000000202051',
  bic: '',
  anzahl: 2,
  summe: '235.62',
  offen: 2,
  angelegt_am: '2026-11-27T10:30:15.123456+01:00',
  sha256: '',
  zurueckgezogen_am: null,
  grund: '',
  zeilen: [
    {
      eingang_id: 42,
      nummer: 'R 42',
      datum: '2026-12-01',
      betrag: '119.00',
      skonto: '0.00',
      name: 'Baumschule Groß <Ost>',
      iban: 'DE02500105170137075030',
      tag: '2026-12-10',
    },
    {
      eingang_id: 43,
      nummer: 'R 43',
      datum: '2026-12-02',
      betrag: '116.62',
      skonto: '2.38',
      name: 'Forsttechnik',
      iban: 'DE89370400440532013000',
      tag: '2026-12-14',
    },
  ],
}

test('the file of a run says what the run keeps', () => {
  const xml = transferFileOf(RUN)
  for (const part of [
    'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
    '<MsgId>FK-UE-7</MsgId>',
    '<CreDtTm>2026-11-27T09:30:15Z</CreDtTm>',
    '<CtrlSum>235.62</CtrlSum>',
    '<Dt>2026-12-10</Dt>',
    '<Dt>2026-12-14</Dt>',
    '<EndToEndId>FK-U7-42</EndToEndId>',
    '<Nm>Mueller + Soehne</Nm>',
    '<InstdAmt Ccy="EUR">116.62</InstdAmt>',
    '<Ustrd>Rechnung R 42 vom 01.12.2026</Ustrd>',
    '<Ustrd>Rechnung R 43 vom 02.12.2026 abzueglich Skonto 2,38</Ustrd>',
  ])
    expect(xml).toContain(part)
  expect(xml).not.toContain('<Ost>')
  expect(transferFileOf(RUN)).toBe(xml)
  expect(transferFileName(RUN)).toBe('SEPA-Ueberweisung-2026-12-10-7.xml')
})
