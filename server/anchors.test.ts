// The lines of the anchors, and what the check says of a file that was changed; with a real chain:
// server/operations/book-check.sql.test.ts.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkAnchors, UnknownSignerError } from './anchor-check.ts'
import { createTestAnchors, type TestAnchors } from './anchors.fixture.ts'
import { appendLine, fingerprintOf, type Head, isSigned, makeAnchor, readAnchorKey } from './anchors.ts'

const head = (nr: number, digit = 'a'): Head => ({ nr, kopf: digit.repeat(64) })
const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 27, 3, minute))
/** A chain of so many entries. */
const chain = (length: number, digit = 'a') => {
  const known = (numbers: readonly number[]) => numbers.filter((nr) => nr > 0 && nr <= length)
  return async (numbers: readonly number[]) => known(numbers).map((nr) => head(nr, digit))
}

let places: TestAnchors
beforeEach(async () => {
  places = createTestAnchors()
  // oxlint-disable-next-line no-await-in-loop -- in this order
  for (const nr of [3, 5, 9]) await appendLine(places.file, makeAnchor(places.key, head(nr), at(nr), 'stand'))
})
afterEach(() => places.remove())

const lines = () => readFileSync(places.file, 'utf8').trimEnd().split('\n')
const rewrite = (change: (all: string[]) => readonly string[]) =>
  writeFileSync(places.file, `${change(lines()).join('\n')}\n`)
const faults = async (headsOf = chain(9)) =>
  (await checkAnchors(places, headsOf)).befunde.map(({ was, stelle }) => `${was} ${stelle}`)

