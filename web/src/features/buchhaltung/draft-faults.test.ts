import { describe, expect, test } from 'vitest'
import type { BelegFault } from '#domain/beleg-fault.ts'
import { hrefOfFault, lineTexts, placeOfFault } from './draft-faults.ts'

const fault = (field: string, text: string, severity: BelegFault['severity'] = 'fehler'): BelegFault => ({
  feld: field,
  text,
  severity,
  code: 'pflicht',
})
const OTHER = { datum: 'rn_datum', 'empfaenger.bestellnummer': 'bestellnummer' }

describe('the faults of a document', () => {
  test('of a line are shown in it, without its name', () =>
    expect([
      ...lineTexts([
        fault('positionen.1.ep', 'Position 2: Der Preis fehlt.'),
        fault('positionen.1.bez', 'Position 2: Die Bezeichnung fehlt.'),
        fault('positionen.0.ep', 'Position 1: Ist das gewollt?', 'hinweis'),
        fault('positionen', 'Es gibt keine Position.'),
        fault('datum', 'Das Datum fehlt.'),
      ]),
    ]).toEqual([[1, 'ep\tDer Preis fehlt.\nbez\tDie Bezeichnung fehlt.']]))
  test.each([
    ['positionen.3.ep', { line: 3, field: 'ep' }],
    ['positionen', { line: 0, field: 'bez' }],
    ['summen.brutto', { line: 0, field: 'bez' }],
    ['datum', { line: null, field: 'rn_datum' }],
    ['anrede', { line: null, field: 'anrede' }],
  ])('%s leads to %j', (field, place) => expect(placeOfFault(field, OTHER)).toEqual(place))
  test.each([
    ['datum', null],
    ['empfaenger.bestellnummer', null],
    ['empfaenger.ort', '/member-management/client/5'],
    ['lieferant.iban', '/buchhaltung/einstellungen'],
    ['summen', null],
  ])('%s is corrected at %s', (field, href) =>
    expect(
      hrefOfFault(field, { defs: { rn_datum: 1, bestellnummer: 1 }, otherNames: OTHER, client_id: 5 }),
    ).toBe(href),
  )
})
