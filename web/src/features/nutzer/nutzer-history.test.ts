import { expect, test } from 'vitest'
import { linesOf } from '../../record/history-lines.ts'
import { headingOf, wordsOf } from './nutzer-history.ts'

const NAMES = { kunden: new Map([[5, 'Gut Waldesruh']]), hqs: new Map([[11, 'Revier Nord']]) }
const entry = (table: string, key: string, action: 'neu' | 'geaendert' | 'geloescht') => ({
  tabelle: table,
  schluessel: key,
  aktion: action,
})

test('each entry says in words what was done, with the name of the other end', () => {
  expect(headingOf(entry('benutzer', '7', 'geaendert'), NAMES)).toBe('Angaben geändert')
  expect(headingOf(entry('benutzer_kunde', '5/7', 'neu'), NAMES)).toBe('Kunde zugeordnet: Gut Waldesruh')
  expect(headingOf(entry('benutzer_hq', '11/7', 'geloescht'), NAMES)).toBe(
    'Vom Forstbetrieb gelöst: Revier Nord',
  )
  expect(headingOf(entry('benutzer_hq', '12/7', 'geaendert'), NAMES)).toBe(
    'Rolle im Forstbetrieb geändert: Nr. 12',
  )
})
test('lines leave keys out and name roles', () => {
  expect(
    linesOf(
      { alt: { rolle: 'nutzer' }, neu: { rolle: 'admin' }, aktion: 'geaendert' },
      wordsOf({ tabelle: 'benutzer_kunde' }),
    ),
  ).toEqual([
    {
      label: 'Rolle beim Kunden',
      before: 'Nutzer (Pläne ansehen)',
      after: 'Administrator (Pläne, Nutzer)',
    },
  ])
  expect(
    linesOf(
      {
        alt: null,
        neu: { hqid: 11, user_id: 7, client_id: 5, hq_status: ['hq_user', 'hq_admin'] },
        aktion: 'neu',
      },
      wordsOf({ tabelle: 'benutzer_hq' }),
    ),
  ).toEqual([{ label: 'Rolle im Forstbetrieb', before: '', after: 'Verwaltung' }])
  expect(
    linesOf(
      { alt: { enabled: true }, neu: { enabled: false }, aktion: 'geaendert' },
      wordsOf({ tabelle: 'benutzer' }),
    ),
  ).toEqual([{ label: 'Zugang', before: 'aktiv', after: 'gesperrt' }])
})
