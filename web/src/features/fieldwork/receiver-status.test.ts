import { afterEach, describe, expect, test } from 'vitest'
import { type GnssFix, MEASURED } from '#domain/gnss/fix.ts'
import { FIX } from '#domain/habitat/choices.ts'
import { fixName } from '../../record/kataster/kataster-words.ts'
import { parseSettings } from './receiver-settings.ts'
import { forgetReceiver, placeOf, type ReceiverStatus, receiverText } from './receiver-status.ts'

const fix = (more: Partial<GnssFix> = {}): GnssFix => ({
  type: 'rtk_fixed',
  lon: 13.1,
  lat: 53.4,
  accuracy: 0.014,
  estimated: false,
  ellipsoidal: 103.8,
  orthometric: 65.2,
  heightAccuracy: 0.02,
  satellites: 28,
  hdop: 0.5,
  correctionAge: 1,
  time: 0,
  ...more,
})
const status = (more: Partial<ReceiverStatus>): ReceiverStatus => ({
  line: 'ohne_fix',
  fix: null,
  place: null,
  arrived: 0,
  ...more,
})
afterEach(forgetReceiver)

describe('a place to capture with', () => {
  test('lies at the foot of the antenna', () => {
    expect(placeOf(fix(), 2)).toMatchObject({
      lon: 13.1,
      accuracy: 0.014,
      solution: {
        type: 'rtk_fixed',
        orthometric: expect.closeTo(63.2, 9),
        ellipsoidal: expect.closeTo(101.8, 9),
      },
    })
    expect(placeOf(fix({ ellipsoidal: null, orthometric: null }), 2)!.solution).toMatchObject({
      orthometric: null,
      ellipsoidal: null,
    })
  })
  test.each([
    ['nothing', fix({ type: 'none', lon: null, lat: null })],
    ['what was typed in at the receiver', fix({ type: 'manual' })],
    ['a simulation', fix({ type: 'simulated' })],
    ['a place of unknown accuracy', fix({ accuracy: null })],
  ])('is not made of %s', (_what, none) => expect(placeOf(none, 0)).toBeNull())
})

test('each state but a reading line has a sentence, and the sentences differ', () => {
  const all = [
    status({ line: 'verbindet' }),
    status({ line: 'unlesbar' }),
    status({ line: 'stumm' }),
    status({ line: 'getrennt' }),
    status({ fix: fix({ type: 'none' }) }),
    status({ fix: fix({ type: 'manual' }) }),
    status({ fix: fix({ type: 'simulated' }) }),
    status({ fix: fix({ accuracy: null }) }),
  ].map(receiverText)
  for (const text of all) expect(text).toMatch(/\w+ .+[.?…]$/)
  expect(new Set(all).size).toBe(all.length)
  expect(receiverText(status({ line: 'liest' }))).toBeNull()
})

test('every kind of solution that is kept has a name', () => {
  expect(Object.keys(FIX).toSorted()).toEqual(MEASURED.toSorted())
  for (const fix of MEASURED) expect(fixName(fix)).toBe(FIX[fix].label)
})

test.each([
  [null, 'geraet', 115_200, 0],
  ['', 'geraet', 115_200, 0],
  ['null', 'geraet', 115_200, 0],
  ['{"source":"usb","speed":9600,"antenna":2.05}', 'usb', 9_600, 2.05],
  ['{"source":"satellit","speed":1,"antenna":-1}', 'geraet', 115_200, 0],
  ['{"source":"bluetooth","antenna":"2"}', 'bluetooth', 115_200, 0],
  ['[1', 'geraet', 115_200, 0],
])('settings %s', (text, source, speed, antenna) =>
  expect(parseSettings(text)).toEqual({ source, speed, antenna }),
)
