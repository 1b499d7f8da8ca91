// The other half of the dialect, case by case, on both engines: writes, calls, media types, preferences. Every
// write is undone once it has been answered, so no case depends on another.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECT_ENGINES, type DialectHome } from '../../test/dialect-engines.ts'
import { type DialectCase, runCase } from './dialect.fixture.ts'
import { BODY_CASES } from './dialect-bodies.cases.ts'
import { GET_CASES, POST_CASES } from './dialect-calls.cases.ts'
import { CHANGE_CASES } from './dialect-changes.cases.ts'
import { INSERT_CASES } from './dialect-inserts.cases.ts'
import { MEDIA_CASES } from './dialect-media.cases.ts'
import { PUT_CASES } from './dialect-puts.cases.ts'
import { PREFERENCE_CASES, SERVER_CASES } from './dialect-server.cases.ts'
import { UPSERT_CASES } from './dialect-upserts.cases.ts'
import { VIEW_CASES } from './dialect-views.cases.ts'
import { WORKSHOP_SQL } from './dialect-write.fixture.ts'

const GROUPS: readonly (readonly [string, readonly DialectCase[]])[] = [
  ['inserts', INSERT_CASES],
  ['bodies', BODY_CASES],
  ['upserts', UPSERT_CASES],
  ['PUT', PUT_CASES],
  ['views', VIEW_CASES],
  ['PATCH and DELETE', CHANGE_CASES],
  ['calls by GET', GET_CASES],
  ['calls by POST', POST_CASES],
  ['media types', MEDIA_CASES],
  ['preferences', PREFERENCE_CASES],
  ['the server itself', SERVER_CASES],
]

for (const { engine, open, skip } of DIALECT_ENGINES) {
  describe.skipIf(skip())(`writes, calls and media types of the dialect on ${engine}`, () => {
    let home: DialectHome
    beforeAll(async () => {
      home = await open({
        schemas: ['workshop'],
        txEnd: 'rollback-allow-override',
        plans: true,
        requestHeaders: true,
      })
      await home.run(WORKSHOP_SQL)
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
  for (const [, cases] of GROUPS) expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})