test('anchors that fit the chain are counted, and the key is named by its fingerprint', async () => {
  const report = await checkAnchors(places, chain(9))
  expect(report).toEqual({
    ok: true,
    anker: 3,
    letzter: { nr: 9, zeit: at(9).toISOString() },
    fremde: 0,
    schluessel: fingerprintOf(places.key.publicKey),
    sicherungen: 0,
    zeitstempel: 0,
    letzter_zeitstempel: null,
    zeitstempel_fremd: 0,
    wiederhergestellt: [],
    befunde: [],
  })
})
test('a time stamp that the certificates do not cover is counted, one of something else is a finding', async () => {
  const line = { ...head(9), zeit: at(10).toISOString(), zeitstempel: 'AAAA' }
  await appendLine(places.file, line)
  const checked = (fault: Error) =>
    checkAnchors({ ...places, stamps: { request: null, timeOf: () => Promise.reject(fault) } }, chain(9))
  expect(await checked(new UnknownSignerError())).toMatchObject({
    ok: true,
    zeitstempel: 0,
    zeitstempel_fremd: 1,
  })
  expect(await checked(new Error('another digest'))).toMatchObject({
    ok: false,
    zeitstempel_fremd: 0,
    befunde: [{ was: 'zeitstempel', nr: 9 }],
  })
})
test('without a file there is nothing to compare, and nothing is wrong', async () => {
  const { ok, anker, letzter } = await checkAnchors(
    { ...places, file: join(places.folder, 'none') },
    chain(9),
  )
  expect([ok, anker, letzter]).toEqual([true, 0, null])
})
test('a chain that was cut off or made again is found by its anchors', async () => {
  expect(await faults(chain(4))).toEqual(['abgeschnitten 2', 'abgeschnitten 3'])
  expect(await faults(chain(0))).toEqual(['abgeschnitten 1', 'abgeschnitten 2', 'abgeschnitten 3'])
  expect(await faults(chain(9, 'b'))).toEqual(['ersetzt 1', 'ersetzt 2', 'ersetzt 3'])
})
test.each<[string, (line: string) => string, string]>([
  ['another entry', (line) => line.replace('"nr":5', '"nr":4'), 'signatur 2'],
  ['another hash', (line) => line.replace('aaaa', 'bbbb'), 'signatur 2'],
  ['another time', (line) => line.replace('03:05', '03:06'), 'signatur 2'],
  ['another occasion', (line) => line.replace('"stand"', '"wiederhergestellt"'), 'signatur 2'],
  ['another signature', (line) => line.replace(/"signature":"./, '"signature":"_'), 'signatur 2'],
  ['no key', (line) => line.replace(/"schluessel":"[^"]+"/, '"schluessel":"x"'), 'signatur 2'],
  ['half a line', (line) => line.slice(0, 40), 'zeile 2'],
  ['something else', () => '{"nr":1}', 'zeile 2'],
  ['a number that is none', (line) => line.replace('"nr":5', '"nr":"5"'), 'zeile 2'],
])('a line that was changed is found: %s', async (_what, change, fault) => {
  rewrite((all) => all.map((line, index) => (index === 1 ? change(line) : line)))
  expect(await faults()).toEqual([fault])
})
test('lines of another key prove nothing and are counted', async () => {
  const stranger = readAnchorKey(join(places.folder, 'stranger'), true)
  await appendLine(places.file, makeAnchor(stranger, head(77), at(11), 'stand'))
  const report = await checkAnchors(places, chain(9))
  expect([report.ok, report.anker, report.fremde]).toEqual([true, 3, 1])
})
test('after a restore the anchors of what was given up do not count, and the report says so', async () => {
  await appendLine(places.file, makeAnchor(places.key, head(4), at(20), 'wiederhergestellt'))
  await appendLine(places.file, makeAnchor(places.key, head(6, 'c'), at(21), 'stand'))
  const headsOf = async (numbers: readonly number[]) =>
    numbers.filter((nr) => nr <= 6).map((nr) => head(nr, nr <= 4 ? 'a' : 'c'))
  const report = await checkAnchors(places, headsOf)
  expect(report.befunde).toEqual([])
  expect(report.wiederhergestellt).toEqual([{ zeit: at(20).toISOString(), nr: 4, anker: 2 }])
  expect(report.letzter?.nr).toBe(6)
})
test('the names of dumps are anchors too, those from before a restore excepted', async () => {
  const dump = (time: string, nr: number, digit: string) =>
    writeFileSync(join(places.dumps, `forstkontor-${time}Z_${nr}-${digit.repeat(16)}.gz`), '')
  dump('2026-11-26T02-30-00', 4, 'a')
  dump('2026-11-27T02-30-00', 8, 'a')
  writeFileSync(join(places.dumps, 'forstkontor-2026-11-20T02-30-00Z.gz'), '')
  writeFileSync(join(places.dumps, 'notes.txt'), '')
  expect(await checkAnchors(places, chain(9))).toMatchObject({ ok: true, sicherungen: 2 })
  const { befunde } = await checkAnchors(places, chain(9, 'b'))
  expect(befunde.filter(({ quelle }) => quelle === 'sicherung').map(({ was }) => was)).toEqual([
    'ersetzt',
    'ersetzt',
  ])
  await appendLine(places.file, makeAnchor(places.key, head(5), at(30), 'wiederhergestellt'))
  expect(await checkAnchors(places, chain(5))).toMatchObject({ ok: true, sicherungen: 1 })
})
test('the key is made once, for its owner alone, and only where no file was named', () => {
  const path = join(places.folder, 'secrets', 'anker')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readAnchorKey(path, false).publicKey).toBe(places.key.publicKey)
  expect(() => readAnchorKey(join(places.folder, 'missing'), false)).toThrow(/fehlt/)
  writeFileSync(path, 'x')
  expect(() => readAnchorKey(path, true)).toThrow(/kein Ed25519-Schlüssel/)
})
test('a signature is of its key', async () => {
  const anchor = makeAnchor(places.key, head(1), at(1), 'tag')
  const stranger = readAnchorKey(join(places.folder, 'stranger'), true)
  expect(await isSigned(anchor)).toBe(true)
  expect(await isSigned({ ...anchor, schluessel: stranger.publicKey })).toBe(false)
})
