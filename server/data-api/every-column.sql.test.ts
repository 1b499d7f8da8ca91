// What is written is stored, or it is refused: no column that the product publishes accepts a value and
// forgets it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from '../../db/test/world.ts'
import { VOLL } from '../../test/extent.ts'
import { openShop, type Response, type Shop } from './data-api.fixture.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly settable: boolean
  readonly insertable: boolean
}
interface Relation {
  readonly name: string
  readonly kind: string
  readonly key: readonly string[]
  readonly columns: readonly Column[]
}

const RELATIONS = `select json_build_object('name', c.relname, 'kind', c.relkind,
    'key', coalesce((select json_agg(a.attname) from pg_index i join pg_attribute a on a.attrelid = c.oid
    and a.attnum = any (i.indkey) where i.indrelid = c.oid and i.indisprimary),
      (select json_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum = 1)),
    'columns', (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
    'settable', has_column_privilege('nutzer', c.oid, a.attnum, 'update'),
        'insertable', has_column_privilege('nutzer', c.oid, a.attnum, 'insert')) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped))::text as relation
  from pg_class c
  where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'v', 'p')
    and has_table_privilege('nutzer', c.oid, 'select')
  order by c.relname`

const SHAPE = ['code', 'details', 'hint', 'message']
const OTHER_DAY = '2031-05-06'

/** Identities whose rights differ by column, and those with the most rights. */
const ASKING: readonly IdentityName[] = VOLL
  ? ROLE_NAMES
  : ['admin', 'kundenadmin', 'appuser_admin', 'ogf_fb_admin', 'apus_team']

/** A value of the type other than the present one. */
function otherThan(present: unknown, type: string): unknown {
  if (type === 'boolean') return present !== true
  if (type.startsWith('date')) return OTHER_DAY
  if (type.startsWith('timestamp')) return `${OTHER_DAY}T07:08:09+00:00`
  if (type.startsWith('json')) return { other: true }
  if (type.endsWith('[]')) return Array.isArray(present) && present.length > 0 ? [] : null
  if (type.startsWith('geometry')) return null
  if (/int|numeric|double|real/.test(type)) return Number(present ?? 0) + 2 // a version increments itself
  return typeof present === 'string' && present !== 'x' ? 'x' : 'y'
}
const isSame = (one: unknown, other: unknown, type: string): boolean =>
  type.startsWith('timestamp')
    ? Date.parse(String(one)) === Date.parse(String(other))
    : JSON.stringify(one) === JSON.stringify(other)

