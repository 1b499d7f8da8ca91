// Bodies and headers as text, with their limits.
import { describe, expect, test } from 'vitest'
import { chooseMedia, type Produced } from './choose-media.ts'
import { ApiFault } from './faults.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { parseAccept, parseContentType } from './parse-media.ts'
import { appliedPreferences, endsInRollback, parsePrefer } from './parse-prefer.ts'
import { parseCallPayload, parsePayload } from './payload.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
function refusalOf(work: () => unknown): [code: string, text: string] {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiFault) return [error.code, `${error.message} ${String(error.details)}`]
    throw error
  }
  throw new Error('it was not refused')
}

describe('csv', () => {
  const rows = (text: string, limits: Partial<Limits> = {}) =>
    JSON.parse(parsePayload(bytes(text), { ...DEFAULT_LIMITS, ...limits }, 'csv').text) as unknown
  const refused = (text: string, limits: Partial<Limits> = {}) => refusalOf(() => rows(text, limits))

  test('lines of every kind', () => {
    expect(rows('a,b\n1,2')).toEqual([{ a: '1', b: '2' }])
    expect(rows('a,b\r\n1,"x\r\ny"\r\n')).toEqual([{ a: '1', b: 'x\r\ny' }])
    expect(rows('a\n""')).toEqual([{ a: '' }])
    expect(rows('a\n')).toEqual([])
    expect(rows('a,b\n"",NULL')).toEqual([{ a: '', b: null }])
    expect(rows('a;b\n1;2')).toEqual([{ 'a;b': '1;2' }])
  })

  test('too many rows, columns or repeated names', () => {
    expect(refused('a\n1\n2\n3', { writtenRows: 2 })[1]).toContain('writtenRows')
    expect(refused('a,b,c\n1,2,3', { writtenColumns: 2 })[1]).toContain('writtenColumns')
    // 60 kB that would become 13 MB.
    const wide = Array.from({ length: 30 }, (_, i) => `${'n'.repeat(60)}${i}`)
    const body = `${wide.join()}\n${`${','.repeat(29)}\n`.repeat(2_000)}`
    expect(refused(body, { bodyBytes: 2 ** 18 })).toEqual([
      'PGRST102',
      expect.stringContaining('too many lines'),
    ])
    expect(rows(body)).toHaveLength(2_000)
  })

  test('quotes at odd places: taken as they are within a field, refused after one that is over', () => {
    expect(rows('a,b\n5" pipe,x""y')).toEqual([{ a: '5" pipe', b: 'x""y' }])
    expect(refused('a\n"x"y')[1]).toContain('goes on after its quote')
    expect(refused('a\n"x')[1]).toContain('no end')
    expect(refused('a\n"x" ,')[1]).toContain('goes on after its quote')
    expect(rows('a,b\r1,2\r3,4')).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ])
  })

  test('a megabyte of quotes that fit nowhere is refused at once', () => {
    const begun = process.cpuUsage().user
    const blanks = ' '.repeat(524_000)
    for (const body of [
      `"a${'"x'.repeat(262_000)}${blanks},b\n1,2\n`,
      `"${'""'.repeat(524_000)}`,
      '"'.repeat(2 ** 20 - 1),
    ])
      expect(refused(body)[0]).toBe('PGRST102')
    expect(process.cpuUsage().user - begun).toBeLessThan(2_000_000)
  })

  test('a megabyte is read in a moment', () => {
    const body = `a,b\n${'"x ""y"" z",12345\n'.repeat(9_000)}`
    const begun = performance.now()
    expect(rows(body)).toHaveLength(9_000)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

describe('forms', () => {
  test('of a table and of a function', () => {
    const table = parsePayload(bytes('a=1&b=x+y&a=2&__proto__=3'), DEFAULT_LIMITS, 'form')
    expect([table.text, table.keys]).toEqual(['{"a":"2","b":"x y","__proto__":"3"}', ['a', 'b', '__proto__']])
    const call = parseCallPayload(bytes('v=1&v=2'), DEFAULT_LIMITS, 'form')
    expect([call.keys, call.pairs]).toEqual([
      ['v'],
      [
        { name: 'v', value: '1' },
        { name: 'v', value: '2' },
      ],
    ])
  })
  test('too many fields', () => {
    const body = bytes('a=1&'.repeat(201))
    for (const parse of [parsePayload, parseCallPayload])
      expect(refusalOf(() => parse(body, DEFAULT_LIMITS, 'form'))[1]).toContain('queryPairs')
  })
})

describe('media types', () => {
  const produced: Produced = { geojson: '"public"."st_asgeojson"', plans: true }
  const chosen = (accept: string, some = produced) =>
    chooseMedia({ accept, accepts: parseAccept(accept) }, some).contentType
  test.each([
    ['', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/csv;q=0.1, */*;q=0.2', 'application/json; charset=utf-8'],
    ['text/csv;q=0, application/geo+json', 'application/geo+json; charset=utf-8'],
    ['x/y, application/vnd.pgrst.object', 'application/vnd.pgrst.object+json; charset=utf-8'],
    ['application/vnd.pgrst.plan', 'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8'],
    [
      'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.array+json;nulls=stripped"; options=wal|x|verbose',
      'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.array+json;nulls=stripped"; ' +
        'options=verbose|wal; charset=utf-8',
    ],
    // A plan of a plan is a plan.
    [
      'application/vnd.pgrst.plan; for="application/vnd.pgrst.plan"',
      'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8',
    ],
  ])('%s', (accept, type) => expect(chosen(accept)).toBe(type))

  test('what there is not', () => {
    for (const accept of [
      'x/y',
      'text/csv;q=0',
      'application/json;nulls=stripped',
      'text/plain',
      'constructor',
    ])
      expect(refusalOf(() => chosen(accept))[0]).toBe('PGRST107')
    for (const accept of ['application/geo+json', 'application/vnd.pgrst.plan'])
      expect(refusalOf(() => chosen(accept, { geojson: null, plans: false }))[0]).toBe('PGRST107')
  })

  test('of bodies', () => {
    expect(parseContentType(undefined, false)).toBe('json')
    expect(parseContentType('Text/CSV; charset=UTF-8', false)).toBe('csv')
    expect(parseContentType('text/plain', true)).toBe('text')
    for (const [type, call] of [
      ['text/plain', false],
      ['text/csv', true],
      ['application/json; charset=latin1', false],
      ['__proto__', true],
    ] as const)
      expect(refusalOf(() => parseContentType(type, call))[0]).toBe('PGRST102')
  })
})

describe('preferences', () => {
  test('the first known word of each name counts', () => {
    const parsed = parsePrefer(
      'return=x, return=minimal, return=representation, resolution=ignore-duplicates',
    )
    expect(appliedPreferences(parsed, 'insert', true)).toBe('resolution=ignore-duplicates, return=minimal')
    // Without a key there are no duplicates; other requests have none either.
    expect(appliedPreferences(parsed, 'insert')).toBe('return=minimal')
    expect(appliedPreferences(parsed, 'read')).toBeNull()
  })

  test.each([
    ['commit', undefined, false],
    ['commit', 'commit', false],
    ['commit', 'rollback', 'PGRST127'],
    ['commit-allow-override', undefined, false],
    ['commit-allow-override', 'rollback', true],
    ['rollback', undefined, true],
    ['rollback', 'commit', 'PGRST127'],
    ['rollback-allow-override', undefined, true],
    ['rollback-allow-override', 'commit', false],
  ] as const)('transactions that %s, asked to %s: undone %s', (txEnd, asked, undone) => {
    const parse = () =>
      endsInRollback(parsePrefer(asked === undefined ? '' : `tx=${asked}`, { txEnd }), { txEnd })
    if (typeof undone === 'string') expect(refusalOf(parse)[0]).toBe(undone)
    else expect(parse()).toBe(undone)
  })

  test('time zones by their names alone', () => {
    const zone = (name: string) => parsePrefer(`timezone=${name}`).timezone
    for (const name of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
      expect(zone(name)).toBe(name)
    for (const name of ['', '+02:00', '05:30', 'Jupiter/Spot', "UTC'", 'a'.repeat(80), 'Europe/Berlin;x'])
      expect(zone(name)).toBeNull()
  })
})
