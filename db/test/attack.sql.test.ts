// Every identity attacks an issued invoice, with every verb on every bookkeeping table and with every
// procedure that changes them: refused, recorded, and not one byte changed. Tables and procedures come from
// the catalogue, so new ones are included automatically; on both engines.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { noteRefusal } from '#server/refusals.ts'
import { ANGEBOT_A } from './cells/buchhaltung.ts'
import { UMSATZ } from './cells/zahlung.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from './world.ts'

const TODAY = officeDay(new Date())
const EVERYBODY: readonly IdentityName[] = [...ROLE_NAMES, 'cut_by_ceiling', 'unknown', 'nobody']
/** `cut_by_ceiling` is one in the database, whatever its token allows. */
const PROVIDERS: ReadonlySet<string> = new Set(['ogf_admin', 'ogf_team', 'apus_team', 'cut_by_ceiling'])
const BOOKKEEPERS: ReadonlySet<string> = new Set(['apus_admin', 'admin'])
/** Without a person nothing can be recorded; the server answers them 401 before it asks the database. */
const NAMELESS: ReadonlySet<string> = new Set(['unknown', 'nobody'])

/**
 * What others are allowed to do: customers' admins decide an offer, the provider's admins delete data of
 * people and customers.
 */
const OTHERS_MAY: Readonly<Record<string, string>> = {
  __o_decide_offer: 'kundenadmin appuser_admin',
  a_delete_kunde_daten: 'ogf_admin',
  a_delete_person_daten: 'ogf_admin',
  a_add_pruefung_export: 'pruefer',
  a_add_datev_belege: 'pruefer',
}
/** Change what they are given; for an issued invoice they name the rule. */
const FIXED = [
  'a_delete_invoice',
  'a_delete_position',
  'a_insert_position',
  'a_issue_invoice',
  'a_reorder_positions',
  'a_save_positions',
  'a_set_client_for_invoice',
  'a_set_invoice_terms',
  'a_update_invoice_details',
  'a_update_position',
]

const BOOKS = [
  'rechnung',
  'angebot',
  'position',
  'dokument',
  'protokoll',
  'nummernkreis',
  'lieferant',
  'kunde_rechnung',
  'zahlung',
  'kontoumsatz',
  'mahnung',
  'versand',
  'sepa_mandat',
  'sepa_lauf',
  'sepa_posten',
  'eingang_zahlung',
  'zahllauf',
  'zahlposten',
]