for (const engineName of enginesToday(import.meta.filename)) {
  describe.skipIf(isMissing(engineName))(`every column on ${engineName}`, () => {
    let engine: Engine
    let shop: Shop
    let relations: readonly Relation[]
    // The embedded engine is replaced after some hundreds of refusals, so there every third column stands for
    // all.
    const step = VOLL || engineName === 'postgres' ? 1 : 3
    const thinned = <T>(all: readonly T[]) => all.filter((_, i) => i % step === 0)
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const authenticate = (authorization = '') => {
        const name = authorization.replace(/^Bearer /, '') as IdentityName
        return { claimsJson: JSON.stringify(claimsOf(name)), person: name }
      }
      shop = await openShop(engine.api, {
        schemas: ['app'],
        role: 'nutzer',
        preRequest: CHECK_REQUEST,
        authenticate,
      })
      const { rows } = await engine.owner.query<{ relation: string }>(RELATIONS)
      relations = rows.map(({ relation }) => JSON.parse(relation) as Relation)
    })
    afterAll(async () => {
      await shop?.close()
      await engine?.close()
    })

    const isRefusal = ({ status, json }: Response) =>
      status >= 400 &&
      status < 500 &&
      JSON.stringify(Object.keys(json as object).sort()) === JSON.stringify(SHAPE)

    async function rowOf(
      { name, key }: Relation,
      as: string,
    ): Promise<{ row: Record<string, unknown>; at: string } | null> {
      const { json } = await shop.call(`/${name}?limit=1&order=${key.join()}`, { as })
      const row = Array.isArray(json) ? (json[0] as Record<string, unknown> | undefined) : undefined
      if (row === undefined) return null
      return {
        row,
        at: `/${name}?${key.map((column) => `${column}=eq.${encodeURIComponent(String(row[column]))}`).join('&')}`,
      }
    }

    test('a value that was accepted is the value of the row', async () => {
      const forgotten: unknown[] = []
      let set = 0
      for (const relation of relations) {
        for (const { name, type } of relation.columns.filter(({ settable }) => settable)) {
          for (const as of ASKING) {
            const found = await rowOf(relation, as)
            if (found === null) continue
            const sent = otherThan(found.row[name], type)
            const answer = await shop.call(found.at, {
              method: 'PATCH',
              as,
              body: { [name]: sent },
              headers: { Prefer: 'return=representation' },
            })
            if (isRefusal(answer)) continue
            const [after] = (answer.json ?? []) as Record<string, unknown>[]
            // No row: row security hid it from the change, and the answer says so.
            if (answer.status === 200 && after === undefined) continue
            if (answer.status === 200 && after !== undefined && isSame(after[name], sent, type)) set++
            else
              forgotten.push([relation.name, name, as, found.row[name], sent, answer.status, after?.[name]])
          }
        }
      }
      expect(forgotten).toEqual([])
      expect(set).toBeGreaterThan(150)
    }, 600_000)

    test('a column that nobody may set is refused: 403, 400 or, if the relation takes no changes, 405', async () => {
      const accepted: unknown[] = []
      let refused = 0
      for (const relation of relations) {
        const found = (await rowOf(relation, 'admin')) ?? {
          row: {},
          at: `/${relation.name}?${relation.key[0]}=is.null`,
        }
        for (const { name, type } of thinned(relation.columns.filter(({ settable }) => !settable))) {
          const other = otherThan(found.row[name], type)
          for (const value of VOLL ? [other, found.row[name] ?? null] : [other]) {
            const answer = await shop.call(found.at, {
              method: 'PATCH',
              as: 'admin',
              body: { [name]: value },
            })
            if (isRefusal(answer) && [400, 403, 405].includes(answer.status)) refused++
            else accepted.push([relation.name, name, value, answer.status, answer.text])
          }
        }
      }
      expect(accepted).toEqual([])
      expect(refused).toBeGreaterThan(500 / step)
    }, 600_000)

    test('the same of an insert: every value of a new row is in it, or it was refused', async () => {
      const forgotten: unknown[] = []
      let made = 0
      for (const relation of relations) {
        const insertable = relation.columns.filter((column) => column.insertable)
        for (const as of ASKING) {
          const found = insertable.length === 0 ? null : await rowOf(relation, as)
          if (found === null) continue
          // First the present row; then with another value in each column, in case that column caused the
          // first refusal.
          const alike = Object.fromEntries(insertable.map(({ name }) => [name, found.row[name]]))
          const rows = [
            alike,
            ...insertable.map(({ name, type }) => ({ ...alike, [name]: otherThan(alike[name], type) })),
          ]
          for (const row of rows) {
            const answer = await shop.call(`/${relation.name}`, {
              method: 'POST',
              as,
              body: row,
              headers: { Prefer: 'return=representation' },
            })
            if (isRefusal(answer)) continue
            const [after] = (answer.json ?? []) as Record<string, unknown>[]
            const lost = insertable.filter(
              ({ name, type }) => after === undefined || !isSame(after[name], row[name], type),
            )
            if (answer.status === 201 && lost.length === 0) made++
            else
              forgotten.push([
                relation.name,
                as,
                answer.status,
                lost.map(({ name }) => [name, row[name], after?.[name]]),
              ])
          }
        }
      }
      expect(forgotten).toEqual([])
      expect(made).toBeGreaterThan(20)
    }, 600_000)

    test('a column that a new row does not take is refused', async () => {
      const accepted: unknown[] = []
      for (const { name, columns } of relations) {
        for (const column of thinned(columns.filter(({ insertable }) => !insertable))) {
          const answer = await shop.call(`/${name}`, {
            method: 'POST',
            as: 'admin',
            body: { [column.name]: otherThan(null, column.type) },
          })
          if (!isRefusal(answer) || ![400, 403, 405].includes(answer.status))
            accepted.push([name, column.name, answer.status, answer.text])
        }
      }
      expect(accepted).toEqual([])
    }, 600_000)
  })
}
