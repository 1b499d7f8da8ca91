// Each kind of import with keys that are narrowed in every way: what a key opens is enough for the import of its group,
// and what it does not open is refused by name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cii } from '#domain/eingang/files.fixture.ts'
import type { KeyGroup } from '#domain/zugang.ts'
import { C } from '../../db/test/cells/vermessung.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, A1, A2, B, B1, type IDENTITIES } from '../../db/test/world.ts'
import { SPEC } from '../eingang/hostile-files.fixture.ts'
import { CAMT, kunde, STANDS, survey, trees } from '../../db/test/import-files.ts'
import { ImportServer, type Narrowing } from '../../db/test/import-server.ts'

type Person = keyof typeof IDENTITIES
type Answer = readonly [status: number, hint?: string]

const DONE: Answer = [200]
const NOT_FOUND: Answer = [404]
const limit = (hint: string): Answer => [403, hint]
/** The file is far from what is known of the customer. */
const FAR: Answer = [422, 'ort']

const of = (...groups: KeyGroup[]): Narrowing => ({ gruppen: groups })
const SURVEY = (client: number) => `vermessung?kunde=${client}&modus=ersetzen&epsg=25833&ort=bestaetigt`
const STAND = (hq: number) => `waldbestand?hq=${hq}&ort=bestaetigt`
const TREES = (hq: number) => `habitatbaeume?hq=${hq}&ort=bestaetigt`
const unconfirmed = (path: string) => path.replace('&ort=bestaetigt', '')
const STATEMENT = 'kontoauszug?konto=DE02120300000000202051'

const SENT: Record<string, (nr: number) => string> = {
  vermessung: () => survey(5, 3),
  waldbestand: () => STANDS,
  habitatbaeume: () => trees(),
  kunden: (nr) => JSON.stringify([kunde(`Waldgut Nummer ${nr}`)]),
  kontoauszug: () => CAMT,
  eingangsrechnungen: (nr) => cii({ ...SPEC, number: `N-${nr}` }),
}

