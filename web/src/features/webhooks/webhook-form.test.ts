import { expect, test } from 'vitest'
import type { Webhook } from '#contract/webhook.ts'
import { checkReceiver, startOf } from './webhook-form.ts'
import { receiverState, resultText, troubleText } from './webhook-words.ts'

const ROW: Webhook = {
  id: 1,
  haelfte: 'draenage',
  name: 'Lager',
  url: 'https://a.example/',
  arten: ['plan.published'],
  client_id: 5,
  kunde: 'Forst A',
  zeichen: 'abcd',
  alt_bis: null,
  pause: null,
  pause_am: null,
  fehler_folge: 0,
  naechster: null,
  wartend: 0,
  zuletzt_am: null,
  verpasst: false,
  angelegt_am: '2026-11-28T10:00:00Z',
  angelegt_von: 'Anna Ahorn',
  geaendert_am: '2026-11-28T10:00:00Z',
  version: 3,
}

test('a new receiver is told of everything of its half; one that exists keeps what it has', () => {
  expect(startOf('draenage', null).arten).toEqual(['document.issued', 'offer.decided', 'plan.published'])
  expect(startOf('forst', null)).toMatchObject({ haelfte: 'forst', arten: ['tree.lost'], kunde: '' })
  expect(checkReceiver(startOf('forst', ROW))).toEqual({
    values: {
      haelfte: 'draenage',
      name: 'Lager',
      url: 'https://a.example/',
      arten: ['plan.published'],
      client_id: 5,
    },
  })
})
test('what is missing is said at its field, and kinds of the other half are not sent', () => {
  const faults = (change: object) => {
    const checked = checkReceiver({ ...startOf('draenage', ROW), ...change })
    return 'faults' in checked
      ? Object.entries(checked.faults).flatMap(([field, text]) => (text === undefined ? [] : [field]))
      : []
  }
  expect(faults({})).toEqual([])
  expect(faults({ name: ' ', url: 'programm.example', arten: ['tree.lost'] })).toEqual([
    'name',
    'url',
    'arten',
  ])
  expect(faults({ name: 'x'.repeat(61) })).toEqual(['name'])
})
test('its state and what to do about it', () => {
  expect(receiverState(ROW)).toEqual({ tone: 'success', text: 'aktiv' })
  expect(troubleText(ROW)).toBeNull()
  expect(receiverState({ ...ROW, fehler_folge: 2 }).tone).toBe('warning')
  expect(troubleText({ ...ROW, fehler_folge: 2, naechster: '2026-11-28T11:00:00Z' })).toMatch(/in Folge: 2/)
  for (const pause of ['aufgegeben', 'abgemeldet', 'geheimnis'] as const) {
    expect(receiverState({ ...ROW, pause }).tone).toBe('danger')
    expect(troubleText({ ...ROW, pause })).not.toBeNull()
  }
  expect(receiverState({ ...ROW, pause: 'von_hand' }).text).toBe('angehalten')
  expect(troubleText({ ...ROW, verpasst: true })).toMatch(/nicht mehr vorhanden/)
})
test('what became of an attempt, in words', () => {
  expect(resultText({ grund: null, status: 204, dauer_ms: 12 })).toBe('Angekommen: Status 204 nach 12 ms.')
  expect(resultText({ grund: 'umgeleitet', status: 307, dauer_ms: 1 })).toMatch(/307/)
  expect(resultText({ grund: 'eigenes_netz', status: null, dauer_ms: 1 })).toMatch(/WEBHOOK_PRIVATE/)
})
