import { expect, test } from 'vitest'
import type { SepaRun } from '#contract/sepa.ts'
import { fileNameOf, fileOf } from './sepa-file.ts'

const RUN: SepaRun = {
  id: 12,
  tag: '2026-12-10',
  name: 'Müller & Söhne',
  iban: 'DE02120300000000202051',
  bic: '',
  glaeubiger_id: 'DE98ZZZ09999999999',
  anzahl: 1,
  summe: '119.00',
  angelegt_am: '2026-11-27T10:30:15.123456+01:00',
  sha256: '',
  zurueckgezogen_am: null,
  grund: '',
  zeilen: [
    {
      rechnung_id: 42,
      nummer: 'RE-2026-0042',
      betrag: '119.00',
      folge: 'FRST',
      art: 'core',
      inhaber: 'Jürgen Groß',
      iban: 'DE02500105170137075030',
      bic: '',
      referenz: 'M-1',
      unterschrieben: '2026-01-15',
    },
  ],
}

test('the file of a run says what the run keeps', () => {
  const xml = fileOf(RUN)
  for (const part of [
    '<MsgId>FK-LS-12</MsgId>',
    '<CreDtTm>2026-11-27T09:30:15Z</CreDtTm>',
    '<ReqdColltnDt>2026-12-10</ReqdColltnDt>',
    '<EndToEndId>FK-12-42</EndToEndId>',
    '<InstdAmt Ccy="EUR">119.00</InstdAmt>',
    '<MndtId>M-1</MndtId>',
    '<DtOfSgntr>2026-01-15</DtOfSgntr>',
    '<Nm>Juergen Gross</Nm>',
    '<Ustrd>Rechnung RE-2026-0042</Ustrd>',
  ])
    expect(xml).toContain(part)
  expect(fileOf(RUN)).toBe(xml)
  expect(fileNameOf(RUN)).toBe('SEPA-Lastschrift-2026-12-10-12.xml')
})
