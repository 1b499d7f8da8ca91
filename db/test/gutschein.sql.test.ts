// A new voucher: the database refuses what the form refuses, and names the rule in the same words.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import cases from '#domain/gutschein.cases.json' with { type: 'json' }
import { GUTSCHEIN_RULES } from '#domain/gutschein.ts'
import { refusalOf } from './attempt.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf } from './world.ts'

/** Rules that the database names; what is no value or outside of its column's limits it refuses without. */
const NAMED: readonly string[] = ['zukunft', ...Object.keys(GUTSCHEIN_RULES)]

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`vouchers on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    for (const { why, input, faults } of cases)
      test(`${why}: ${faults === null ? 'taken' : 'refused'}`, async () => {
        const said = await refusalOf(
          engine.api.once(
            asCaller(claimsOf('ogf_admin')),
            sql(
              'insert into app.gutschein (rabatt_abo, rabatt_kawm, expire_date, laufzeit) values ($1, $2, $3, $4)',
              input.rabatt_abo,
              input.rabatt_kawm,
              input.expire_date,
              input.laufzeit,
            ),
          ),
        )
        const [named] = Object.entries(faults ?? {}).filter(([, fault]) => NAMED.includes(fault))
        if (faults === null) expect(said).toBe('done')
        else if (named === undefined) expect(said).toMatch(/^2[23]/)
        else expect(said).toBe(`23514 ${named.join(' ')}`)
      })
  })
