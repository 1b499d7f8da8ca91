import { expect, test } from 'vitest'
import { asDocuments } from './kunde-places.ts'

test.each([
  ['rechnungen', undefined, 'kunde=7&art=rechnung,abschlag,schluss,storno,korrektur'],
  [
    'rechnungen',
    'stand=ueberfaellig&sort=faellig',
    'kunde=7&art=rechnung,abschlag,schluss,storno,korrektur&stand=ueberfaellig',
  ],
  [
    'rechnungen',
    'zeit=2026-01-01..2026-12-31',
    'kunde=7&art=rechnung,abschlag,schluss,storno,korrektur&zeit=2026-01-01..2026-12-31',
  ],
  ['angebote', 'stand=entwurf,versendet', 'kunde=7&art=angebot&stand=versendet'],
] as const)('%s with %s, as a customer reads them', (list, query, filter) =>
  expect(asDocuments(7, list, query)).toBe(filter),
)
