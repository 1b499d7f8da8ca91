// An owner as README.md makes one, on the embedded engine: PostgreSQL 18, whose memberships differ from 15's.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from './migrate.ts'

const OPTIONS = { folder: join(import.meta.dirname, '../../db'), log: silentLog, now: () => new Date() }

/** What the server works as: the owner switches to the first two, forst_api to the others. */
const ROLES = {
  forst: ['forst_definer', 'forst_betrieb'],
  forst_api: ['nutzer', 'programm', 'forst_idp', 'forst_dokument', 'forst_karte'],
}

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  await database.close()
  rmSync(database.folder, { recursive: true, force: true })
})

const as = <T>(login: string, work: (owner: OwnerConnection) => Promise<T>): Promise<T> =>
  database.asOwner(async (owner) => {
    await owner.script(`set session authorization ${login}`)
    try {
      return await work(owner)
    } finally {
      await owner.script('rollback; reset session authorization')
    }
  })

test('an owner that may only create roles sets up the product, twice alike', async () => {
  await database.asOwner((owner) =>
    owner.script(`create extension postgis;
      create role forst login createrole;
      do $$ begin execute format('alter database %I owner to forst', current_database()); end $$`),
  )
  expect((await as('forst', (owner) => migrate(owner, OPTIONS))).nounsApplied).toBe(true)
  await database.asOwner((owner) => owner.script('delete from betrieb.nomen'))
  expect(await as('forst', (owner) => migrate(owner, OPTIONS))).toEqual({ applied: [], nounsApplied: true })
})

test.each(Object.entries(ROLES))('%s works as each of its roles', (login, roles) =>
  as(login, async (owner) => {
    for (const role of roles) {
      await owner.script(`begin; set local role ${role}`)
      const { rows } = await owner.query('select current_user::text as who')
      expect(rows).toEqual([{ who: role }])
      await owner.script('rollback')
    }
  }),
)

test('the owner has the rights of its roles, forst_api none of them', async () => {
  const { rows } = await database.asOwner((owner) =>
    owner.query(
      `select m.name, r.role, pg_has_role(m.name, r.role, 'usage') as has
        from (values ('forst', array['forst_definer', 'forst_betrieb']),
          ('forst_api', array['nutzer', 'programm', 'forst_idp']), ('programm', array['nutzer'])) m (name, roles),
          unnest(m.roles) r (role)
        order by 1, 2`,
    ),
  )
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['forst', 'forst_betrieb', true],
    ['forst', 'forst_definer', true],
    ['forst_api', 'forst_idp', false],
    ['forst_api', 'nutzer', false],
    ['forst_api', 'programm', false],
    ['programm', 'nutzer', true],
  ])
})
