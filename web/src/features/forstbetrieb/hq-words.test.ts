import { expect, test } from 'vitest'
import { linesOf } from '../../record/history-lines.ts'
import { hqAction, hqWords, peopleIn } from './hq-words.ts'

const words = hqWords(new Map([[7, 'Frieda Fichte']]))
const nbsp = '\u00a0'

test('master data and switches read like the form', () => {
  expect(
    linesOf(
      {
        aktion: 'geaendert',
        alt: { dcFLAEHB: 12.5, dtFE: null, fb_enabled: true, kawm_enabled: false, kawm_approval_date: null },
        neu: {
          dcFLAEHB: 1234.5,
          dtFE: '2026-10-01',
          fb_enabled: false,
          kawm_enabled: true,
          kawm_approval_date: '2025-01-31',
        },
      },
      words,
    ),
  ).toEqual([
    { label: 'Zugang', before: 'freigeschaltet', after: 'nicht freigeschaltet' },
    { label: 'FE-Stichtag', before: '', after: '01.10.2026' },
    { label: 'Fläche laut FE', before: `12,5${nbsp}ha`, after: `1.234,5${nbsp}ha` },
    { label: 'KAWM', before: 'aus', after: 'ein' },
    { label: 'KAWM bewilligt am', before: '', after: '31.01.2025' },
  ])
})
test('an area is told by where it lies', () => {
  const [line] = linesOf(
    {
      aktion: 'neu',
      alt: null,
      neu: {
        hqid: 1,
        client_id: 1,
        geom: 'SRID=25833;POLYGON((325000 5690000,325000 5692000,326000 5692000,326000 5690000,325000 5690000))',
      },
    },
    words,
  )
  expect(line).toEqual({ label: 'Lage', before: '', after: 'um Ost 325.500, Nord 5.691.000 (EPSG 25833)' })
})
test('a person is called by name where one may know it', () => {
  const added = { hqid: 1, client_id: 1, user_id: 7, hq_status: ['hq_user', 'hq_admin'] }
  expect(linesOf({ aktion: 'neu', alt: null, neu: added }, words).map(({ after }) => after)).toEqual([
    'Frieda Fichte',
    'Verwaltung',
  ])
  expect(linesOf({ aktion: 'neu', alt: null, neu: { ...added, user_id: 8 } }, words)[0]?.after).toBe(
    'Person Nr. 8',
  )
})
test('what was done', () => {
  const told = (table: string) =>
    (['neu', 'geaendert', 'geloescht'] as const).map((action) => hqAction({ tabelle: table, aktion: action }))
  expect(told('hq')).toEqual(['Forstbetrieb angelegt', 'Stammdaten geändert', 'Forstbetrieb gelöscht'])
  expect(told('hq_flaeche')).toEqual(['Fläche gezeichnet', 'Fläche ersetzt', 'Fläche gelöscht'])
  expect(told('benutzer_hq')).toEqual(['Person zugeordnet', 'Rolle geändert', 'Zuordnung aufgehoben'])
  expect(told('kunde_hq').slice(0, 2)).toEqual(['Module angelegt', 'Module geändert'])
})
test('whose names are needed', () =>
  expect(
    peopleIn([
      { tabelle: 'benutzer_hq', schluessel: '1/7', alt: null, neu: null },
      { tabelle: 'hq', schluessel: '1', alt: null, neu: null },
      { tabelle: 'benutzer_hq', schluessel: '1/3', alt: null, neu: null },
      { tabelle: 'benutzer_hq', schluessel: '1/7', alt: null, neu: null },
    ]),
  ).toEqual([3, 7]))
