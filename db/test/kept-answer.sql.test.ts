// A write with a key is done once, however often it is sent, and its answer belongs to its sender.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { READING_CALL } from '#contract/rpc.ts'
import { keptAnswers, TELL_ONCE } from '#server/kept-answers.ts'
import { WITHOUT_CODE } from './cells/abo.ts'
import { ANGEBOT_A } from './cells/buchhaltung.ts'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'
import { type ListeningApi, listenToApi } from './listening-api.ts'
import { buildWorld } from './nouns.ts'
import { A, numberOf } from './world.ts'

/** They write: a try is counted, a check or a disclosure noted. Another one changes nothing else. */
const REPEATABLE = [
  '__o_check_gutschein',
  '__o_get_meine_daten',
  'a_check_dateien',
  'a_check_protokoll',
  'a_get_datenschutz_auskunft',
]

interface Request {
  readonly who?: string
  readonly method?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`kept answers on ${engineName}`, () => {
    let engine: Engine
    let api: ListeningApi
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      api = await listenToApi(engine.api, { keptAnswers })
    })
    afterAll(async () => {
      api?.close()
      await engine?.close()
    })

    let made = 0
    const newKey = () => `key-of-a-write-${(made += 1)}`
    const ask = async (
      path: string,
      key: string | null,
      { who = 'apus_admin', ...request }: Request = {},
    ) => {
      const answer = await fetch(`${api.address}/${path}`, {
        method: request.method ?? 'POST',
        headers: {
          authorization: `Bearer ${who}`,
          'content-type': 'application/json',
          ...(key !== null && { 'idempotency-key': key }),
          ...request.headers,
        },
        ...(request.body && { body: JSON.stringify(request.body) }),
      })
      const text = await answer.text()
      return { status: answer.status, text, again: answer.headers.get('idempotency-replayed') }
    }
    const note = (key: string | null, text: string, who?: string) =>
      ask('rpc/a_add_notiz', key, { body: { art: 'kunde', datensatz: A, text }, ...(who && { who }) })
    const count = async (sql: string) => Number((await engine.owner.query<{ n: number }>(sql)).rows[0]?.n)
    const notes = () => count('select count(*)::integer as n from app.notiz')
    const kept = () => count('select count(*)::integer as n from accounts.kept_answer')

    test('a call is done once and answered twice', async () => {
      const [key, before] = [newKey(), await notes()]
      const first = await note(key, 'Bitte anrufen')
      expect(first).toMatchObject({ status: 200, again: 'false' })
      expect(await note(key, 'Bitte anrufen')).toEqual({ ...first, again: 'true' })
      expect(await notes()).toBe(before + 1)
    })

    test('so is one sent again while the first is under way', async () => {
      const [key, before] = [newKey(), await notes()]
      const answers = await Promise.all(Array.from({ length: 6 }, () => note(key, 'Zugleich')))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter(({ again }) => again === 'false')).toHaveLength(1)
      expect(await notes()).toBe(before + 1)
    })

    test('without a key, or with another, it is done again', async () => {
      const before = await notes()
      await note(null, 'Zweimal')
      await note(null, 'Zweimal')
      await note(newKey(), 'Zweimal')
      expect(await notes()).toBe(before + 3)
    })

    test('rows are inserted, changed and deleted once, with status and headers of the first answer', async () => {
      const [key, other, last] = [newKey(), newKey(), newKey()]
      const add = () =>
        ask('abkuerzung', key, {
          body: { abk: 'fm', bedeutung: 'Festmeter', gruppe: 'Einheiten' },
          headers: { prefer: 'return=representation' },
        })
      const first = await add()
      expect(first.status).toBe(201)
      expect(await add()).toEqual({ ...first, again: 'true' })
      const change = () =>
        ask('abkuerzung?abk=eq.fm&version=eq.1', other, {
          method: 'PATCH',
          body: { bedeutung: 'Kubikmeter' },
        })
      const changed = await change()
      expect(await change()).toEqual({ ...changed, again: 'true' })
      const remove = () => ask('abkuerzung?abk=eq.fm', last, { method: 'DELETE' })
      const removed = await remove()
      expect(await remove()).toEqual({ ...removed, again: 'true' })
    })

    test('a refusal keeps nothing: the same key may be used for the mended write', async () => {
      const key = newKey()
      expect((await note(key, '')).status).toBe(400)
      expect(await note(key, 'Jetzt mit Text')).toMatchObject({ status: 200, again: 'false' })
    })

    test('a key belongs to one write', async () => {
      const [key, before] = [newKey(), await notes()]
      await note(key, 'Dies')
      const other = await note(key, 'Etwas anderes')
      expect([other.status, JSON.parse(other.text)]).toMatchObject([422, { hint: 'key_reused' }])
      expect((await ask('rpc/a_get_notizen', key, { body: {} })).status).not.toBe(200)
      expect(await notes()).toBe(before + 1)
    })

    test('and to one person', async () => {
      const [key, before] = [newKey(), await notes()]
      await note(key, 'Von zweien')
      expect(await note(key, 'Von zweien', 'ogf_admin')).toMatchObject({ status: 200, again: 'false' })
      expect(await notes()).toBe(before + 2)
    })

    test.each(['kurz', 'mit Leerzeichen darin', 'x'.repeat(65), 'schräg-und-umlaut-ä'])(
      'what cannot be a key is refused: %s',
      async (key) => {
        const before = await notes()
        const answer = await note(encodeURI(key), 'x')
        expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'HTTP400'])
        expect(await notes()).toBe(before)
      },
    )

    test('reads need no key and keep none', async () => {
      const before = await kept()
      expect(
        (await ask(`rpc/a_get_notizen`, newKey(), { body: { art: 'kunde', datensatz: A } })).status,
      ).toBe(200)
      expect((await ask('kunde?limit=1', newKey(), { method: 'GET' })).status).toBe(200)
      expect(await kept()).toBe(before)
    })

    test('an answer too large to be kept says that it was done', async () => {
      const key = newKey()
      const many = () =>
        ask('abkuerzung', key, {
          body: Array.from({ length: 300 }, (_, nr) => ({
            abk: `t${nr}`,
            bedeutung: 'Ein längerer Text, der hier nur Platz braucht',
            gruppe: 'Test',
          })),
          headers: { prefer: 'return=representation' },
        })
      expect((await many()).status).toBe(201)
      const again = await many()
      expect([again.status, JSON.parse(again.text).hint]).toEqual([409, 'already_done'])
    })

    const SECRETS: Readonly<Record<string, { who: string; body: object; secret: (text: string) => string }>> =
      {
        a_add_annahme_link: {
          who: 'apus_admin',
          body: { offer_id: ANGEBOT_A, empfaenger: 'Frau Holz' },
          secret: (text) => (JSON.parse(text) as { code: string }[])[0]?.code ?? '',
        },
        a_issue_gutschein_code: {
          who: 'ogf_admin',
          body: { id: WITHOUT_CODE },
          secret: (text) => JSON.parse(text) as string,
        },
      }
    test('of calls that tell a secret once, the key is kept without the answer', async () => {
      expect(Object.keys(SECRETS).toSorted()).toEqual([...TELL_ONCE].toSorted())
      for (const [name, { who, body, secret }] of Object.entries(SECRETS)) {
        const key = newKey()
        const call = () => ask(`rpc/${name}`, key, { who, body })
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const first = await call()
        expect([first.status, secret(first.text).length > 15], `${name} ${first.text}`).toEqual([200, true])
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { rows } = await engine.owner.query<{ line: string }>(
          'select a::text as line from accounts.kept_answer a where a.key = $1',
          [key],
        )
        expect(rows, name).toHaveLength(1)
        expect(rows[0]?.line, name).not.toContain(secret(first.text))
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const again = await call()
        expect([again.status, JSON.parse(again.text).hint], name).toEqual([409, 'already_done'])
      }
    })
    test('every call that makes something random is among them', async () => {
      const { rows } = await engine.owner.query<{ name: string }>(
        `select distinct proname::text as name from pg_proc
         where pronamespace = 'app'::regnamespace and has_function_privilege('nutzer', oid, 'execute')
           and pg_get_functiondef(oid) ~ 'gen_random|random\\(' order by 1`,
      )
      expect(rows.map(({ name }) => name)).toEqual([...TELL_ONCE].toSorted())
    })

    test('a person keeps 500 answers, and keys for a day: what was done before them is not done again', async () => {
      await engine.owner.script(
        'begin; set local role forst_betrieb; delete from accounts.kept_answer; commit',
      )
      const [key, before] = [newKey(), await notes()]
      await note(key, 'Vor vielen anderen')
      await engine.owner.script(`begin; set local role forst_betrieb;
        update accounts.kept_answer set at = now() - interval '20 hours' where key = '${key}';
        insert into accounts.kept_answer (user_id, key, digest, status, body, at)
        select ${numberOf('apus_admin')}, 'old-key-of-a-write-' || nr, repeat('a', 64), 200, '{}',
          now() - nr * interval '1 second'
        from generate_series(1, 550) nr;
        update accounts.kept_answer set at = now() - interval '2 days' where key = 'old-key-of-a-write-3';
        commit`)
      await note(newKey(), 'Danach')
      const mine = `from accounts.kept_answer where user_id = ${numberOf('apus_admin')}`
      expect(await count(`select count(*)::integer as n ${mine} and status is not null`)).toBe(500)
      expect(await count(`select count(*)::integer as n ${mine} and key like 'old-key-of-a-write-%'`)).toBe(
        549,
      )
      const again = await note(key, 'Vor vielen anderen')
      expect([again.status, JSON.parse(again.text).hint]).toEqual([409, 'already_done'])
      expect(await notes()).toBe(before + 2)
    })

    test('beyond 22,000 keys within a day a write is refused, none is forgotten', async () => {
      const [key, before] = [newKey(), await notes()]
      await note(key, 'Der erste von vielen', 'ogf_admin')
      const mine = `from accounts.kept_answer where user_id = ${numberOf('ogf_admin')}`
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into accounts.kept_answer (user_id, key, digest, at)
        select ${numberOf('ogf_admin')}, 'one-of-many-writes-' || nr, repeat('a', 64), now() - interval '1 hour'
        from generate_series(1, 22000 - (select count(*)::integer ${mine})) nr;
        commit`)
      const more = await note(newKey(), 'Einer zu viel', 'ogf_admin')
      expect([more.status, JSON.parse(more.text).hint]).toEqual([429, 'too_many_keys'])
      expect(await note(key, 'Der erste von vielen', 'ogf_admin')).toMatchObject({
        status: 200,
        again: 'true',
      })
      expect(await note(null, 'Ohne Schlüssel', 'ogf_admin')).toMatchObject({ status: 200 })
      expect(await notes()).toBe(before + 2)
      await engine.owner.script(`begin; set local role forst_betrieb; delete ${mine}; commit`)
    })

    test('the browser knows by name which calls change something', async () => {
      const { rows } = await engine.owner.query<{ name: string; reads: boolean }>(
        `select distinct proname::text as name, provolatile <> 'v' as reads from pg_proc
         where pronamespace = 'app'::regnamespace and has_function_privilege('nutzer', oid, 'execute')`,
      )
      expect(
        rows
          .filter(({ name, reads }) => READING_CALL.test(name) !== reads)
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(REPEATABLE)
    })

    test('who is not known keeps nothing', async () => {
      const before = await kept()
      expect((await note(newKey(), 'x', 'unknown')).status).toBeGreaterThanOrEqual(400)
      expect(await kept()).toBe(before)
    })
  })
