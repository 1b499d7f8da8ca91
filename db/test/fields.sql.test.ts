// The declared columns of a noun (domain/fields.ts) against the database: both must say the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERSON_INPUTS } from '#domain/benutzer-fields.ts'
import { columnsWith } from '#domain/fields.ts'
import { HQ_FIELDS, hqField } from '#domain/hq-fields.ts'
import { HQ_IMPORT_COLUMNS } from '#domain/import-fields.ts'
import { kundeField, KUNDE_INPUTS } from '#domain/kunde-fields.ts'
import { DECLARED, edgesOf, ROWS, TYPES } from './declared-tables.ts'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly insert: boolean
  readonly update: boolean
  /** What a new row gets, as an expression. */
  readonly initial: string | null
}
const STAMP = ['version', 'geaendert_am', 'geaendert_von']
const inOrder = (...names: readonly string[]) => names.toSorted()

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`declared fields on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await engine.owner.script(ROWS)
    })
    afterAll(() => engine?.close())
    const columnsOf = async (relation: string): Promise<readonly Column[]> =>
      (
        await engine.owner.query<Column>(
          `select attname as name, format_type(atttypid, null) as type, not attnotnull as nullable,
             has_column_privilege('nutzer', attrelid, attnum, 'insert') as insert,
             has_column_privilege('nutzer', attrelid, attnum, 'update') as update,
             pg_get_expr(adbin, adrelid) as initial
           from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
           where attrelid = 'app.${relation}'::regclass and attnum > 0 and not attisdropped`,
        )
      ).rows

    describe.each(DECLARED.map((table) => [table.name, table] as const))(
      'app.%s',
      (table, { fields, writes, view }) => {
        const inputs = columnsWith(fields, 'input')
        const declared = (keep: (name: string) => boolean) => Object.keys(fields).filter(keep).toSorted()
        const found = async (keep: (column: Column) => boolean) =>
          (await columnsOf(table))
            .filter(keep)
            .map(({ name }) => name)
            .toSorted()

        test('has the declared columns, with null where it is declared', async () => {
          expect(await found(() => true)).toEqual(declared(() => true))
          expect(await found(({ nullable }) => nullable)).toEqual(
            declared((name) => 'nullable' in fields[name]!),
          )
        })
        test('of the declared kinds', async () =>
          expect(
            await found(({ name, type }) => !TYPES[fields[name]?.kind ?? 'line'].includes(type)),
          ).toEqual([]))
        const { insert: given, update: changed } = writes ?? {}
        if (given)
          test('takes those of a new row from people that have an input', async () =>
            expect(await found(({ insert }) => insert)).toEqual(inOrder(...inputs, ...given)))
        if (changed)
          test('and changes of them', async () =>
            expect(await found(({ update }) => update)).toEqual(inOrder(...inputs, ...changed)))
        test('begins a row as the form does', async () => {
          const begun = Object.entries(fields).filter(([, { initial }]) => initial !== undefined)
          const all = await columnsOf(table)
          const expressionOf = (wanted: string) => all.find(({ name }) => name === wanted)?.initial
          expect(begun.map(([name]) => expressionOf(name)?.replace(/^'(.*)'::text$/, '$1'))).toEqual(
            begun.map(([, { initial }]) => String(initial)),
          )
        })
        if (view)
          test('is listed with all its inputs', async () => {
            const listed = (await columnsOf(view)).map(({ name }) => name)
            expect(inputs.filter((name) => !listed.includes(name))).toEqual([])
          })
        test('keeps in the history what is no stamp and not made of other columns', async () => {
          const { rows } = await engine.owner.query<{ name: string }>(
            `select jsonb_object_keys(neu) as name from app.verlauf where tabelle = '${table}' and aktion = 'neu'`,
          )
          expect(rows.map(({ name }) => name).toSorted()).toEqual(
            declared((name) => !('derived' in fields[name]!) && !STAMP.includes(name)),
          )
        })
        test('hands out all but what is made of other columns', async () => {
          const { rows } = await engine.owner.query<{ name: string }>(
            `select unnest(ohne) as name from privacy.tables() where relation = 'app.${table}'`,
          )
          expect(rows.filter(({ name }) => !('derived' in (fields[name] ?? {})))).toEqual([])
        })
        if (writes)
          test('takes what an input may be, and no more', async () => {
            for (const name of inputs) {
              const { right, wrong } = edgesOf(fields[name]!)
              const set = (value: string) =>
                engine.owner.query(`update app.${table} set "${name}" = ${value} where client_id = 901`)
              for (const value of right) await set(value)
              for (const value of wrong)
                await expect(set(value), `${name} = ${value}`).rejects.toMatchObject({
                  // Of a check, or longer than the column is.
                  code: expect.stringMatching(/^(?:23514|22003)$/) as string,
                })
            }
          })
      },
    )

    test('what rights, import and deletion know of a customer’s fields is what is declared', async () => {
      const { rows } = await engine.owner.query(
        "select feld, kind, laengste, missing, person, array_to_string(roles, ' ') as roles from rights.kunde_fields()",
      )
      expect(rows).toEqual(
        KUNDE_INPUTS.map((column) => {
          const { kind, longest, missing, privacy, changedBy = [] } = kundeField(column)
          return {
            feld: column,
            kind,
            laengste: longest,
            missing: missing === undefined ? null : `${column}_fehlt`,
            person: privacy === 'person',
            roles: changedBy.join(' '),
          }
        }),
      )
    })

    test('what the import knows of a headquarters’ fields is what is declared', async () => {
      const { rows } = await engine.owner.query('select * from forest.hq_fields()')
      expect(rows).toEqual(
        HQ_IMPORT_COLUMNS.map((column) => {
          const { kind, longest, initial = false } = hqField(column)
          return {
            feld: column,
            tabelle: column in HQ_FIELDS ? 'hq' : 'kunde_hq',
            kind,
            laengste: longest,
            vorgabe: kind === 'boolean' ? String(initial) : null,
          }
        }),
      )
    })

    test('a person’s inputs are what its procedure takes', async () => {
      const { rows } = await engine.owner.query<{ names: string }>(
        "select array_to_string(proargnames, ' ') as names from pg_proc where oid = 'app.a_update_user'::regproc",
      )
      expect(rows[0]?.names).toBe(['user_id', ...PERSON_INPUTS, 'version'].join(' '))
    })
  })
