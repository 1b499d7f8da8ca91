// The reader over recorded streams (recordings/: a receiver with RTK and binary messages in between, a simple one, a
// survey pole), over hostile ones, and over any cutting of either.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { estimatedAccuracy, FIX_TYPES, type GnssFix, isMeasured, worstOf } from './fix.ts'
import { NmeaLines } from './nmea-lines.ts'
import { NmeaReader } from './nmea.ts'

const recorded = (name: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, 'recordings', `${name}.nmea`))
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
/** With its checksum and line end. */
const line = (text: string): string => {
  let sum = 0
  for (const byte of bytesOf(text)) sum ^= byte
  return `$${text}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`
}
const read = (...chunks: readonly (Uint8Array | string)[]): GnssFix[] => {
  const reader = new NmeaReader()
  return chunks.flatMap((chunk) => reader.push(typeof chunk === 'string' ? bytesOf(chunk) : chunk))
}
const gga = (
  time: string,
  quality: number | string,
  more: Partial<Record<'lat' | 'hdop' | 'high', string>> = {},
) =>
  line(
    `GNGGA,${time},${more.lat ?? '5324.0000'},N,01306.0000,E,${quality},12,${more.hdop ?? '0.8'},` +
      `${more.high ?? '65.2,M,38.6,M'},,`,
  )
const gst = (time: string, north: string, east: string) => line(`GNGST,${time},1.0,,,,${north},${east},0.02`)
const rmc = (time: string, day: string, mode = 'A', status = 'A') =>
  line(`GNRMC,${time},${status},5324.0000,N,01306.0000,E,0.0,,${day},,,${mode}`)

test('a number without the zero before its point is a number', () => {
  const [fix] = read(
    gga('101500.00', 4, { hdop: '.6' }),
    gst('101500.00', '.012', '.009'),
    gga('101501.00', 4),
    gga('101502.00', 4),
  )
  expect(fix?.hdop).toBe(0.6)
})

describe('recorded streams', () => {
  test('a receiver with RTK: each moment once, from a single solution to a fixed one', () => {
    const fixes = read(recorded('rtk'))
    expect(fixes.map(({ type }) => type)).toEqual([
      'gnss',
      'gnss',
      'rtk_float',
      'rtk_float',
      ...Array.from({ length: 12 }, () => 'rtk_fixed'),
    ])
    const last = fixes.at(-1)!
    expect(last).toMatchObject({ estimated: false, satellites: 28, hdop: 0.52, correctionAge: 1 })
    expect(last.accuracy).toBeCloseTo(Math.hypot(0.01, 0.01), 4)
    expect(last.heightAccuracy).toBeCloseTo(0.018, 4)
    expect([last.lat, last.lon]).toEqual([expect.closeTo(53.4, 6), expect.closeTo(13.1, 6)])
    expect(last.orthometric).toBeCloseTo(65.2, 1)
    expect(last.ellipsoidal! - last.orthometric!).toBeCloseTo(38.612, 3)
    expect(fixes.map(({ time }) => time)).toEqual(
      fixes.map((_fix, at) => Date.UTC(2026, 10, 28, 9, 27, 25) + at * 1_000),
    )
  })
  test('a simple one: no fix at first, then accuracy from HDOP, and it says so', () => {
    const fixes = read(recorded('simple'))
    expect(fixes.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 4 }, () => 'none'),
      ...Array.from({ length: 4 }, () => 'gnss'),
      'dgps',
      'dgps',
    ])
    expect(fixes[0]).toMatchObject({ lon: null, lat: null, accuracy: null, satellites: 2 })
    expect(fixes[4]).toMatchObject({ accuracy: 7, estimated: true, satellites: 7, correctionAge: null })
    expect(fixes[9]).toMatchObject({ accuracy: 3.5, estimated: true })
    expect(fixes[9]!.time).toBe(Date.UTC(2026, 10, 28, 6, 27, 19))
  })
  test('a survey pole: GST before GGA, five a second, over midnight, no geoid', () => {
    const fixes = read(recorded('pole'))
    expect(fixes).toHaveLength(15)
    expect(new Set(fixes.map(({ type }) => type))).toEqual(new Set(['rtk_fixed']))
    expect(fixes.map(({ time }) => time)).toEqual(
      fixes.map((_fix, at) => Date.UTC(2026, 10, 28, 23, 59, 58, 600) + at * 200),
    )
    expect(fixes[5]).toMatchObject({ orthometric: 103.8472, ellipsoidal: null, estimated: false })
    expect(fixes[5]!.accuracy).toBeCloseTo(Math.hypot(0.0081, 0.0074), 6)
  })
  test.each(['rtk', 'simple', 'pole'])('%s: cut in any way, the fixes are the same', (name) => {
    const bytes = recorded(name)
    const whole = read(bytes)
    let seed = 42
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    for (let round = 0; round < 60; round++) {
      const chunks: Uint8Array[] = []
      for (let at = 0; at < bytes.length; ) {
        const size = round === 0 ? 1 : Math.floor(random() ** 3 * 400)
        chunks.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(read(...chunks)).toEqual(whole)
    }
  })
  test.each(['rtk', 'simple', 'pole'])('%s: a wrong bit in each third sentence moves no fix', (name) => {
    const places = new Set(read(recorded(name)).map(({ lon, lat }) => `${lon} ${lat}`))
    let seed = 7
    const random = (below: number) =>
      Math.floor(((seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647) * below)
    let found = 0
    for (let round = 0; round < 60; round++) {
      // More than one wrong bit can cancel each other out in a checksum of eight.
      const bytes = recorded(name)
      for (let at = 0; at < bytes.length; at += 220) {
        const hit = Math.min(bytes.length - 1, at + random(60))
        bytes[hit] = bytes[hit]! ^ (1 << random(8))
      }
      for (const { lon, lat } of read(bytes)) {
        expect(places).toContain(`${lon} ${lat}`)
        found++
      }
    }
    expect(found).toBeGreaterThan(300)
  })
})

