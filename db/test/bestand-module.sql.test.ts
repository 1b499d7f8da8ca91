// What the switches of a headquarters reveal of its stands, to those linked to it and to its customer's
// kundenadmin: every stand, the sums per level, or nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LevelSum, Waldbestand } from '#contract/bestand.ts'
import type { KawmBestaende } from '#contract/kawm.ts'
import { type Kind, byGroup, type Stand } from '#domain/bestand.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, type IdentityName } from './world.ts'

interface Switches {
  readonly frei: boolean
  readonly fe: boolean
  readonly basis: boolean
}
const OWN: readonly IdentityName[] = ['ogf_standard', 'ogf_fb_admin', 'multiple_fb', 'kundenadmin']
const STAFF: readonly IdentityName[] = ['ogf_team', 'ogf_admin', 'admin']
const OTHERS: readonly IdentityName[] = [
  'ogf_init',
  'appuser',
  'appuser_admin',
  'apus_team',
  'apus_admin',
  'cut_by_ceiling',
  'nobody',
]

const CASES: readonly (Switches & { readonly umfang: Waldbestand['umfang'] })[] = [
  { frei: true, fe: true, basis: false, umfang: 'alles' },
  { frei: true, fe: true, basis: true, umfang: 'alles' },
  { frei: true, fe: false, basis: true, umfang: 'summen' },
  { frei: true, fe: false, basis: false, umfang: 'kein_modul' },
  { frei: false, fe: true, basis: true, umfang: 'nicht_freigegeben' },
  { frei: false, fe: false, basis: false, umfang: 'nicht_freigegeben' },
]

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`modules on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    const asOperations = (text: string): Promise<void> =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
    const switchTo = ({ frei, fe, basis }: Switches) =>
      asOperations(`update app.hq set fb_enabled = ${frei} where "idHQ" = ${w.A1};
        update app.kunde_hq set fe_enabled = ${fe}, basis_fe_enabled = ${basis} where hqid = ${w.A1}`)
    const answer = async <T>(name: IdentityName, call: string): Promise<T | null> => {
      const { rows } = await engine.api.once<{ answer: string | null }>(
        asCaller(claimsOf(name)),
        sql(`select ${call}::text as answer`),
      )
      const [row] = rows
      return row?.answer == null ? null : (JSON.parse(row.answer) as T)
    }
    const forest = (name: IdentityName) => answer<Waldbestand>(name, `app.a_get_waldbestand(${w.A1})`)
    /** What a person can find out about single stands, in every possible way. */
    const single = async (name: IdentityName) => ({
      bestand: Number(await answer(name, `(select count(*) from app.bestand where "idHQ" = ${w.A1})`)),
      baumarten: Number(await answer(name, `(select count(*) from app.baumarten where "idHQ" = ${w.A1})`)),
      umrisse: Number(await answer(name, `jsonb_array_length(app.a_get_bestand_umrisse(${w.A1}))`)),
      forest: (await forest(name))?.bestaende.length ?? 0,
      // In a headquarters that is not enabled, trees cannot be read either.
      kawm:
        (await answer<KawmBestaende>(name, `app.a_get_kawm_bestaende(${w.A1})`).catch(() => null))?.bestaende
          .length ?? 0,
    })
    const ALL = { bestand: 2, baumarten: 4, umrisse: 2, forest: 2, kawm: 2 }
    const NONE = { bestand: 0, baumarten: 0, umrisse: 0, forest: 0, kawm: 0 }

    for (const { umfang, ...switches } of CASES)
      test(`${JSON.stringify(switches)} opens: ${umfang}`, { timeout: 120_000 }, async () => {
        await switchTo(switches)
        for (const name of OWN) {
          expect(await single(name), name).toEqual(umfang === 'alles' ? ALL : NONE)
          expect(await forest(name), name).toMatchObject({ idHQ: w.A1, umfang })
          expect((await forest(name))?.summen.length, name).toBe(umfang === 'summen' ? 2 : 0)
          expect((await answer<LevelSum[]>(name, `forest.bestand_sums(${w.A1})`))?.length, name).toBe(
            umfang === 'summen' || umfang === 'alles' ? 2 : 0,
          )
        }
        for (const name of STAFF) {
          expect(await single(name), name).toEqual(ALL)
          expect(await forest(name), name).toMatchObject({ umfang: 'alles', summen: [] })
        }
        for (const name of OTHERS) {
          expect(await single(name), name).toEqual(NONE)
          expect(await forest(name), name).toBeNull()
          expect(await answer(name, `forest.bestand_sums(${w.A1})`), name).toEqual([])
        }
      })

    describe('the sums of the levels', () => {
      test('tell area and species of a level, and nothing of a stand', async () => {
        await switchTo({ frei: true, fe: false, basis: true })
        const seen = await forest('ogf_standard')
        expect(seen?.summen).toEqual([
          [
            [null, '3', '2', 'a'],
            2,
            [
              ['Fichte', 0.6],
              ['Rotbuche', 1.4],
            ],
          ],
          [
            [null, '3', '17', 'b'],
            2,
            [
              ['Fichte', 0.6],
              ['Rotbuche', 1.4],
            ],
          ],
        ])
      })

      test('fall to species as the page counts them', async () => {
        await switchTo({ frei: true, fe: true, basis: false })
        /** [layer, share, area] of the species of a stand; the names belong to different groups. */
        const NAMES = ['Eiche', 'Buche', 'Fichte', 'Kiefer']
        const PLANS: readonly (readonly (readonly [string | null, number | null, number | null])[])[] = [
          [],
          [
            [null, 70, null],
            [null, 30, null],
          ],
          [
            ['Oberstand', 60, null],
            ['Unterstand', 100, null],
            ['Oberstand', 40, null],
          ],
          [
            ['Unterstand', 80, null],
            ['Nachwuchs', 20, null],
          ],
          [
            ['1', null, 1.5],
            ['2', null, 9],
            ['1', null, 0.5],
          ],
          [
            ['HB', 50, 1],
            ['HB', 50, null],
          ],
          [
            ['HB', null, null],
            ['Überhalt', 10, null],
            ['ÜH', 5, null],
            ['HB', 20, null],
          ],
          [['HB', 0, null]],
          [
            ['HB', 70, 0],
            ['HB', 30, 0],
          ],
          [
            ['HB', 70, 0],
            ['HB', 30, 1],
          ],
          [
            ['HB', null, 4],
            ['HB', null, 0],
          ],
          [
            ['HB', null, 0],
            ['HB', null, 0],
          ],
        ]
        await asOperations(
          PLANS.map(
            (
              plan,
              nr,
            ) => `insert into app.bestand (id, "idHQ", client_id, import_id, "sLVL02", "iSTAND", geom, flaeche_ha)
            select ${900 + nr}, "idHQ", client_id, import_id, '9', ${nr}, geom, ${nr + 1}.5 from app.bestand
              where "idHQ" = ${w.A1} and id < 900 limit 1;
            ${plan
              .map(
                ([layer, share, ha], at) => `insert into app.baumarten
              (bestand_id, "idHQ", client_id, "sLVL02", "iSTAND", schicht, baumart, anteil, flaeche_ha)
              values (${900 + nr}, ${w.A1}, ${w.A}, '9', ${nr}, ${layer === null ? 'null' : `'${layer}'`},
                '${NAMES[at]}', ${share}, ${ha})`,
              )
              .join(';')}`,
          ).join(';'),
        )
        const stands = PLANS.map(
          (plan, nr): Pick<Stand, 'ha' | 'arten'> => ({
            ha: nr + 1.5,
            arten: plan.map(([layer, share, ha], at): Kind => [layer, NAMES[at]!, share, ha, null, null]),
          }),
        )
        const sums = (await answer<LevelSum[]>('ogf_standard', `forest.bestand_sums(${w.A1})`))!
        const [, ha, kinds] = sums.find(([l]) => l[1] === '9')!
        expect(ha).toBe(stands.reduce((sum, stand) => sum + stand.ha, 0))
        const groups = new Map([
          ['Eiche', 'EI'],
          ['Buche', 'BU'],
          ['Fichte', 'FI'],
          ['Kiefer', 'KI'],
        ])
        const counted = new Map(byGroup(stands).map(({ key, ha: part }) => [key as string, part]))
        expect(new Set(kinds.map(([name]) => (name === null ? 'OHNE' : groups.get(name))))).toEqual(
          new Set(counted.keys()),
        )
        for (const [name, part] of kinds)
          expect(part, String(name)).toBeCloseTo(counted.get(name === null ? 'OHNE' : groups.get(name)!)!, 3)
      })
    })
  })
