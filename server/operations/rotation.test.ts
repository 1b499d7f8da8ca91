import { expect, test } from 'vitest'
import { dumpName, dumpsToDrop, lastRun, nextRun, unprovedName } from './rotation.ts'

test('the newest of the last 7 days and of the last 4 weeks stay', () => {
  const names: string[] = []
  for (
    let day = new Date('2026-11-21T02:30:00Z');
    names.length < 60;
    day = new Date(day.getTime() - 86_400_000)
  )
    names.push(dumpName(day, names.length % 2 === 0 ? null : { nr: names.length, kopf: 'ab'.repeat(32) }))
  const dropped = new Set(dumpsToDrop([...names, 'notes.txt', 'forstkontor-old.gz'], { daily: 7, weekly: 4 }))
  // 21 November 2026 is a Saturday: weeks begin on the 16th, the 9th, the 2nd and 26 October; the newest day
  // of a complete week is its Sunday.
  expect(names.filter((name) => !dropped.has(name)).map((name) => name.slice(12, 22))).toEqual([
    '2026-11-21',
    '2026-11-20',
    '2026-11-19',
    '2026-11-18',
    '2026-11-17',
    '2026-11-16',
    '2026-11-15',
    '2026-11-08',
    '2026-11-01',
  ])
  expect(dropped.has('notes.txt') || dropped.has('forstkontor-old.gz')).toBe(false)
})

test('of one day only the newest stays; days without a dump do not count', () => {
  const names = ['2026-01-02T02:30:00Z', '2026-01-02T14:00:00Z', '2026-03-01T02:30:00Z'].map((time) =>
    dumpName(new Date(time), null),
  )
  expect(dumpsToDrop(names, { daily: 2, weekly: 0 })).toEqual([names[0]])
})

test('what could not be proved is counted apart: a proved one never goes for it, nor does it stay for ever', () => {
  const of = (day: string) => dumpName(new Date(`${day}T02:30:00Z`), null)
  const proved = ['2026-10-01', '2026-10-02', '2026-10-20'].map(of)
  const unproved = ['2026-09-30', '2026-10-03', '2026-10-04', '2026-10-05'].map((day) =>
    unprovedName(of(day)),
  )
  const keep = { daily: 2, weekly: 0 }
  expect(dumpsToDrop([...proved, ...unproved], keep).toSorted()).toEqual([proved[0], ...unproved.slice(0, 2)])
  expect(dumpsToDrop(unproved, keep).toSorted()).toEqual(unproved.slice(0, 2))
  const later = ['2026-10-21', '2026-10-22'].map(of)
  expect(dumpsToDrop([...later, ...unproved], keep).toSorted()).toEqual(unproved)
})

test('the next and the last run by the local clock', () => {
  const at = (text: string) => new Date(text)
  expect(nextRun(at('2026-11-21T01:00:00'), '02:30')).toEqual(at('2026-11-21T02:30:00'))
  expect(nextRun(at('2026-11-21T02:30:00'), '02:30')).toEqual(at('2026-11-22T02:30:00'))
  expect(lastRun(at('2026-11-21T02:29:00'), '02:30')).toEqual(at('2026-11-20T02:30:00'))
  expect(lastRun(at('2026-11-21T02:31:00'), '02:30')).toEqual(at('2026-11-21T02:30:00'))
})
