// Every rule code of the server has a message.
import { expect, test } from 'vitest'
import { ARRIVAL_RULES, FILE_REASONS, IMPORT_RULES } from '#contract/vermessung-import.ts'
import { refusedRules } from '../../texts/refused-rules.ts'
import { toApiError } from './api-error.ts'
import { BY_RULE } from './rule-texts.ts'

test.each([...FILE_REASONS, ...IMPORT_RULES, ...ARRIVAL_RULES])('%s', (rule) =>
  expect(BY_RULE[rule]).toMatch(/^[A-ZÄÖÜ].{20,}\.$/),
)
const { named, composed } = refusedRules()
/**
 * Said to programs alone: what our pages send there is computed. Of a file that is there the server says which
 * one.
 */
const TO_PROGRAMS = [
  'eingang_doppelt',
  'hinweise',
  'import_uebernommen',
  'key_ended',
  'key_void',
  'sha256',
  'stand',
  'zeilen',
]
test('every rule that the database refuses by has a sentence', () => {
  expect(named.size).toBeGreaterThan(150)
  expect([...named].filter((rule) => BY_RULE[rule] === undefined).toSorted()).toEqual(TO_PROGRAMS)
})
test('so have those whose name is put together', () => {
  const starts = [...composed].flatMap((expression) => /^'(\w+_)' \|\| /.exec(expression)?.[1] ?? [])
  expect(new Set(starts)).toEqual(new Set(['logo_', 'datenschutz_']))
  const endings = {
    logo_: ['leer', 'gross', 'art', 'masse', 'svg_kaputt', 'svg_aktiv', 'svg_schwer'],
    datenschutz_: ['ogf_admin', 'apus_admin', 'schon_geloescht', 'selbst', 'gesperrt', 'abo_laeuft'],
  }
  for (const [start, ends] of Object.entries(endings))
    for (const end of ends) expect(BY_RULE[start + end], start + end).toMatch(/\.$/)
})
test('what the server names is in the sentence', async () => {
  const body = {
    code: 40_000,
    message: 'x',
    data: null,
    error: 'bad_value',
    hint: 'import_ort',
    werte: { schicht: 'Schächte {neu}' },
  }
  expect((await toApiError(400, body)).message).toBe(
    'Bitte wählen Sie die Spalten mit Ost- und Nordwert der Schicht „Schächte {neu}“.',
  )
  expect((await toApiError(400, { ...body, werte: null })).message).toContain('{schicht}')
})
test('so does what the database names, days as people write them', async () => {
  const body = { code: 'PT409', message: 'x', hint: 'mahnung_frueh', details: '{"tag": "2026-04-03"}' }
  expect((await toApiError(409, body)).message).toMatch(/^Diese Stufe ist erst ab dem 03\.04\.2026 möglich/)
  expect((await toApiError(409, { ...body, details: '{' })).message).toContain('{tag}')
})