describe('kinds of solution', () => {
  test.each(FIX_TYPES.map((type, quality) => [quality, type] as const))(
    'quality %i is %s',
    (quality, type) => {
      const [fix] = read(gga('120000.00', quality), gga('120001.00', quality))
      expect(fix!.type).toBe(type)
      expect(fix!.lat === null).toBe(type === 'none')
      expect(fix!.accuracy).toBe(estimatedAccuracy(type, 0.8))
    },
  )
  test.each(['9', '', 'x', '44'])('quality "%s" is none', (quality) =>
    expect(read(gga('120000.00', quality), gga('120001.00', quality))[0]).toMatchObject({
      type: 'none',
      lat: null,
    }),
  )
  test('only RMC: its mode says the kind, GSA the HDOP', () => {
    const gsa = line('GNGSA,A,3,02,05,07,08,,,,,,,,,2.2,1.4,1.7')
    const of = (mode: string, status = 'A') =>
      read(gsa, rmc('120000.00', '281126', mode, status), rmc('120001.00', '281126', mode, status))[0]
    expect(of('A')).toMatchObject({
      type: 'gnss',
      accuracy: 7,
      estimated: true,
      satellites: null,
      orthometric: null,
    })
    expect(['D', 'P', 'R', 'F', 'E', 'M', 'S', 'N', ''].map((mode) => of(mode)!.type)).toEqual([
      'dgps',
      'pps',
      'rtk_fixed',
      'rtk_float',
      'estimated',
      'manual',
      'simulated',
      'none',
      'gnss',
    ])
    expect(of('E', 'V')!.type, 'the receiver warns').toBe('none')
  })
  test('every system’s talker is heard, no other instrument’s', () => {
    for (const talker of ['GP', 'GL', 'GA', 'GB', 'BD', 'GN', 'GQ', 'GI', 'II', 'AI']) {
      const said = ['120000.00', '120001.00'].map((time) =>
        line(`${talker}GGA,${time},5324.0,N,01306.0,E,1,12,0.8,65.2,M,38.6,M,,`),
      )
      expect(read(...said), talker).toHaveLength(['II', 'AI'].includes(talker) ? 0 : 2)
    }
  })
  test('south and west are negative', () => {
    const said = (time: string) => line(`GNGGA,${time},3351.6,S,07039.0,W,1,9,1,1.0,M,2.0,M,,`)
    expect(read(said('120000'), said('120001'))[0]).toMatchObject({ lat: -33.86, lon: -70.65 })
  })
  test('of several solutions the least good counts; those that measure nothing are none', () => {
    expect(worstOf(['rtk_fixed', 'rtk_float', 'rtk_fixed'])).toBe('rtk_float')
    expect(worstOf(['rtk_fixed', 'gnss', 'estimated'])).toBe('estimated')
    expect(worstOf([])).toBeNull()
    expect(FIX_TYPES.filter((type) => !isMeasured(type))).toEqual(['none', 'manual', 'simulated'])
  })
})

