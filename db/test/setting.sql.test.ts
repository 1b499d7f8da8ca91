// How preferences are stored: several at once, the last writer wins, null resets, and the store has a size
// limit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, type Outcome, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, IDENTITIES } from './world.ts'

const set = (values: object) => sql('select app.__o_set_einstellungen($1::jsonb)', JSON.stringify(values))
const ALL = sql(`select schluessel, wert #>> '{}' as wert from app.einstellung order by schluessel`)
const codeOf = (outcome: Outcome) => ('code' in outcome ? outcome.code : 'done')

for (const name of EITHER_ENGINE)
  describe.skipIf(isMissing(name))(`preferences on ${name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(name)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const as = (...statements: Parameters<typeof attempt>[2][]) =>
      attempt(engine.api, claimsOf('appuser'), ...statements)

    test('several at once; the last one wins, null takes back, the others stay', async () => {
      const outcome = await as(
        set({ theme: '#409eff', tagsView: true }),
        set({ theme: '#f5222d', scheme: null, nothing: null }),
        ALL,
      )
      expect(outcome).toMatchObject({
        rows: [
          { schluessel: 'tagsView', wert: 'true' },
          { schluessel: 'theme', wert: '#f5222d' },
        ],
      })
    })

    test('mails ask for the language; it is German until another one is chosen', async () => {
      const { user_id: person } = IDENTITIES.appuser
      const language = async () =>
        (
          await engine.owner.query<{ language: string }>('select accounts.language_of($1) as language', [
            person,
          ])
        ).rows[0]?.language
      expect(await language()).toBe('de')
      for (const [chosen, answer] of [
        ['"en"', 'en'],
        ['"de"', 'de'],
        ['"fr"', 'de'],
        ['["en"]', 'de'],
      ]) {
        await engine.owner.query(
          `insert into app.einstellung as e (user_id, schluessel, wert) values ($1, 'language', $2::jsonb)
            on conflict (user_id, schluessel) do update set wert = excluded.wert`,
          [person, chosen],
        )
        expect(await language(), chosen).toBe(answer)
      }
      await engine.owner.query(`delete from app.einstellung where schluessel = 'language'`)
    })

    test('what is no object, no name or too long is refused, and with it the whole call', async () => {
      expect(codeOf(await as(sql(`select app.__o_set_einstellungen('[1]')`)))).toBe('PT400')
      expect(codeOf(await as(sql(`select app.__o_set_einstellungen(null)`)))).toBe('PT400')
      expect(codeOf(await as(set({ 'No name': 1 })))).toBe('23514')
      expect(codeOf(await as(set({ theme: 'x'.repeat(4_090) })))).toBe('done')
      expect(codeOf(await as(set({ scheme: 'auto', theme: 'x'.repeat(4_096) })))).toBe('23514')
    })

    test('two hundred are enough for anybody; changing one of them goes on working', async () => {
      const many = Object.fromEntries(Array.from({ length: 199 }, (_, nr) => [`k${nr}`, nr]))
      expect(codeOf(await as(set(many), set({ k7: 'anders', scheme: 'light' })))).toBe('done')
      expect(codeOf(await as(set(many), set({ mehr: 1 })))).toBe('PT413')
    })
  })
