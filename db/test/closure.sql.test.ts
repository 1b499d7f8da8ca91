// No one can extend their own rights: an identity of each role makes every call it may make, with its
// own and others' arguments. After each call that wrote something the test checks the identity's roles, whose
// people, customers and headquarters it has, and which rows of every relation it sees. Anything new must have
// been created by that very call. The full run (npm run test:voll) does so with every argument, and after the
// first calls of each procedure it also makes every other call of the matrix; the short run does that only if
// something grew. There a part of each procedure's calls stands for all, another one each day, and more of them
// where people and their links are changed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseFault, type Transaction } from '#server/database/database.ts'
import { ROLES } from '#domain/roles.ts'
import { DAY, VOLL } from '../../test/extent.ts'
import { asCaller, ENGINES, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld, PROCEDURES, RELATIONS } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, type IdentityName, numberOf, ROLE_NAMES } from './world.ts'

interface Call {
  readonly subject: string
  readonly text: string
  /** 'lage': what the identity is and sees, checked after every call; 'ruf': a call. */
  readonly part: 'lage' | 'ruf'
  /**
   * Query for all existing rows; any others were created. Without it, the answers to the identities of all roles
   * count.
   */
  readonly all?: string
}
/** SQLSTATE, or the rows as digests. */
interface Outcome {
  readonly code?: string
  readonly rows?: readonly string[]
}
const REFUSED = new Set(['42501', 'PT403', 'PT404'])
const isDone = ({ code, rows }: Outcome): boolean => code === undefined && (rows?.length ?? 0) > 0

/** Changes people and their links. */
const GIVES = /user|kunde_rolle|system_status|hq_status|link/

/** What may follow, and why: the name of the call made, then of what it opened. */
const ALLOWED: readonly (readonly [first: RegExp, second: RegExp, why: string])[] = [
  [
    /^__o_connect_user_to_hq$/,
    /^(people|benutzer|nutzer_liste|verlauf|a_set_hq_status|__o_get_hqs_from_user|__o_disconnect_user_from_hq)$/,
    'who connects a person to their headquarters, by name and number, sees and administers that link',
  ],
  [
    /^a_add_user_to_client$/,
    /^(a_remove_user_from_client|a_set_kunde_rolle)$/,
    'who connects a person to a customer administers that link; whom one may connect is a cell of the matrix',
  ],
  [
    /./,
    /^__o_get_(?:desk|news)$/,
    'a summary of what one sees, which is compared row by row; who sees less has the summary of those with less',
  ],
  [
    /^a_set_system_status$/,
    /^rollen$/,
    'an admin by flag who lays the base role down keeps the plain one of the half; no call follows from it',
  ],
]

/**
 * A statement's rows as digests. A count of nothing and an empty list are no rows: they are what less sight
 * answers.
 */
const asDigests = (text: string): string =>
  `select coalesce(jsonb_agg(left(md5(q::text), 12)), '[]') from (${text}) q
   where not q is null and q::text not in ('(0)', '([])', '({})')`
const isRead = (text: string): boolean => /^\s*select/i.test(text)

/**
 * Runs each statement in a subtransaction that is rolled back; of writes it returns only whether any row
 * changed. What is asked after every call is a separate function, so that its plan is made once.
 */
const RUNNER = `create schema if not exists closure; grant usage on schema closure to nutzer;
  create table closure.call (who text, nr integer, part text, text text, primary key (who, nr));
  grant select on closure.call to nutzer;
  create function closure.run(who text, part text) returns jsonb language plpgsql
    set search_path = public, pg_catalog as $$
  declare one record; got jsonb; counted bigint; all_of jsonb := '{}';
  begin
    for one in
      select c.nr, c.part, c.text from closure.call c
      where c.who = run.who and c.part = run.part order by c.nr
    loop
      begin
        if one.part = 'lage' then
          execute format('select closure.lage_%s()', one.nr) into got;
        elsif one.text ~* '^\\s*select' then
          execute one.text into got;
        else
          execute one.text;
          get diagnostics counted = row_count;
          got := case when counted > 0 then '["changed"]' else '[]' end;
        end if;
        raise sqlstate 'ZZ001';
      exception when sqlstate 'ZZ001' then all_of := all_of || jsonb_build_object(one.nr, got);
        when others then all_of := all_of || jsonb_build_object(one.nr, sqlstate);
      end;
    end loop;
    return all_of;
  end $$;
  grant execute on function closure.run(text, text) to nutzer;`