describe('accuracy and height', () => {
  test('what GST says counts, else HDOP; an unknown HDOP is no accuracy', () => {
    const at = ['120000.00', '120001.00'] as const
    expect(read(...at.flatMap((time) => [gga(time, 4), gst(time, '0.03', '0.04')]))[1]).toMatchObject({
      accuracy: 0.05,
      estimated: false,
    })
    expect(read(...at.map((time) => gga(time, 4)))[0]).toMatchObject({
      accuracy: expect.closeTo(0.04, 9),
      estimated: true,
    })
    expect(read(...at.map((time) => gga(time, 1, { hdop: '99.99' })))[0]!.accuracy).toBeNull()
    expect(read(...at.map((time) => gga(time, 1, { hdop: '' })))[0]!.accuracy).toBeNull()
    for (const [north, east] of [
      ['0.000', '0.000'],
      ['', '0.1'],
      ['-1', '1e3'],
      ['99999999', '1'],
    ] as const)
      expect(
        read(...at.flatMap((time) => [gga(time, 4), gst(time, north, east)]))[1],
        `${north} ${east}`,
      ).toMatchObject({
        accuracy: expect.closeTo(0.04, 9),
        estimated: true,
      })
  })
  test.each([
    ['65.2,M,38.6,M', 65.2, 103.8],
    ['65.2,M,,M', 65.2, null],
    ['65.2,M,38.6,', 65.2, null],
    [',M,38.6,M', null, null],
    ['65.2,F,38.6,M', null, null],
    ['-3.5,M,-38.6,M', -3.5, -42.1],
    ['99999999,M,38.6,M', null, null],
    ['65.2,M,3860,M', 65.2, null],
  ])('height %s', (high, orthometric, ellipsoidal) =>
    expect(read(gga('120000', 1, { high }), gga('120001', 1))[0]).toMatchObject({ orthometric, ellipsoidal }),
  )
  test('a flat solution has no height', () => {
    const gsa = line('GPGSA,A,2,02,05,07,,,,,,,,,,5.2,4.4,1.7')
    expect(read(gsa, gga('120000', 1), gga('120001', 1))[0]).toMatchObject({
      orthometric: null,
      ellipsoidal: null,
    })
  })
})

describe('time', () => {
  test('without a day there is none; the day comes with RMC, also from before midnight', () => {
    expect(read(gga('120000', 1), gga('120001', 1))[0]!.time).toBeNull()
    const fixes = read(
      rmc('235959.00', '311226'),
      gga('235959.00', 1),
      gga('000000.00', 1),
      rmc('000000.00', '010127'),
      gga('000001.00', 1),
      rmc('000001.00', '010127'),
    )
    expect(fixes.map(({ time }) => new Date(time!).toISOString())).toEqual([
      '2026-12-31T23:59:59.000Z',
      '2027-01-01T00:00:00.000Z',
      '2027-01-01T00:00:01.000Z',
    ])
  })
  test('an old receiver whose weeks began anew has the right day all the same', () => {
    const timeWith = (day: string) => read(rmc('120000', day), rmc('120001', day))[0]!.time
    expect(new Date(timeWith('140407')!).toISOString()).toBe('2026-11-28T12:00:00.000Z')
    expect(timeWith('060180'), 'the day it was made with').toBeNull()
    expect(timeWith('010199')).toBeNull()
    const warned = rmc('120000', '281126', 'A', 'V')
    expect(read(warned, gga('120001', 1), gga('120002', 1)).at(-1)!.time, 'said without a fix').toBeNull()
  })
  test.each(['310226', '001226', '321226', '281326', '28112', 'xx1126', ''])('day "%s" is none', (day) =>
    expect(read(rmc('120000', day), rmc('120001', day))[0]!.time).toBeNull(),
  )
  test.each(['240000', '126000', '120061', '12000', '', 'noon'])('time "%s" is no moment', (time) =>
    expect(read(gga(time, 1), gga(time, 1), gga('120000', 1))).toEqual([]),
  )
  test('a moment is told once, with its last sentence, and not again when that is late', () => {
    const reader = new NmeaReader()
    const push = (text: string) => reader.push(bytesOf(text)).length
    expect(push(gga('120000', 1))).toBe(0)
    expect(push(rmc('120000', '281126'))).toBe(0)
    expect(push(gga('120001', 1)), 'the first one, when the next begins').toBe(1)
    expect(push(rmc('120001', '281126')), 'the second one at once').toBe(1)
    expect(push(gga('120002', 1)) + push(rmc('120002', '281126'))).toBe(1)
    expect(push(gst('120002', '1', '1')), 'a sentence more than usual').toBe(0)
    expect(push(gga('120003', 1)) + push(rmc('120003', '281126'))).toBe(0)
    expect(push(gst('120003', '1', '1'))).toBe(1)
  })
})

