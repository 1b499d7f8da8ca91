import { expect, test } from 'vitest'
import type { AngebotView } from '#contract/document.ts'
import type { BelegPosition } from '#domain/beleg.ts'
import { sumsOf } from './angebot-choice.ts'
import { STATES, stateText, stateWord, TONES, todoOf, toneOf } from './document-words.ts'

const AT = { faellig: '2026-12-03', bezug: null, entschieden_am: '2026-11-21T12:00:00Z', einzug: null }

test.each([
  ['offen', 'offen, fällig am 03.12.2026'],
  ['teilbezahlt', 'teilweise bezahlt, Rest fällig am 03.12.2026'],
  ['ueberfaellig', 'überfällig seit 03.12.2026'],
  ['bezahlt', 'bezahlt'],
  ['versendet', 'wartet auf Ihre Antwort, gültig bis 03.12.2026'],
  ['abgelaufen', 'abgelaufen am 03.12.2026'],
  ['angenommen', 'angenommen am 21.11.2026'],
  ['abgelehnt', 'abgelehnt am 21.11.2026'],
  ['ersetzt', 'durch eine neue Fassung ersetzt'],
  ['storniert', 'storniert'],
] as const)('%s is said as "%s"', (stand, said) => expect(stateText({ ...AT, stand })).toBe(said))
test('a Storno and what it takes back name each other', () => {
  expect(stateText({ ...AT, stand: 'storno', bezug: 'RE-2026-0001' })).toBe('hebt RE-2026-0001 auf')
  expect(stateText({ ...AT, stand: 'storniert', bezug: 'RE-2026-0002' })).toBe('storniert durch RE-2026-0002')
})
test('of what we collect the day, and the tone of something that needs nothing', () => {
  const einzug = { tag: '2026-12-07', mandat: 'M-1', iban: 'DE02120300000000202051', glaeubiger_id: 'x' }
  expect(stateText({ ...AT, stand: 'ueberfaellig', einzug })).toBe('wird am 07.12.2026 eingezogen')
  expect(toneOf({ stand: 'ueberfaellig', einzug })).toBe('info')
  expect(toneOf({ stand: 'ueberfaellig', einzug: null })).toBe('danger')
})
test('what one is asked to do', () => {
  expect(STATES.map((stand) => [stand, todoOf({ stand, entscheidbar: stand === 'versendet' })])).toEqual(
    STATES.map((stand) => [
      stand,
      stand === 'versendet'
        ? 'antworten'
        : ['offen', 'teilbezahlt', 'ueberfaellig'].includes(stand)
          ? 'zahlen'
          : 'nichts',
    ]),
  )
  expect(new Set(STATES.map(stateWord)).size).toBe(STATES.length)
  expect(Object.keys(TONES).toSorted()).toEqual([...STATES].toSorted())
})
const line = (id: string, art: BelegPosition['art'], ep: string): BelegPosition => ({
  id,
  lfd_nr: 1,
  art,
  nr: id,
  bez: id,
  erl_titel: '',
  erl: '',
  erl_on: false,
  anzahl: '1',
  einheit: 'psch',
  ep,
  rabatt_prozent: '0.00',
  ust_satz: '19.00',
  kategorie: 'S',
  steuergrund: '',
  le_date: null,
  le_date_bis: null,
  betrag: ep,
})
test('the sum follows the choice: an alternative in place of its line, an optional line beside it', () => {
  const angebot = {
    ust_satz: '19.00',
    rabatt_prozent: '10.00',
    kleinunternehmer: false,
    positionen: [
      line('1', 'position', '1000.00'),
      line('2', 'alternativ', '1400.00'),
      line('3', 'optional', '300.00'),
    ],
  } as unknown as AngebotView
  const brutto = (...ids: string[]) => sumsOf(angebot, new Set(ids)).brutto
  expect([brutto(), brutto('3'), brutto('2'), brutto('2', '3')]).toEqual([
    '1071.00',
    '1392.30',
    '1499.40',
    '1820.70',
  ])
})