/**
 * What a person is and whose people and data they have: everything the policies ask. Being newly registered
 * grants nothing.
 */
const SITUATION: readonly Call[] = (
  [
    [
      'rollen',
      'rights.roles()',
      `unnest('{${ROLES.filter((role) => role !== 'ogf_init').join(',')}}'::text[])`,
    ],
    ['people', 'rights.people()', 'user_id from app.benutzer'],
    ...['kundenadmin', 'appuser', 'appuser_admin'].map(
      (role) => [`kunden als ${role}`, `rights.kunden_as('${role}')`, 'client_id from app.kunde'] as const,
    ),
    ['kataster', 'maps.kataster_kunden()', 'client_id from app.kunde'],
    ...['rights.hqs_as()', `rights.hqs_as('hq_admin')`, 'forest.active_hqs()', 'forest.hqs_with_fe()'].map(
      (call) => [call, call, '"idHQ" from app.hq'] as const,
    ),
  ] as const
).map(([subject, list, all]) => ({
  subject,
  text: `select unnest(${list})`,
  part: 'lage',
  all: `select ${all}`,
}))

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `'{${value.join(',')}}'`
  return `'${String(value).replaceAll("'", "''")}'`
}
const inlined = ({
  text,
  values = [],
}: {
  readonly text: string
  readonly values?: readonly unknown[]
}): string => text.replaceAll(/\$(\d+)/g, (_whole, nr: string) => literal(values[Number(nr) - 1]))

const cellsOf = (me: number): Call[] =>
  Object.entries({ ...RELATIONS, ...PROCEDURES }).flatMap(([subject, cells]) =>
    cells.map(({ call }) => ({ subject, text: inlined(call(me)), part: 'ruf' as const })),
  )

/** Possible values for an argument of this name, for the calling person. */
function candidates(name: string, type: string, me: number): readonly string[] {
  const people = [me, w.COLLEAGUE, w.STRANGER]
  if (name === 'user_id' || name === 'person') return people.map(String)
  if (name === 'username') return people.map((one) => literal(w.usernameOf(one)))
  if (name === 'mail' || name === 'email') return [literal(w.usernameOf(me)), `'neu@test.example'`]
  if (name === 'client_id') return [w.A, w.B].map(String)
  if (['hqid', 'hq_id', 'idHQ'].includes(name)) return [w.A1, w.A2, w.B1].map(String)
  if (name === 'rolle') return [`'admin'`, `'kundenadmin'`, `'nutzer'`]
  if (name === 'system_status')
    return [
      'ogf_standard',
      'ogf_team',
      'ogf_admin',
      'kundenadmin',
      'appuser',
      'apus_team',
      'apus_admin',
      'admin',
    ].map(literal)
  if (name === 'hq_status') return [`'{hq_admin}'`, `'{hq_user}'`]
  if (name === 'modul') return [`'fe'`, `'basis_fe'`, `'kawm'`]
  if (name === 'status') return [`'aktiv'`]
  if (type === 'boolean') return ['true']
  if (type === 'date') return ['current_date']
  if (type === 'jsonb') return [`'{}'`]
  if (type.endsWith('[]')) return [`'{}'`]
  return type === 'text' ? [`'x'`] : ['1']
}
const PERSONAL = ['user_id', 'username', 'client_id', 'hqid', 'hq_id', 'idHQ', 'mail', 'email']

interface Routine {
  readonly name: string
  readonly args: readonly { readonly name: string; readonly type: string }[]
}
function combinationsOf(routine: Routine, me: number): Call[] {
  let all: readonly (readonly string[])[] = [[]]
  for (const { name, type } of routine.args)
    all = all.flatMap((head) => candidates(name, type, me).map((one) => [...head, one]))
  return all
    .filter((values) => {
      // A name that does not match the id is refused first anyway.
      const [id, name] = [
        routine.args.findIndex((one) => one.name === 'user_id'),
        routine.args.findIndex((one) => one.name === 'username'),
      ]
      return id < 0 || name < 0 || literal(w.usernameOf(Number(values[id]))) === values[name]
    })
    .map((values) => ({
      subject: routine.name,
      text: `select *
        from app.${routine.name}(${values.map((value, at) => `"${routine.args[at]!.name}" => ${value}`).join(', ')})`,
      part: 'ruf' as const,
    }))
}

