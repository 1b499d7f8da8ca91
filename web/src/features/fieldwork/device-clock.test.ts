import { describe, expect, test } from 'vitest'
import { spanText } from './ClockNotice.tsx'
import { DeviceClock } from './device-clock.ts'

const TRUE = Date.UTC(2026, 10, 27, 9)
const [MINUTE, HOUR, YEAR] = [60_000, 3_600_000, 31_536_000_000]

/** A device whose clock is off; time passes by `pass`, and the clock may be set. */
function device(off: number, known: number | null = null) {
  const state = { passed: 0, off, known }
  const clocks = {
    wall: () => TRUE + state.passed + state.off,
    mono: () => 5_000 + state.passed,
    kept: () => state.known,
    keep: (said: number) => {
      state.known = said
    },
  }
  const clock = new DeviceClock(clocks)
  return {
    clock,
    state,
    pass: (ms: number) => {
      state.passed += ms
    },
    hearServer: (took = 200) =>
      clock.hearServer({
        said: Math.floor((TRUE + state.passed) / 1000) * 1000,
        wall: clocks.wall(),
        mono: clocks.mono(),
        took,
      }),
    fix: (age = 0, taken = TRUE + state.passed - age) => clock.hearReceiver(taken),
    wrongBy: () => clock.now().getTime() - TRUE - state.passed,
  }
}

describe('a clock that is off', () => {
  test.each([
    ['a minute ahead', MINUTE],
    ['an hour ahead', HOUR],
    ['three years ahead', 3 * YEAR],
    ['a minute behind', -MINUTE],
    ['two years behind', -2 * YEAR],
  ])('%s: the server says it, and captures get the right time', (_name, off) => {
    const { clock, hearServer, wrongBy, pass } = device(off)
    expect(clock.fault()).toBeNull()
    hearServer()
    expect(clock.fault()).toMatchObject({ by: 'server' })
    expect(Math.abs(clock.fault()!.off - off)).toBeLessThan(1_500)
    pass(40 * MINUTE)
    expect(Math.abs(wrongBy())).toBeLessThan(1_500)
  })
  test.each([
    ['an hour ahead', HOUR],
    ['three years ahead', 3 * YEAR],
    ['an hour behind', -HOUR],
  ])('%s: without a line the satellites say it, from the second fix on', (_name, off) => {
    const { clock, fix, wrongBy, pass } = device(off)
    // Kept from before, and then live.
    fix(120_000)
    expect(clock.fault()).toBeNull()
    pass(1_000)
    fix()
    expect(clock.fault()).toMatchObject({ by: 'gnss', off })
    expect(wrongBy()).toBe(0)
  })
  test('what the server says counts more than the receiver, which may have the clock of the device', () => {
    const { clock, hearServer, fix, state } = device(HOUR)
    hearServer()
    fix(0, TRUE + state.off)
    fix(0, TRUE + state.off + 1_000)
    expect(clock.fault()).toMatchObject({ by: 'server' })
  })
  test('a clock that is right is not doubted, by a slow answer neither', () => {
    for (const took of [100, 14_000, 40_000]) {
      const { clock, hearServer, fix } = device(0)
      hearServer(took)
      fix()
      fix()
      expect(clock.fault(), String(took)).toBeNull()
    }
  })
  test('a receiver that says years before or nothing is not believed', () => {
    for (const taken of [0, Number.NaN, Date.UTC(2007), Date.UTC(2200)]) {
      const { clock, fix } = device(0)
      fix(0, taken)
      fix(0, taken + 1_000)
      expect(clock.fault(), String(taken)).toBeNull()
    }
  })
  test('once it is set, what was measured before says nothing any more', () => {
    const { clock, hearServer, state, wrongBy } = device(3 * YEAR)
    hearServer()
    state.off = 0
    expect(clock.fault()).toBeNull()
    expect(wrongBy()).toBe(0)
    hearServer()
    expect(clock.fault()).toBeNull()
  })
  test('without line and satellites, it is at least as late as the server last said', () => {
    const behind = device(-2 * YEAR, TRUE - HOUR)
    expect(behind.clock.fault()).toMatchObject({ by: 'mindestens', off: -2 * YEAR + HOUR })
    expect(behind.clock.now().getTime()).toBe(TRUE - HOUR)
    expect(device(0, TRUE - HOUR).clock.fault()).toBeNull()
    // What a server says that is years off itself is not kept.
    const strange = device(0)
    strange.clock.hearServer({ said: Date.UTC(2007), wall: TRUE, mono: 0, took: 10 })
    expect([strange.clock.fault(), strange.state.known]).toEqual([null, null])
  })
})

test.each([
  [MINUTE, '1 Minute'],
  [-90 * MINUTE, '90 Minuten'],
  [HOUR, '1 Stunde'],
  [3 * YEAR, '3 Jahre'],
  [26 * HOUR, '1 Tag'],
  [40_000, 'weniger als 1 Minute'],
])('%d ms are %s', (ms, text) => expect(spanText(ms)).toBe(text))