describe('hostile streams', () => {
  const good = gga('120000', 1) + gga('120001', 1)
  const countsOf = (...chunks: readonly string[]) => {
    const reader = new NmeaReader()
    for (const chunk of chunks) reader.push(bytesOf(chunk))
    return reader.counts
  }
  test('a wrong, a missing and a broken checksum are not believed', () => {
    const [first = ''] = good.split('\r\n')
    for (const wrong of [
      first.replace(/\*..$/, '*00'),
      first.replace(/\*..$/, ''),
      first.replace(/\*..$/, '*'),
      first.replace(/\*..$/, '*G1'),
      first.replace('5324', '5325'),
      `${first}x`,
    ]) {
      expect(read(`${wrong}\r\n`, gga('120002', 0))).toEqual([])
      expect(countsOf(`${wrong}\r\n`)).toMatchObject({ sentences: 0, broken: 1 })
    }
  })
  test('a line without an end is dropped, and what comes after is read', () => {
    expect(read(`$${'A'.repeat(5_000_000)}`, good)).toHaveLength(2)
    expect(read('$GNGGA,'.repeat(400_000), good)).toHaveLength(2)
    expect(read(`$GNGGA,${',9'.repeat(1_000_000)}\r\n`, good)).toHaveLength(2)
    expect(read('\0'.repeat(1_000_000), good)).toHaveLength(2)
  })
  test('ten megabytes of noise take well under two seconds and leave nothing behind', () => {
    const noise = new Uint8Array(10_000_000)
    let seed = 99
    for (let at = 0; at < noise.length; at++) noise[at] = (seed = (seed * 16_807) % 2_147_483_647) & 0xff
    const start = performance.now()
    const reader = new NmeaReader()
    expect(reader.push(noise)).toEqual([])
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(reader.push(bytesOf(`\n${good}`))).toHaveLength(2)
  })
  test('places that are none make no fix', () => {
    for (const lat of [
      '9999.99',
      '9000.01',
      '5360.00',
      '-5324.0',
      '05324.0',
      '53 24',
      '5324.0.0',
      'NaN',
      '1e9',
      '',
    ])
      expect(read(gga('120000', 1, { lat }), gga('120001', 1, { lat }))[0], lat).toMatchObject({
        type: 'none',
        lat: null,
      })
  })
  test('sentences with too few or too many fields', () => {
    for (const text of [
      'GNGGA',
      'GNGGA,',
      'GNGGA,120000',
      `GNGGA,120000${','.repeat(150)}`,
      'GNGSA,',
      'GNZDA,120000,99,99',
    ])
      expect(read(line(text), line('GNGGA,120001'), good).at(-1), text).toMatchObject({ type: 'gnss' })
  })
  test('a sentence may begin in the middle of another thing, and end with either line end', () => {
    expect(read(`\u00b5b\u0001$GN${good}`)).toHaveLength(2)
    expect(read(good.replaceAll('\r\n', '\n'))).toHaveLength(2)
    expect(read(good.replaceAll('\r\n', '\r'))).toHaveLength(2)
    expect(read(`!AIVDM,1,1,,B,x,0*00\r\n${good}`)).toHaveLength(2)
  })
  test('one sentence is kept at most, however many have begun', () => {
    const lines = new NmeaLines()
    for (let round = 0; round < 1_000; round++)
      expect([...lines.push(bytesOf('$GNGGA,1'.repeat(50)))]).toEqual([])
    expect(lines.counts).toEqual({ bytes: 400_000, sentences: 0, broken: 49_999 })
  })
})
