// The reading half of the dialect, case by case, on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECT_ENGINES, type DialectHome } from '../../test/dialect-engines.ts'
import { runCase } from './dialect.fixture.ts'
import { COLUMN_CASES } from './dialect-columns.cases.ts'
import { EMBED_CASES } from './dialect-embeds.cases.ts'
import { FILTER_CASES } from './dialect-filters.cases.ts'
import { AROUND_CASES } from './dialect-refused.cases.ts'
import { SPREAD_CASES } from './dialect-spreads.cases.ts'

const GROUPS = [
  ['filters', FILTER_CASES],
  ['columns, order and pages', COLUMN_CASES],
  ['embeds', EMBED_CASES],
  ['spread and aggregates', SPREAD_CASES],
  ['refusals, counts and shapes', AROUND_CASES],
] as const

for (const { engine, open, skip } of DIALECT_ENGINES) {
  describe.skipIf(skip())(`the dialect's reads on ${engine}`, () => {
    let home: DialectHome
    beforeAll(async () => {
      home = await open()
    })
    afterAll(() => home?.close())

    for (const [group, cases] of GROUPS)
      describe(group, () => {
        test.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => runCase(home.shop, one))
      })
  })
}

test('there are enough of them, and each once', () => {
  const all = GROUPS.flatMap(([, cases]) => cases)
  expect(all.length).toBeGreaterThanOrEqual(250)
  expect(new Set(all.map(({ name, path, method }) => `${name} ${method ?? ''} ${path}`)).size).toBe(
    all.length,
  )
})
