// What people grant each other: never to themselves, in any way; and what follows from it. Who may grant what
// to others is in procedures.ts, cell by cell.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '#server/database/database.ts'
import { ANGEBOT_A } from './cells/buchhaltung.ts'
import { CODE_A } from './cells/document.ts'
import { attempt, enginesToday, type Engine, isMissing, openEngine, type Outcome, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, IDENTITIES, type IdentityName } from './world.ts'

const idOf = (name: keyof typeof IDENTITIES) => IDENTITIES[name].user_id

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`giving on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    const as = (name: IdentityName, ...statements: Statement[]): Promise<Outcome> =>
      attempt(engine.api, claimsOf(name), ...statements)
    const asOperations = async (text: string): Promise<void> =>
      engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
    const call = (text: string) => sql(`select app.${text}`)

    /** The link that the provider's people would need to answer for a customer. */
    const LINK = `insert into app.benutzer_kunde (client_id, user_id, rolle) values (${w.A}, $1, 'admin')`
    const asClerkOf = async (name: keyof typeof IDENTITIES, work: () => Promise<void>): Promise<void> => {
      await asOperations(LINK.replace('$1', String(idOf(name))))
      try {
        await work()
      } finally {
        await asOperations(
          `delete from app.benutzer_kunde where client_id = ${w.A} and user_id = ${idOf(name)}`,
        )
      }
    }

    describe('an offer', () => {
      const DECIDE = call(`__o_decide_offer(${ANGEBOT_A}, true)`)
      const byLink = sql(
        `select books.decide_acceptance($1, true, 'Frau Holz') ->> 'entschieden' as entschieden`,
        createHash('sha256').update(CODE_A).digest('hex'),
      )

      test('is not answered by those who made it, whatever links they have', async () => {
        for (const name of ['apus_admin', 'apus_team', 'ogf_admin', 'ogf_team', 'admin'] as const)
          await asClerkOf(name, async () => {
            expect(await as(name, call(`__o_get_angebot(${ANGEBOT_A})`)), name).toMatchObject({ count: 1 })
            expect(await as(name, DECIDE), name).toMatchObject({ code: 'PT403' })
            expect(await as(name, byLink), name).toMatchObject({ code: 'PT403' })
            expect(
              await as(
                name,
                sql(
                  `select from app.__o_get_dokumente() where art = 'angebot' and id = ${ANGEBOT_A} and entscheidbar`,
                ),
              ),
            ).toMatchObject({ count: 0 })
          })
      })
      test('is answered by the customer', async () => {
        expect(await as('appuser_admin', DECIDE)).toMatchObject({ count: 1 })
        for (const name of ['appuser_admin', 'nobody'] as const)
          expect(await as(name, byLink)).toMatchObject({ rows: [{ entschieden: 'true' }] })
      })
      test('answered on paper is noted under the clerk’s own name', async () => {
        const noted = sql(
          `select entschieden_von, entschieden_als, entscheidung from app.angebot where id = ${ANGEBOT_A}`,
        )
        expect(
          await as(
            'apus_admin',
            call(`a_decide_offer(${ANGEBOT_A}, true, 'Frau Holz', 'Brief vom Mai')`),
            noted,
          ),
        ).toMatchObject({
          rows: [
            {
              entschieden_von: 'Vor112 Nach112',
              entschieden_als: 'intern',
              entscheidung: 'Frau Holz: Brief vom Mai',
            },
          ],
        })
        expect(
          await as('apus_admin', call(`a_decide_offer(${ANGEBOT_A}, false, '', '')`), noted),
        ).toMatchObject({
          rows: [{ entschieden_von: 'Vor112 Nach112', entscheidung: '' }],
        })
      })
    })

    test('operations alone write a person’s own link; a procedure that forgot to ask could not', async () => {
      for (const text of [
        `insert into app.benutzer_kunde (client_id, user_id, rolle) values (${w.B}, ${idOf('appuser')}, 'nutzer')`,
        `update app.benutzer_kunde set rolle = 'admin' where user_id = ${idOf('appuser')}`,
        `update app.benutzer_kunde set kataster_enabled = true
         where user_id = ${idOf('appuser')} and not kataster_enabled`,
        `insert into app.benutzer_hq (client_id, hqid, user_id) values (${w.B}, ${w.B1}, ${idOf('appuser')})`,
        `insert into app.benutzer_hq (client_id, hqid, user_id, hq_status)
         values (${w.A}, ${w.A1}, ${idOf('appuser')}, '{hq_admin}')`,
        `update app.benutzer set apus_team = true where user_id = ${idOf('appuser')}`,
        `update app.benutzer set apus_admin = true where user_id = ${idOf('appuser')}`,
        `update app.benutzer set system_status = 'ogf_standard' where user_id = ${idOf('appuser')}`,
      ]) {
        const forgetful = engine.owner.script(`begin; select set_config('request.jwt.claims',
            '${JSON.stringify(claimsOf('appuser'))}', true);
          set local role forst_definer; ${text}; rollback`)
        await expect(forgetful, text).rejects.toMatchObject({ code: 'PT403', hint: 'nicht_sich_selbst' })
        await engine.owner.script('rollback')
      }
    })

    describe('the Kataster of a person', () => {
      const FLAG = sql('select kataster_enabled from app.benutzer where user_id = $1', w.COLLEAGUE)
      const shows = (kataster_enabled: boolean) => ({ rows: [{ kataster_enabled }] })
      const give = (on: boolean, client = w.A) =>
        call(`a_add_user_to_client(${w.COLLEAGUE}, ${client}, ${on}, 'nutzer')`)

      test('follows their links', async () => {
        expect(await as('apus_admin', FLAG)).toMatchObject(shows(false))
        expect(await as('apus_admin', give(true), FLAG)).toMatchObject(shows(true))
        expect(await as('apus_admin', give(true), give(false), FLAG)).toMatchObject(shows(false))
        expect(await as('apus_admin', give(true), give(true, w.B), give(false), FLAG)).toMatchObject(
          shows(true),
        )
        const removed = call(`a_remove_user_from_client(${w.COLLEAGUE}, ${w.A})`)
        expect(await as('apus_admin', give(true), removed, FLAG)).toMatchObject(shows(false))
      })
      test('is nobody’s to set apart from a link', async () => {
        const made = sql(`select from app.benutzer where email = 'neu@test.example' and kataster_enabled`)
        expect(
          await as('apus_admin', call(`a_add_user('neu@test.example', kataster_enabled => true)`), made),
        ).toMatchObject({ count: 0 })
        expect(
          await as(
            'apus_admin',
            call(`a_add_user('neu@test.example', kataster_enabled => true, client_id => ${w.A})`),
            made,
          ),
        ).toMatchObject({ count: 1 })
      })
      test('a customer’s admin gives it once they have it', async () => {
        const colleague = give(true, w.A)
        const mine = call(`a_add_user_to_client(${idOf('appuser_admin')}, ${w.A}, true)`)
        const switched = call(`a_set_kataster_for_client(${w.A}, true)`)
        expect(await as('appuser_admin', colleague)).toMatchObject({ code: 'PT403' })
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.kunde set kataster_status = true where client_id = ${w.A}; commit`,
        )
        expect(await as('apus_admin', switched)).toMatchObject({ count: 1 })
        expect(await as('appuser_admin', colleague)).toMatchObject({ code: 'PT403' })
        expect(await as('appuser_admin', mine)).toMatchObject({ code: 'PT403' })
        await asOperations(
          `update app.benutzer_kunde set kataster_enabled = true
           where client_id = ${w.A} and user_id = ${idOf('appuser_admin')}`,
        )
        expect(await as('appuser_admin', colleague, FLAG)).toMatchObject(shows(true))
        expect(await as('kundenadmin', colleague)).toMatchObject({ code: 'PT403' })
        expect(await as('ogf_admin', colleague)).toMatchObject({ code: 'PT403' })
      })
    })

    describe('a new person', () => {
      const made = sql(
        `select b.system_status, bk.rolle from app.benutzer b left join app.benutzer_kunde bk using (user_id)
         where b.email = 'neu@test.example'`,
      )
      test('of the forest half’s admin becomes kundenadmin, of the drainage half’s a plain user', async () => {
        const add = call(`a_add_user('neu@test.example', client_id => ${w.A})`)
        expect(await as('ogf_admin', add, made)).toMatchObject({
          rows: [{ system_status: 'kundenadmin', rolle: 'kundenadmin' }],
        })
        for (const name of ['apus_admin', 'admin', 'appuser_admin'] as const)
          expect(await as(name, add, made)).toMatchObject({
            rows: [{ system_status: 'appuser', rolle: 'nutzer' }],
          })
        expect(await as('kundenadmin', add)).toMatchObject({ code: 'PT403' })
        expect(
          await as(
            'kundenadmin',
            call(`a_add_user('neu@test.example', client_id => ${w.A}, rolle => 'kundenadmin')`),
            made,
          ),
        ).toMatchObject({
          rows: [{ system_status: 'kundenadmin', rolle: 'kundenadmin' }],
        })
      })
      test('who was only registered is placed as what they became', async () => {
        const status = sql('select system_status from app.benutzer where user_id = $1', idOf('ogf_init'))
        const place = (role: string) =>
          call(`a_add_user_to_client(${idOf('ogf_init')}, ${w.A}, false, '${role}')`)
        expect(await as('ogf_admin', place('kundenadmin'), status)).toMatchObject({
          rows: [{ system_status: 'kundenadmin' }],
        })
        expect(await as('apus_admin', place('nutzer'), status)).toMatchObject({
          rows: [{ system_status: 'appuser' }],
        })
      })
    })
  })