interface Routine {
  readonly name: string
  readonly arguments: readonly { readonly name: string; readonly type: string }[]
}
interface Refused {
  readonly code: string
  readonly hint: string | null
  readonly detail: string | null
}
interface Outcome {
  readonly refused: Refused | null
  readonly unchanged: boolean
}
interface Entry {
  readonly user_id: number
  readonly vorgang: string
  readonly code: string
}
interface Tried {
  attack(text: string, values?: readonly unknown[]): Promise<Outcome>
  /** What the server does after a refusal; null if nothing was recorded. */
  written(kind: 'call' | 'insert' | 'update' | 'delete', of: string, refused: Refused): Promise<Entry | null>
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`attacks on ${engineName}`, () => {
    let engine: Engine
    let routines: Routine[]
    let tables: { name: string; columns: string[] }[]
    let invoice = 0
    let line = 0
    let before = ''
    const session = <T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> =>
      'asOwner' in engine.api ? (engine.api as EmbeddedDatabase).asOwner(work) : work(engine.owner)

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const run = async (text: string, ...values: unknown[]) =>
        Number(
          Object.values(
            (
              await engine.api.once<Record<string, unknown>>(
                asCaller(claimsOf('apus_admin')),
                sql(text, ...values),
              )
            ).rows[0]!,
          )[0],
        )
      invoice = await run(`select app.a_add_invoice(${w.A}, $1, $1, 19)`, TODAY)
      await run(
        `select 1
         from app.a_save_positions('[{"bez": "Vermessung", "anzahl": "2.5", "einheit": "h", "ep": "80.50"}]', $1)`,
        invoice,
      )
      await run('select 1 from app.a_issue_invoice($1)', invoice)
      line = await run('select id from app.a_get_invoice_positions($1)', invoice)
      await engine.api.once(
        { role: 'forst_dokument' },
        sql(
          `insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256)
           values (${w.A}, $1, 'pdf', 'r.pdf', 'Inhalt'::bytea, encode(sha256('Inhalt'::bytea), 'hex'))`,
          invoice,
        ),
      )
      routines = (
        await engine.owner.query<{ name: string; args: string }>(
          `select p.proname as name, (select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'type',
           format_type(a.type, null)) order by a.nr), '[]')::text
             from unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) with ordinality as a(name, type, nr)) as args
           from pg_proc p where books.is_call(p.proname) and p.pronamespace = 'app'::regnamespace
             and has_function_privilege('nutzer', p.oid, 'execute') order by 1`,
        )
      ).rows.map(({ name, args }) => ({ name, arguments: JSON.parse(args) as Routine['arguments'] }))
      tables = (
        await engine.owner.query<{ name: string; columns: string }>(
          `select c.relname as name, (select string_agg(quote_ident(a.attname), ',' order by a.attnum)
           from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           and a.attgenerated = '') as columns
           from pg_class c where c.relnamespace = 'app'::regnamespace and books.is_table(c.relname) order by 1`,
        )
      ).rows.map(({ name, columns }) => ({ name, columns: columns.split(',') }))
      before = await session(digest)
    })
    afterAll(() => engine?.close())

    /** Row, lines and files, to the byte; whether it is archived is not part of the document. */
    async function digest(owner: OwnerConnection): Promise<string> {
      const { rows } = await owner.query<{ text: string }>(
        `select concat_ws('|', (select (to_jsonb(r) - '{archiviert,version,geaendert_am,geaendert_von}'::text[])::text
         from app.rechnung r where r.id = $1),
           (select string_agg(to_jsonb(p)::text, ',' order by p.id) from app.position p where p.rechnung_id = $1),
           (select string_agg(to_jsonb(d)::text, ',' order by d.id) from app.dokument d
            where d.rechnung_id = $1)) as text`,
        [invoice],
      )
      return rows[0]!.text
    }
    const become = (name: IdentityName) => {
      const claims = claimsOf(name)
      return `select set_config('request.jwt.claims', '${claims === null ? '' : JSON.stringify(claims)}', true);
        set local role nutzer`
    }
    const faultOf = (error: unknown): Refused => {
      if (!(error instanceof DatabaseFault)) throw error
      return { code: error.code, hint: error.hint ?? null, detail: error.detail ?? null }
    }

    /** Attacks as this person, one after another, each rolled back. */
    const asPerson = (name: IdentityName, work: (tried: Tried) => Promise<void>): Promise<void> =>
      session(async (owner) => {
        await owner.script('begin')
        const takenBack = async <T>(act: () => Promise<T>): Promise<T> => {
          await owner.script(`savepoint davor; ${become(name)}`)
          const value = await act()
          await owner.script('rollback to davor; release davor')
          return value
        }
        try {
          await work({
            attack: (text, values = []) =>
              takenBack(async () => {
                try {
                  await owner.query(text, [...values])
                } catch (error) {
                  return { refused: faultOf(error), unchanged: true }
                }
                await owner.script('reset role')
                return { refused: null, unchanged: (await digest(owner)) === before }
              }),
            async written(kind, of, refused) {
              const statement = noteRefusal({ kind, name: of, ...refused })
              if (statement === null) return null
              return takenBack(async () => {
                await owner.query(statement.text, [...(statement.values ?? [])])
                await owner.script('reset role')
                const { rows } = await owner.query<Entry>(
                  `select user_id, inhalt ->> 'vorgang' as vorgang, inhalt ->> 'code' as code
                   from app.protokoll where ereignis = 'verweigert' order by nr desc limit 1`,
                )
                return rows[0] ?? null
              })
            },
          })
        } finally {
          await owner.script('rollback')
        }
      })
    const entryOf = (name: IdentityName, act: string, { code, hint }: Refused) =>
      NAMELESS.has(name)
        ? null
        : { user_id: w.numberOf(name), vorgang: act, code: hint === 'ausgestellt' ? hint : code }

    /** By name where the name says what is meant, otherwise by type. */
    function argumentsOf({ name, arguments: list }: Routine): { text: string; values: unknown[] } {
      const ofInvoice = list.some((argument) => ['invoice_id', 'rechnung_id'].includes(argument.name))
      const byName: Readonly<Record<string, unknown>> = {
        invoice_id: invoice,
        rechnung_id: invoice,
        angebot_id: ofInvoice ? null : ANGEBOT_A,
        offer_id: ANGEBOT_A,
        position_id: line,
        id: name === 'a_update_position' ? line : invoice,
        umsatz_id: name === 'a_add_payment' ? null : UMSATZ,
        client_id: w.A,
        version: null,
        positionen: name === 'a_reorder_positions' ? `{${line}}` : null,
        art:
          { a_add_payment: 'zahlung', a_insert_position: null, a_update_position: null }[name] ?? 'rechnung',
        kategorie: null,
        skonto: null,
        format: null,
        status: null,
        user_id: w.COLLEAGUE,
      }
      const byType: Readonly<Record<string, unknown>> = {
        bigint: invoice,
        integer: 1,
        numeric: '1',
        text: 'x',
        date: TODAY,
        boolean: true,
        jsonb: '{}',
        'bigint[]': `{${invoice}}`,
      }
      const json = { a_save_positions: '[]', a_import_bank: '[]' }[name]
      const values = list.map((argument) => {
        if (argument.type === 'jsonb' && json !== undefined) return json
        return argument.name in byName && !(argument.name === 'skonto' && argument.type === 'boolean')
          ? byName[argument.name]
          : (byType[argument.type] ?? null)
      })
      return {
        text: list.map((argument, at) => `${argument.name} => $${at + 1}::${argument.type}`).join(', '),
        values,
      }
    }

    test('the tables and procedures of the books are found', () => {
      expect(routines.map(({ name }) => name)).toEqual(
        expect.arrayContaining([...FIXED, 'a_cancel_invoice', 'a_add_payment', 'a_send_beleg']),
      )
      expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining([...BOOKS]))
    })
    test('nobody may write a column of them by hand: people are one database role without a grant', async () => {
      const { rows } = await engine.owner.query(
        `select c.relname from pg_class c cross join unnest('{INSERT,UPDATE}'::text[]) verb
         where c.oid = any ($1::regclass[]) and has_any_column_privilege('nutzer', c.oid, verb)
         union select c.relname from pg_class c
           where c.oid = any ($1::regclass[]) and has_table_privilege('nutzer', c.oid, 'DELETE, TRUNCATE')`,
        [`{${tables.map(({ name }) => `app.${name}`).join(',')}}`],
      )
      expect(rows).toEqual([])
    })
    describe.each(EVERYBODY)('%s', (name) => {
      test('writes none of the tables by hand', () =>
        asPerson(name, async ({ attack, written }) => {
          for (const { name: table, columns } of tables)
            for (const [kind, text] of [
              ['insert', `insert into app.${table} default values on conflict do nothing`],
              ['update', `update app.${table} set ${columns[0]} = default`],
              ['delete', `delete from app.${table}`],
            ] as const) {
              const { refused } = await attack(text)
              expect([text, refused?.code]).toEqual([text, '42501'])
              expect([text, await written(kind, table, refused!)]).toEqual([
                text,
                entryOf(name, `${kind} ${table}`, refused!),
              ])
            }
        }))
      test('changes nothing of it by any procedure', () =>
        asPerson(name, async ({ attack, written }) => {
          for (const routine of routines) {
            const { text, values } = argumentsOf(routine)
            const statement = `select * from app.${routine.name}(${text})`
            const { refused, unchanged } = await attack(statement, values)
            const said = [statement, refused?.code ?? 'done', refused?.hint ?? null]
            expect([statement, unchanged]).toEqual([statement, true])
            if (!BOOKKEEPERS.has(name) && OTHERS_MAY[routine.name]?.split(' ').includes(name) !== true)
              // The provider's people see why they cannot answer an offer themselves.
              expect(said).toEqual([
                statement,
                expect.stringMatching(/^(?:PT403|42501)$/),
                routine.name === '__o_decide_offer' && PROVIDERS.has(name) ? 'anbieter_entscheidet' : null,
              ])
            else if (FIXED.includes(routine.name)) expect(said).toEqual([statement, 'PT409', 'ausgestellt'])
            // Other refusals name their rule, or find nothing.
            else if (refused?.hint === null)
              expect(said).toEqual([statement, expect.stringMatching(/^(?:PT403|PT404|23502)$/), null])
            if (
              refused !== null &&
              (refused.hint === 'ausgestellt' || ['PT403', '42501'].includes(refused.code))
            )
              expect([statement, await written('call', routine.name, refused)]).toEqual([
                statement,
                entryOf(name, routine.name, refused),
              ])
          }
        }))
    })

    test('after all of that it is what it was, and the chain holds', async () => {
      expect(await session(digest)).toBe(before)
      const { rows } = await engine.api.once(
        asCaller(claimsOf('apus_admin')),
        sql('select ok from app.a_check_protokoll()'),
      )
      expect(rows).toEqual([{ ok: true }])
    })
    test('of calls that do not touch the books nothing is written down', () =>
      asPerson('appuser', async ({ written }) =>
        expect(
          await written('call', 'a_set_user_flags', { code: 'PT403', hint: null, detail: null }),
        ).toBeNull(),
      ))
  })
