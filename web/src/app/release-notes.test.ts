import { expect, test } from 'vitest'
import { isNewer, releases, unseen } from './release-notes.ts'
import { VERSION } from './version.ts'

test('the newest notes are those of the version, and they go down from there', () => {
  const versions = releases().map(({ version }) => version)
  expect(versions[0]).toBe(VERSION)
  for (const [at, version] of versions.slice(1).entries())
    expect(isNewer(versions[at]!, version), version).toBe(true)
  for (const { version, news } of releases()) expect(news.length, version).toBeGreaterThan(0)
})

test('versions are compared as numbers', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['2026.12', '2026.9', true],
    ['2026.9', '2026.12', false],
    ['2027.1', '2026.12', true],
    ['2026.12.1', '2026.12', true],
    ['2026.12', '2026.12', false],
  ]
  for (const [a, b, newer] of cases) expect(isNewer(a, b), `${a} ${b}`).toBe(newer)
})

test('only what somebody has not seen is told', () => {
  expect(unseen(VERSION)).toEqual([])
  expect(unseen('2026.11').map(({ version }) => version)).toEqual(['2026.12'])
})
