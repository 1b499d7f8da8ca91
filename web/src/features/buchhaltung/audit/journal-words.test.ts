import { describe, expect, test } from 'vitest'
import { rawContent, contentText } from './journal-words.ts'

const invoiceLine = (name: string, count = '2.000') => ({
  id: 1,
  lfd_nr: 1,
  art: 'position',
  bez: name,
  anzahl: count,
  einheit: 'Std',
  ep: '84.5000',
})

describe('what a row of the log holds', () => {
  test.each([
    [
      'a change, field by field',
      { zuerl: ['', 'Danke'], rn_datum: ['2026-11-20', '2026-11-21'] },
      'Schlusstext: – → Danke; Rechnungsdatum: 20.11.2026 → 21.11.2026',
    ],
    [
      'an event with amounts',
      { nummer: 'RE-2026-0041', brutto: '2984.20', mehr: false },
      'Nummer: RE-2026-0041; Brutto: 2.984,20; Mehr: nein',
    ],
    [
      'a new line',
      { vorher: {}, nachher: { 7: invoiceLine('Vermessung') } },
      'neu: Vermessung (2 Std × 84,5)',
    ],
    [
      'a heading',
      { vorher: {}, nachher: { 7: { art: 'ueberschrift', bez: 'Büro', anzahl: '1.000' } } },
      'neu: Büro',
    ],
    [
      'a changed line and one that is gone',
      {
        vorher: { 7: invoiceLine('Vermessung'), 8: invoiceLine('Fahrt') },
        nachher: { 7: invoiceLine('Vermessung', '3.000') },
      },
      'Vermessung: Menge: 2.000 → 3.000; entfernt: Fahrt (2 Std × 84,5)',
    ],
    ['nothing', {}, ''],
  ])('%s', (_what, content, text) => expect(contentText(content)).toBe(text))
  test('a file keeps the stored names and values', () =>
    expect(rawContent({ zuerl: ['', 'Danke'], brutto: '2984.20', vorher: {} })).toBe(
      'zuerl:  → Danke; brutto: 2984.20; vorher: {}',
    ))
})
