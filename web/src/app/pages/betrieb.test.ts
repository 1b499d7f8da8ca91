import { expect, test } from 'vitest'
import type { Betrieb } from '#contract/betrieb.ts'
import { warningsOf } from './BetriebPage.tsx'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const GOOD: Betrieb = {
  engine: 'PostgreSQL',
  version: '15.18',
  schema: '0001',
  sicherung: { zeit: '2026-11-21T02:00:00Z', groesse: 1, ergebnis: 'ok', meldung: null },
  pruefung: { zeit: '2026-11-21T02:00:00Z', ergebnis: 'ok', meldung: null },
  frei_bytes: 50e9,
  sicherung_geplant: true,
  set_config_offen: false,
  grundkarte: null,
  kartendienste: [],
  gestartet: '2026-11-20T00:00:00Z',
}
const CASES: readonly (readonly [why: string, change: Partial<Betrieb>, warned: RegExp | null])[] = [
  ['all is well', {}, null],
  ['no check yet is no fault', { pruefung: null }, null],
  ['unknown disk', { frei_bytes: null }, null],
  ['no dump yet', { sicherung: null }, /noch keine Sicherung/],
  [
    'failed dump',
    { sicherung: { zeit: '2026-11-21T02:00:00Z', groesse: 0, ergebnis: 'fehler', meldung: 'voll' } },
    /fehlgeschlagen/,
  ],
  [
    'old dump',
    { sicherung: { zeit: '2026-11-19T02:00:00Z', groesse: 1, ergebnis: 'ok', meldung: null } },
    /ist vom 19\.11\.2026/,
  ],
  ['dumps are made otherwise', { sicherung: null, sicherung_geplant: false }, null],
  [
    'dumps are made otherwise by now',
    {
      sicherung: { zeit: '2026-11-19T02:00:00Z', groesse: 1, ergebnis: 'fehler', meldung: null },
      sicherung_geplant: false,
    },
    null,
  ],
  [
    'failed check',
    { pruefung: { zeit: '2026-11-21T02:00:00Z', ergebnis: 'fehler', meldung: null } },
    /Fehler gefunden/,
  ],
  ['an open set_config', { set_config_offen: true }, /set_config/],
  ['a base map in order', { grundkarte: { datei: '/k.pmtiles', groesse: 9, fehler: null } }, null],
  [
    'a base map that cannot be used',
    { grundkarte: { datei: '/k.pmtiles', groesse: null, fehler: 'Die Hintergrundkarte /k.pmtiles fehlt.' } },
    /Hintergrundkarte \/k\.pmtiles fehlt/,
  ],
  ['a service of maps', { kartendienste: ['Kartendienst „dop“: kein Layer.'] }, /„dop“: kein Layer/],
  ['little room', { frei_bytes: 1e9 }, /nur noch 1,0 GB frei/],
]
for (const [why, change, warned] of CASES)
  test(why, () => {
    const warnings = warningsOf({ ...GOOD, ...change }, NOW)
    if (warned === null) expect(warnings).toEqual([])
    else expect(warnings).toEqual([expect.stringMatching(warned)])
  })
