// Files of a survey, of stands and of trees for keys that open that group alone: they read neither customers nor
// headquarters, and get what they may read all the same.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertKey } from '../db/test/cells/zugang.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../db/test/engines.ts'
import { buildWorld } from '../db/test/nouns.ts'
import { A, A1, B, B1, IDENTITIES, ISS, numberOf } from '../db/test/world.ts'
import { writeExport as writeStands } from './bestand/export.ts'
import type { Caller } from './caller.ts'
import { toRefusal } from './errors.ts'
import { createStore } from './geodata/store.ts'
import { writeHabitatExport } from './habitat/file-export.ts'
import { writeExport as writeSurvey } from './vermessung/export.ts'

const GROUPS = ['vermessung', 'bestaende', 'habitat'] as const
type Group = (typeof GROUPS)[number]
const TARGET = { vermessung: 'draenage', bestaende: 'bestand', habitat: 'habitatbaeume' } as const
interface Key {
  readonly gruppen?: readonly Group[]
  readonly client_id?: number
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`exports by keys on ${engineName}`, () => {
    let engine: Engine
    let id = 80_000
    const folder = mkdtempSync(join(tmpdir(), 'forstkontor-export-'))
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(async () => {
      await engine?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    async function keyOf(who: 'admin' | 'kundenadmin', key: Key): Promise<Caller> {
      const { groups } = IDENTITIES[who]
      await engine.owner.script(`begin; set local role forst_betrieb;
        ${insertKey({ user_id: numberOf(who), id: ++id, groups, ...key })} commit`)
      const claims = { iss: ISS, sub: who, iat: 0, groups, key: String(id) }
      return {
        claims: claims as never,
        claimsJson: JSON.stringify(claims),
        person: who,
        key: { id, name: 'Programm', readsOnly: false },
        role: 'programm',
        // As the route of the group says; what reads past the policies looks at the key itself.
        target: `/${TARGET[key.gruppen?.[0] ?? 'vermessung']}`,
      }
    }
    /** The name in the file's name, or the code of the refusal. */
    async function made(
      group: Group,
      caller: Caller,
      [kunde, hq]: readonly [number, number],
    ): Promise<string> {
      const options = { database: engine.api, fileStore: createStore<never>(folder) }
      try {
        const file =
          group === 'vermessung'
            ? await writeSurvey(options, caller, { kunde: String(kunde), format: 'geojson', epsg: null })
            : group === 'bestaende'
              ? await writeStands(options, caller, String(hq), 'gpkg')
              : await writeHabitatExport(options, caller, { hq: String(hq), format: 'geojson', epsg: null })
        expect(readFileSync(file.filePath).length).toBeGreaterThan(0)
        return 'kunde' in file ? file.kunde : file.name
      } catch (error) {
        return toRefusal(error).code
      }
    }
    const WORLD = { ofA: [A, A1], ofB: [B, B1] } as const

    test.each(GROUPS)(
      'a key for %s alone gets its file, named by the number, and no other',
      async (group) => {
        const caller = await keyOf('admin', { gruppen: [group] })
        for (const other of GROUPS) {
          const number = String(other === 'vermessung' ? A : A1)
          expect([other, await made(other, caller, WORLD.ofA)]).toEqual([
            other,
            other === group ? number : 'not_found',
          ])
        }
        expect(await made(group, caller, [999_999, 999_999])).toBe('not_found')
      },
    )
    test.each(GROUPS)('a key for %s of one customer gets nothing of another', async (group) => {
      const caller = await keyOf('admin', { gruppen: [group], client_id: A })
      expect(await made(group, caller, WORLD.ofA)).toBe(String(group === 'vermessung' ? A : A1))
      expect(await made(group, caller, WORLD.ofB)).toBe('not_found')
    })
    test('nor does one of a person get more than the person', async () => {
      const caller = await keyOf('kundenadmin', { gruppen: ['habitat'] })
      expect(await made('habitat', caller, WORLD.ofA)).toBe(String(A1))
      expect(await made('habitat', caller, WORLD.ofB)).toBe('not_found')
      expect(
        await made('vermessung', await keyOf('kundenadmin', { gruppen: ['vermessung'] }), WORLD.ofB),
      ).toBe('not_found')
    })
    test('a key that is not narrowed gets names', async () => {
      const caller = await keyOf('admin', {})
      for (const group of GROUPS) expect(await made(group, caller, WORLD.ofA)).toMatch(/[a-z]/)
    })
  })
