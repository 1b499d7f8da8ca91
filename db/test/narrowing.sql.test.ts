// Narrowing a read leaves no row out, for any caller and any search.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEY_GROUPS } from '#domain/zugang.ts'
import type { Context } from '#server/database/database.ts'
import { insertKey } from './cells/zugang.ts'
import { attempt, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { A, claimsOf, type IdentityName, ISS, NAMES, numberOf } from './world.ts'

const PATTERNS = [
  '%kunde%',
  '%forst%',
  '%revier%',
  '%plan%',
  '%re-%',
  '%wald%',
  '%zirbelnuss%',
  '%harvester%',
  '%2026-000%',
  '%0001,%',
  '%de0%',
  '%a b%',
  '%ab%',
]

interface Given {
  readonly column: string
  readonly operator: 'in' | 'gt' | 'gte' | 'lt' | 'lte'
  readonly values: readonly string[]
}
interface Question {
  readonly patterns?: readonly string[]
  readonly given?: readonly Given[]
}
const SIGN = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const more = (column: string, operator: keyof typeof SIGN, value: string): Given => ({
  column,
  operator,
  values: [value],
})
const GIVEN: readonly (readonly [relation: string, ...Given[]])[] = [
  ...['entwurf', 'offen', 'ueberfaellig', 'teilbezahlt', 'storno', 'storniert', 'korrektur', 'bezahlt'].map(
    (stand) => ['rechnung_liste', { column: 'stand', operator: 'in', values: [stand] }] as const,
  ),
  ['rechnung_liste', { column: 'stand', operator: 'in', values: ['entwurf', 'bezahlt'] }],
  ['rechnung_liste', more('brutto', 'gte', '100'), more('brutto', 'lte', '500')],
  ['rechnung_liste', more('offen', 'gt', '0')],
  ['rechnung_liste', more('offen', 'gte', '0')],
  ['rechnung_liste', more('offen', 'gt', '-5'), more('offen', 'lt', '5')],
  ['rechnung_liste', more('offen', 'gt', '-0.001')],
  ['rechnung_liste', more('offen', 'gt', '-0.01')],
  ['rechnung_liste', more('offen', 'gte', '-0.001')],
  ['rechnung_liste', more('offen', 'lt', '100')],
  ['rechnung_liste', more('offen', 'gt', '10'), more('brutto', 'lt', '500')],
  ['angebot_liste', more('brutto', 'gt', '50')],
  ...['nicht', 'wartet', 'gesendet', 'fehlgeschlagen'].map(
    (state) => ['rechnung_liste', { column: 'versand', operator: 'in', values: [state] }] as const,
  ),
  ...['neu', 'freigegeben', 'ueberfaellig', 'abgelehnt', 'bezahlt'].map(
    (stand) => ['eingang_liste', { column: 'stand', operator: 'in', values: [stand] }] as const,
  ),
  ['eingang_liste', { column: 'stand', operator: 'in', values: ['neu', 'ueberfaellig'] }],
  ['eingang_liste', more('brutto', 'gte', '100'), more('brutto', 'lte', '500')],
  ...['offen', 'teilweise', 'zugeordnet', 'abgelegt'].map(
    (stand) => ['kontoumsatz_liste', { column: 'stand', operator: 'in', values: [stand] }] as const,
  ),
  ['kontoumsatz_liste', { column: 'stand', operator: 'in', values: ['offen', 'teilweise'] }],
  ['kontoumsatz_liste', more('betrag', 'gte', '10'), more('betrag', 'lte', '500')],
  ['kunde_mitglieder', more('team', 'gt', '0')],
  ['kunde_mitglieder', more('team', 'gte', '0')],
]

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`narrowing on ${engineName}`, () => {
    let engine: Engine
    let relations: string[]
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      // So many that the hundredth part of them is looked for by index, and one that stands alone.
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.kunde (client_id, name, strasse, plz, ort)
          select 5000 + i, case i when 7 then 'Einzeln Wald' else 'Nummer ' || i end, 'Weg', '04109', 'Leipzig'
          from generate_series(1, 1200) i;
        insert into app.kartenblatt (client_id, map_name, epsg) values (5007, 'Blatt eins', 25833),
          (1, 'Einzeln gezeichnet', 25833);
        insert into app.hq (client_id, "sHQ") values (5007, 'Nordteil');
        commit`)
      const { rows } = await engine.owner.query<{ name: string }>('select unnest(search.narrowed()) as name')
      relations = rows.map(({ name }) => name)
    })
    afterAll(() => engine?.close())

    async function ask(who: IdentityName | Context, text: string, ...values: unknown[]) {
      if (typeof who === 'object') {
        const { rows } = await engine.api.once<Record<string, unknown>>(who, sql(text, ...values))
        return rows
      }
      const outcome = await attempt(engine.api, claimsOf(who), sql(text, ...values))
      return 'code' in outcome ? [] : outcome.rows
    }

    const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
    const whereOf = ({ patterns = [], given = [] }: Question): string =>
      [
        'true',
        ...patterns.map((pattern) => `suchtext like ${literal(pattern)}`),
        ...given.map(({ column, operator, values }) =>
          operator === 'in'
            ? `${column} = any ('{${values.join(',')}}')`
            : `${column} ${SIGN[operator]} ${values.join('')}`,
        ),
      ].join(' and ')
    const countsOf = (relation: string, wheres: readonly string[]): string =>
      wheres
        .map((where, at) => `(select count(*)::integer from app.${relation} where ${where}) as n${at}`)
        .join(', ')

    /** Rows with and without what each read is narrowed to: all of a relation in two statements. */
    async function compare(who: IdentityName | Context, relation: string, questions: readonly Question[]) {
      const wheres = questions.map(whereOf)
      const answers = questions.map(
        ({ patterns = [], given = [] }, at) => `(select json_agg(n)::text from search.narrow('${relation}',
          ${literal(`{${patterns.map((pattern) => JSON.stringify(pattern)).join(',')}}`)}::text[],
          ${literal(JSON.stringify(given))}::jsonb) n) as b${at}`,
      )
      const [all = {}] = await ask(who, `select ${[countsOf(relation, wheres), ...answers].join(', ')}`)
      const bounds = questions.map((_, at) =>
        ((JSON.parse(String(all[`b${at}`] ?? '[]')) ?? []) as { spalte: string | null; ids: unknown }[])
          .filter(({ spalte }) => spalte !== null)
          .map(
            ({ spalte, ids }) => ` and "${spalte}" = any ('{${JSON.stringify(ids).slice(1, -1)}}'::bigint[])`,
          ),
      )
      const narrowed = wheres.map((where, at) => where + bounds[at]!.join(''))
      const [less = {}] = await ask(who, `select ${countsOf(relation, narrowed)}`)
      return questions.map((_, at) => ({
        all: all[`n${at}`],
        less: less[`n${at}`],
        conditions: bounds[at]!.length,
      }))
    }
    const both = async (who: IdentityName | Context, relation: string, patterns: readonly string[]) =>
      (await compare(who, relation, [{ patterns }]))[0]!

    async function expectSame(who: IdentityName | Context, relation: string, questions: readonly Question[]) {
      const answers = await compare(who, relation, questions)
      const shown = (which: 'all' | 'less') =>
        questions.map((question, at) => [question, answers[at]![which]])
      expect([relation, shown('less')]).toEqual([relation, shown('all')])
    }

    test.each(NAMES)('%s sees the same rows', async (who) => {
      const searches = [[], ...PATTERNS.map((one) => [one]), ['%einzeln%', '%wald%']]
      for (const relation of relations)
        await expectSame(
          who,
          relation,
          searches.map((patterns) => ({ patterns })),
        )
    })

    test.each(NAMES)('%s sees the same rows in a state and within limits', async (who) => {
      for (const [relation, all] of Map.groupBy(GIVEN, ([name]) => name))
        await expectSame(
          who,
          relation,
          all.map(([, ...given]) => ({ given })),
        )
    })

    const LIMITS = [
      ...KEY_GROUPS.map((group) => ({ gruppen: [group] })),
      { haelfte: 'forst' },
      { haelfte: 'draenage' },
      { client_id: A },
    ] as const
    test.each(['kundenadmin', 'ogf_standard', 'ogf_fb_admin', 'ogf_admin', 'appuser', 'apus_admin'] as const)(
      'so does a narrowed key of %s',
      async (who) => {
        for (const [at, limit] of LIMITS.entries()) {
          const id = 100_000 + numberOf(who) * 100 + at
          await engine.owner.script(insertKey({ user_id: numberOf(who), id, ...limit }))
          const claims = JSON.stringify({ iss: ISS, sub: who, iat: 0, groups: [], key: String(id) })
          const key: Context = { role: 'programm', settings: { 'request.jwt.claims': claims } }
          for (const relation of relations)
            await expectSame(
              key,
              relation,
              [[], ['%einzeln%'], ['%wald%']].map((patterns) => ({ patterns })),
            )
        }
      },
    )

    test('staff are narrowed by what they search for, others by what is theirs', async () => {
      expect(await both('ogf_admin', 'kunde', [])).toMatchObject({ conditions: 0 })
      expect(await both('ogf_admin', 'kunde', ['%einzeln%'])).toEqual({ all: 1, less: 1, conditions: 1 })
      expect(await both('apus_admin', 'karte_liste', ['%einzeln%'])).toEqual({
        all: 2,
        less: 2,
        conditions: 1,
      })
      expect(await both('ogf_admin', 'hq_liste', ['%einzeln%'])).toEqual({ all: 1, less: 1, conditions: 1 })
      // Every second row has it: read in the order of the list.
      expect(await both('ogf_admin', 'kunde', ['%nummer%'])).toMatchObject({ conditions: 0 })
      for (const relation of relations)
        expect([relation, (await both('kundenadmin', relation, [])).conditions]).toEqual([relation, 1])
    })

    test('nobody learns from it what they may not read', async () => {
      for (const who of NAMES) {
        const rows = await ask(who, `select search.matching('kunde', '{%einzeln%}') as found`)
        const staff = ['ogf_admin', 'ogf_team', 'apus_admin', 'apus_team', 'admin'].includes(who)
        expect([who, rows[0]?.['found'] ?? null]).toEqual([who, staff ? expect.anything() : null])
      }
    })
  })