/** The calls of each procedure, beginning with another one each day, and how many that write stand for all. */
const firstsToday = (calls: readonly Call[]): { readonly first: Call; readonly most: number }[] =>
  [...Map.groupBy(calls, ({ subject }) => subject)].flatMap(([subject, same]) => {
    const most = GIVES.test(subject) ? Math.max(2, same.length / 8) : 1
    return same.map((_, at) => ({ first: same[(at + DAY) % same.length]!, most }))
  })

class UndoError extends Error {}

/** One statement makes every call of the matrix, so a request's 15 s are not its measure on a busy machine. */
const ROUND_MS = 240_000

for (const engineName of VOLL ? ENGINES : (['postgres'] as const))
  describe.skipIf(isMissing(engineName))(`what follows a call on ${engineName}`, () => {
    // Every pair takes the embedded engine hours; there the whole run asks what every run asks of PostgreSQL.
    const atLength = VOLL && engineName === 'postgres'
    let engine: Engine
    let routines: Routine[] = []
    let reads: Call[] = []
    /** All rows of a relation, or all answers of a call to any of them. */
    const known = new Map<string, Set<string>>()
    const baseline = new Map<IdentityName, ReadonlyMap<number, Outcome>>()
    const calls = new Map<IdentityName, readonly Call[]>()

    const undone = async <T>(
      name: IdentityName,
      work: (tx: Transaction) => Promise<T>,
    ): Promise<T | null> => {
      let answer: T | null = null
      try {
        await engine.api.transaction({ ...asCaller(claimsOf(name)), timeoutMs: ROUND_MS }, async (tx) => {
          answer = await work(tx)
          throw new UndoError()
        })
      } catch (error) {
        if (!(error instanceof UndoError) && !(error instanceof DatabaseFault)) throw error
      }
      return answer
    }
    async function outcomes(
      tx: Transaction,
      name: IdentityName,
      part: Call['part'],
    ): Promise<ReadonlyMap<number, Outcome>> {
      const { rows } = await tx.query<{ all: string }>(
        sql('select closure.run($1, $2)::text as all', name, part),
      )
      const found = Object.entries(JSON.parse(rows[0]!.all) as Record<string, string | string[]>)
      return new Map(
        found.map(([nr, one]) => [Number(nr), typeof one === 'string' ? { code: one } : { rows: one }]),
      )
    }

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(RUNNER)
      routines = (
        await engine.owner.query<{ name: string; args: string }>(
          `select p.proname as name, (select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'type',
           format_type(a.type, null)) order by a.nr), '[]')::text
             from unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) with ordinality as a(name, type, nr)) as args
           from pg_proc p where p.pronamespace = 'app'::regnamespace
             and has_function_privilege('nutzer', p.oid, 'execute') order by 1`,
        )
      ).rows.map(({ name, args }) => ({ name, args: JSON.parse(args) as Routine['args'] }))
      const relations = (
        await engine.owner.query<{ name: string; columns: string; keys: string | null }>(
          `select c.relname as name, string_agg(quote_ident(a.attname), ',' order by a.attnum) as columns,
             (select string_agg(quote_ident(k.attname), ',' order by k.attnum) from pg_index i
              join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey) where i.indrelid = c.oid
              and i.indisprimary) as keys
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and has_column_privilege('nutzer', c.oid, a.attnum, 'select')
           where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'v') group by c.oid, c.relname order by 1`,
        )
      ).rows
      reads = relations.map(({ name, columns, keys }) => {
        const text = `select ${keys ?? columns} from app.${name}`
        return { subject: name, text, part: 'lage', ...(keys !== null && { all: text }) }
      })
      await engine.owner.script('set role forst_betrieb')
      for (const { text, all } of [...SITUATION, ...reads])
        if (all !== undefined) {
          const { rows } = await engine.owner.query<{ d: string }>(
            `select left(md5(q::text), 12) as d from (${all}) q`,
          )
          known.set(text, new Set(rows.map(({ d }) => d)))
        }
      await engine.owner.script('reset role')
      const situation = [...SITUATION, ...reads]
      for (const [nr, { text }] of situation.entries())
        await engine.owner.script(`create function closure.lage_${nr}() returns jsonb language plpgsql as
          $$ declare got jsonb; begin got := (${asDigests(text)}); return got; end $$`)
      for (const name of ROLE_NAMES) {
        const me = numberOf(name)
        const own = routines
          .filter(({ args }) => args.some((arg) => PERSONAL.includes(arg.name)))
          .flatMap((routine) => combinationsOf(routine, me))
        const all = [...situation, ...cellsOf(me), ...own]
        calls.set(name, all)
        await engine.owner.query(
          `insert into closure.call (who, nr, part, text) select $1, (c ->> 0)::integer, c ->> 1, c ->> 2
           from jsonb_array_elements($2::jsonb) c`,
          [
            name,
            JSON.stringify(
              all.map(({ text, part }, nr) => [nr, part, isRead(text) ? asDigests(text) : text]),
            ),
          ],
        )
        const seen = await undone(name, (tx) => outcomes(tx, name, 'lage'))
        const answers = await undone(name, (tx) => outcomes(tx, name, 'ruf'))
        if (seen === null || answers === null) throw new Error(`${name}: the calls did not end`)
        baseline.set(name, new Map([...seen, ...answers]))
      }
      for (const [name, all] of calls)
        for (const [nr, call] of all.entries())
          if (call.all === undefined) {
            const seen = known.get(call.text) ?? new Set()
            for (const row of baseline.get(name)!.get(nr)!.rows ?? []) seen.add(row)
            known.set(call.text, seen)
          }
    }, 900_000)
    afterAll(() => engine?.close())

    /** What the person can see or do now but not before, and that the call did not create. */
    function grown(name: IdentityName, after: ReadonlyMap<number, Outcome>): Call[] {
      const before = baseline.get(name)!
      return calls.get(name)!.filter((call, nr) => {
        const [was, is] = [before.get(nr)!, after.get(nr)]
        if (is === undefined || !isDone(is)) return false
        if (was.code !== undefined && REFUSED.has(was.code)) return true
        const old = new Set(was.rows)
        return is.rows!.some((row) => !old.has(row) && known.get(call.text)?.has(row))
      })
    }

    for (const name of ROLE_NAMES)
      test(`${name}: what one may see or do grows by nothing but what one made`, {
        timeout: 1_200_000,
      }, async () => {
        const all = calls.get(name)!
        const before = baseline.get(name)!
        const found: string[] = []
        const begun = new Map<string, number>()
        const done = all.filter(({ part }, nr) => part !== 'lage' && isDone(before.get(nr)!))
        for (const { first, most } of firstsToday(done)) {
          const count = begun.get(first.subject) ?? 0
          if (!atLength && count >= most) continue
          // Whose arguments differ, differ in what they see; what they may do then does not.
          const isAmongFirst = count < 2
          const opened = await undone(name, async (tx) => {
            await tx.query(sql(first.text))
            const { rows } = await tx.query<{ wrote: boolean }>(
              sql('select pg_current_xact_id_if_assigned() is not null as wrote'),
            )
            if (!rows[0]?.wrote) return null
            const situation = await outcomes(tx, name, 'lage')
            // After giving up a role, many calls answer less, as for everyone without it; check only what
            // they see.
            const [roles] = situation.values()
            const laidDown = before.get(0)!.rows!.some((role) => !roles?.rows?.includes(role))
            if (laidDown) return grown(name, situation).filter(({ subject }) => subject !== 'rollen')
            const more = grown(name, situation)
            return (atLength && isAmongFirst) || more.length > 0
              ? [...more, ...grown(name, await outcomes(tx, name, 'ruf'))]
              : more
          })
          if (opened === null) continue
          begun.set(first.subject, count + 1)
          for (const second of opened)
            if (!ALLOWED.some(([made, allowed]) => made.test(first.subject) && allowed.test(second.subject)))
              found.push(`${first.text.slice(0, 200)} opens ${second.subject}: ${second.text.slice(0, 200)}`)
        }
        expect(begun.size).toBeGreaterThan(0)
        expect(found).toEqual([])
      })
    test('every role is asked', () => expect([...calls.keys()]).toEqual(ROLE_NAMES))
  })