const CASES: readonly (readonly [who: Person, key: Narrowing, path: string, answer: Answer])[] = [
  // A narrow key is asked about the place as well (before anything is there).
  ['apus_team', {}, unconfirmed(SURVEY(A)), FAR],
  ['apus_team', of('vermessung'), unconfirmed(SURVEY(A)), FAR],
  ['ogf_admin', {}, unconfirmed(STAND(A2)), FAR],
  ['ogf_admin', of('bestaende'), unconfirmed(STAND(A2)), FAR],
  ['ogf_fb_admin', {}, unconfirmed(TREES(A1)), FAR],
  ['ogf_fb_admin', of('habitat'), unconfirmed(TREES(A1)), FAR],

  ['apus_team', {}, SURVEY(C), DONE],
  ['apus_team', of('vermessung'), SURVEY(C), DONE],
  ['apus_team', of('vermessung', 'kunden'), SURVEY(C), DONE],
  ['apus_team', { client_id: C }, SURVEY(C), DONE],
  ['apus_team', { ...of('vermessung'), client_id: C }, SURVEY(C), DONE],
  ['apus_admin', { ...of('vermessung'), haelfte: 'draenage' }, SURVEY(C), DONE],
  ['apus_team', { client_id: B }, SURVEY(C), NOT_FOUND],
  ['apus_team', { ...of('vermessung'), client_id: B }, SURVEY(C), NOT_FOUND],
  ['apus_team', of('karten', 'kunden'), SURVEY(C), limit('key_group')],
  ['apus_team', { ...of('vermessung'), nur_lesen: true }, SURVEY(C), limit('key_reads_only')],
  ['admin', { haelfte: 'forst' }, SURVEY(C), limit('key_half')],
  ['ogf_admin', of('vermessung'), SURVEY(C), NOT_FOUND],

  ['ogf_admin', {}, STAND(A1), DONE],
  ['ogf_admin', of('bestaende'), STAND(A1), DONE],
  ['ogf_admin', of('bestaende', 'betriebe', 'kunden'), STAND(A1), DONE],
  ['ogf_admin', { client_id: A }, STAND(A1), DONE],
  ['ogf_admin', { ...of('bestaende'), client_id: A }, STAND(A2), DONE],
  ['ogf_admin', { ...of('bestaende'), haelfte: 'forst' }, STAND(A1), DONE],
  ['ogf_admin', { client_id: A }, STAND(B1), NOT_FOUND],
  ['ogf_admin', { ...of('bestaende'), client_id: A }, STAND(B1), NOT_FOUND],
  ['ogf_admin', of('habitat', 'betriebe', 'kunden'), STAND(A1), limit('key_group')],
  ['ogf_admin', { ...of('bestaende'), nur_lesen: true }, STAND(A1), limit('key_reads_only')],
  ['admin', { haelfte: 'draenage' }, STAND(A1), limit('key_half')],
  ['ogf_fb_admin', of('bestaende'), STAND(A1), NOT_FOUND],
  // What the plan says of the holding is written to the holding.
  ['ogf_admin', of('bestaende'), `${STAND(A1)}&uebernehmen=1`, limit('key_group')],
  ['ogf_admin', of('bestaende', 'betriebe'), `${STAND(A1)}&uebernehmen=1`, DONE],
  ['ogf_admin', { client_id: A }, `${STAND(A1)}&uebernehmen=1`, DONE],

  ['ogf_admin', {}, TREES(A1), DONE],
  ['ogf_admin', of('habitat'), TREES(A1), DONE],
  ['ogf_admin', of('habitat', 'betriebe', 'kunden'), TREES(A1), DONE],
  ['ogf_admin', { client_id: A }, TREES(A1), DONE],
  ['ogf_admin', { ...of('habitat'), client_id: A }, TREES(A1), DONE],
  ['ogf_admin', { ...of('habitat'), client_id: A }, TREES(B1), NOT_FOUND],
  ['ogf_admin', of('bestaende'), TREES(A1), limit('key_group')],
  ['ogf_admin', { ...of('habitat'), nur_lesen: true }, TREES(A1), limit('key_reads_only')],
  ['admin', { haelfte: 'draenage' }, TREES(A1), limit('key_half')],
  // Foresters: those of their own headquarters that are enabled.
  ['ogf_fb_admin', {}, TREES(A1), DONE],
  ['ogf_fb_admin', of('habitat'), TREES(A1), DONE],
  ['ogf_standard', { ...of('habitat'), client_id: A }, TREES(A1), DONE],
  ['ogf_standard', of('habitat'), TREES(B1), NOT_FOUND],
  ['multiple_fb', of('habitat'), TREES(A2), NOT_FOUND],
  ['ogf_team', of('habitat'), TREES(A1), NOT_FOUND],

  // Procedures: no key that is narrowed to groups or a customer.
  ['ogf_admin', {}, 'kunden', DONE],
  ['ogf_admin', { haelfte: 'forst' }, 'kunden', DONE],
  ['ogf_admin', of('kunden', 'betriebe'), 'kunden', limit('key_calls')],
  ['ogf_admin', { client_id: A }, 'kunden', limit('key_calls')],
  ['ogf_admin', { nur_lesen: true }, 'kunden', limit('key_reads_only')],
  ['apus_admin', {}, STATEMENT, DONE],
  ['apus_admin', { haelfte: 'draenage' }, STATEMENT, DONE],
  ['apus_admin', of('belege'), STATEMENT, limit('key_calls')],
  ['apus_admin', { client_id: C }, STATEMENT, limit('key_calls')],
  ['apus_admin', {}, 'eingangsrechnungen', DONE],
  ['apus_admin', { haelfte: 'draenage' }, 'eingangsrechnungen', DONE],
  ['apus_admin', of('belege'), 'eingangsrechnungen', limit('key_calls')],
  ['apus_admin', { client_id: C }, 'eingangsrechnungen', limit('key_calls')],
]

interface Data {
  readonly zahlen: Readonly<Record<string, number>>
}
const kindOf = (path: string): string => path.split('?')[0]!
const asProbe = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}probe=1`

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`imports with narrowed keys on ${engineName}`, () => {
    let engine: Engine
    let server: ImportServer<Data>
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      // The files are in Saxony; nothing else is known of these places.
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         update app.vermessung_import set stand = 'fertig';
         update app.kunde set bundesland = 'Bayern' where client_id = ${A};
         delete from app.habitatbaeume where "idHQ" in (${A1}, ${A2});
         delete from app.bestand where "idHQ" in (${A1}, ${A2});
         commit`,
      )
      server = new ImportServer(engine, { firstKey: 50_000 })
      await server.open()
    })
    afterAll(async () => {
      await server?.close()
      await engine?.close()
    })

    test('every kind is here', async () => {
      const { message } = await server.send(await server.keyOf('admin'), 'nichts', { body: '' })
      const kinds = /Möglich sind: (.*)\./.exec(message)?.[1]?.split(', ') ?? []
      expect(kinds.toSorted()).toEqual([...new Set(CASES.map(([, , path]) => kindOf(path)))].toSorted())
    })

    test.each(CASES.map((one, nr) => [...one, nr] as const))(
      '%s with %j: %s gives %j',
      async (who, narrowing, path, [status, hint], nr) => {
        const key = await server.keyOf(who, narrowing)
        const body = SENT[kindOf(path)]!(nr)
        const probed = await server.send(key, asProbe(path), { body, key: null })
        expect([probed.status, probed.hint], probed.text).toEqual([status, hint])
        const done = await server.send(key, path, { body })
        expect([done.status, done.hint], done.text).toEqual([status, hint])
      },
    )
  })
