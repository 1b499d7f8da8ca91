// English readers get the English of every sentence that a rule of domain/ or the server says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { belegFaults } from '#domain/beleg-check.ts'
import { musterBeleg } from '#domain/beleg-sample.ts'
import { toApiError } from '../src/data/api-error.ts'
import { said } from '../src/data/said.ts'
import { setTexts } from '../src/ui/text.ts'
import { texts } from './en.po'
import { findSaidTexts, saidIn } from './said-texts.ts'

const SAID = [...new Set([...findSaidTexts().values()].flat())]
const VALUES = ['Fuder', '17', '3,5', 'Nr. 4', 'RE-9']
const filled = (text: string): string =>
  text.replaceAll(/\{v(\d)\}/g, (_, at: string) => VALUES[Number(at) - 1] ?? '')

beforeAll(() => setTexts(texts))
afterAll(() => setTexts({}))

test('the scan sees them', () => expect(SAID.length).toBeGreaterThan(300))
test.each(SAID)('%s', (text) => {
  const english = texts[text]
  expect(english).toBeTruthy()
  expect(said(filled(text))).toBe(filled(english ?? ''))
})

describe('what the scan finds', () => {
  const found = (source: string) => saidIn('domain/sample.ts', source)
  test('a sentence, joined, with a constant in it and places for values', () =>
    expect(
      found(
        "const AT = 'beim Kunden'\nconst say = (n: number) => `Es fehlen ${n} Angaben. ` + `Bitte ${AT} eintragen.`",
      ),
    ).toEqual(['Es fehlen {v1} Angaben. Bitte beim Kunden eintragen.']))
  test('each way of a condition', () =>
    expect(
      found("export const say = (n: number) => `${n} ${n === 1 ? 'Baum fehlt' : 'Bäume fehlen'} noch.`"),
    ).toEqual(['{v1} Baum fehlt noch.', '{v1} Bäume fehlen noch.']))
  test('nothing that is no sentence', () =>
    expect(found("export const kind = 'angebot', name = 'Angebot', path = `/a/${kind} b.`")).toEqual([]))
})

describe('in English', () => {
  test('a check names line, value and next step', () =>
    expect(
      said(
        'Position 3.1: Die Einheit „Fuder“ kennt die E-Rechnung nicht; sie wird als „Einheit“ gesendet. ' +
          'Bitte eine übliche wählen (Std, ha, km, Stk, psch …).',
      ),
    ).toBe(
      'Line 3.1: E-invoices do not have the unit “Fuder”; it is sent as “unit”. ' +
        'Please choose a common one (Std, ha, km, Stk, psch …).',
    ))
  test('what is quoted is somebody’s own', () =>
    expect(said('Bitte wählen Sie, was die Schicht „Karten“ enthält.')).toBe(
      'Please choose what the layer “Karten” contains.',
    ))
  test('a sentence in a sentence', () =>
    expect(
      said(
        'Für eine Datei sind das zu viele Fotos. Höchstens 500 passen hinein. ' +
          'Verzichten Sie auf Fotos, oder filtern Sie die Liste.',
      ),
    ).toBe(
      'These are too many photos for one file. It can contain at most 500. Leave out the photos, or filter the list.',
    ))
  test('every fault of a document without anything', () => {
    const beleg = musterBeleg((muster) => {
      Object.assign(muster, { datum: '', le_date: null, faellig: null, rabatt_prozent: 'x' })
      for (const name of ['name', 'strasse', 'plz', 'ort', 'land', 'iban', 'ust_id', 'mail'] as const)
        muster.lieferant[name] = muster.empfaenger[name as 'name'] = ''
      for (const position of muster.positionen)
        Object.assign(position, { bez: '', einheit: 'Fuder', anzahl: 'x', le_date: '2026-13-01' })
    })
    const faults = belegFaults(beleg, '2026-01-01')
    expect(faults.length).toBeGreaterThan(15)
    for (const { text } of faults) expect(said(text), text).not.toBe(text)
  })
  test('a refusal of the server', async () => {
    const body = {
      code: 40_000,
      message: 'Dieser Zeitraum ist ungültig. Bitte wählen Sie einen anderen.',
      data: null,
    }
    expect((await toApiError(400, body)).message).toBe('This period is not valid. Please choose another one.')
  })
  test('what nobody knows stays as it is', () =>
    expect(said('Ganz etwas anderes.')).toBe('Ganz etwas anderes.'))
})
