// Decisions by customers, in the application and by one-time links: once, by whom, and what outsiders learn.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '#server/database/database.ts'
import { ANGEBOT_A } from './cells/buchhaltung.ts'
import { CODE_A } from './cells/document.ts'
import { refusalOf } from './attempt.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, type IdentityName } from './world.ts'

type Row = Record<string, unknown>
interface Seen {
  stand: string
  entschieden?: boolean
  angebot_id?: number
  empfaenger?: string
  angebot?: {
    nummer: string
    kunde: string
    positionen: { id: string; art: string; gewaehlt: boolean }[]
    summen: Row
  }
  anbieter?: { name: string }
  angenommen?: boolean
}
const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')
/** Those whose row says apus_admin or admin, whatever their token allows. */
const OFFICE = [112, 113, 114, 116]
const LINES = [
  { bez: 'Gräben vermessen', anzahl: '10', einheit: 'ha', ep: '100', erl: 'Mit Aufmaß', erl_on: true },
  {
    art: 'optional',
    bez: 'Luftbild',
    anzahl: '1',
    einheit: 'psch',
    ep: '300',
    erl: 'Untergrenze 250',
    erl_on: false,
  },
  { art: 'optional', bez: 'Ausdruck', anzahl: '2', einheit: 'Stk', ep: '25' },
]

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`documents of customers on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())

    /** Commits. */
    const run = async <T = Row>(name: IdentityName, text: string, ...values: unknown[]): Promise<T[]> =>
      (await engine.api.once<T>(asCaller(claimsOf(name)), sql(text, ...values))).rows
    const value = async <T>(name: IdentityName, text: string, ...values: unknown[]): Promise<T> =>
      Object.values((await run<Row>(name, `select ${text}`, ...values))[0]!)[0] as T
    const owner = async <T = Row>(text: string, ...values: unknown[]) =>
      (await engine.owner.query<T>(text, values)).rows
    const asOperations = async (text: string): Promise<void> => {
      try {
        await engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
      } finally {
        await engine.owner.script('rollback')
      }
    }
    const offer = async (client = w.A): Promise<number> => {
      const id = Number(await value('apus_admin', 'app.a_add_offer($1, null, 19)', client))
      await value('apus_admin', 'app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(LINES), id)
      await run('apus_admin', 'select * from app.a_issue_offer($1)', id)
      return id
    }
    const link = async (id: number, who = 'Frau Holz', until: string | null = null) =>
      (
        await run<{ id: number; code: string; bis: string }>(
          'apus_admin',
          'select id, code, bis::text from app.a_add_annahme_link($1, $2, $3)',
          id,
          who,
          until,
        )
      )[0]!
    // As the server asks for the holder of a link: without an identity.
    const parsed = (json: unknown): Seen => (typeof json === 'string' ? JSON.parse(json) : json) as Seen
    const look = async (code: string) =>
      parsed(await value('nobody', 'books.view_acceptance($1)::text', hashOf(code)))
    const answer = (
      code: string,
      yes: boolean,
      name: string,
      more: { bemerkung?: string; positionen?: number[] | null } = {},
    ): Statement =>
      sql(
        'select books.decide_acceptance($1, $2, $3, $4, $5)::text as json',
        hashOf(code),
        yes,
        name,
        more.bemerkung ?? '',
        more.positionen ?? null,
      )
    const decide = async (...args: Parameters<typeof answer>) =>
      parsed((await engine.api.once<{ json: string }>(asCaller(null), answer(...args))).rows[0]!.json)
    const state = async (id: number) =>
      (
        await owner(
          'select status, entschieden_von, entschieden_als, entscheidung from app.angebot where id = $1',
          id,
        )
      )[0]!
    const chosen = async (id: number) =>
      (
        await owner<{ bez: string }>(
          'select bez from app.position where angebot_id = $1 and gewaehlt order by lfd_nr',
          id,
        )
      ).map(({ bez }) => bez)
    const lineOf = async (id: number, label: string) =>
      Number(
        (
          await owner<{ id: number }>(
            'select id from app.position where angebot_id = $1 and bez = $2',
            id,
            label,
          )
        )[0]!.id,
      )
    const notices = async (art: string, id: number) =>
      (
        await owner<{ user_id: number }>(
          `select user_id::int from app.meldung where art = $1 and schluessel like '%/' || $2::text order by user_id`,
          art,
          id,
        )
      ).map(({ user_id }) => user_id)

    describe('in the application', () => {
      test('a customer’s admin reads what was offered, chooses and decides once; the office learns of it', async () => {
        const id = await offer()
        const seen = parsed(
          await value('kundenadmin', 'app.__o_get_angebot($1)::text', id),
        ) as unknown as NonNullable<Seen['angebot']>
        expect(seen).toMatchObject({ stand: 'versendet', kunde: 'Forst A', summen: { brutto: '1190.00' } })
        expect(JSON.stringify(seen)).not.toMatch(/iban|bearbeiter|leitweg|client_id/)
        // An explanation that is not printed is ours.
        expect(JSON.stringify(seen)).toContain('Mit Aufmaß')
        expect(JSON.stringify(seen)).not.toContain('Untergrenze')
        const { code } = await link(id)
        expect(JSON.stringify(await look(code))).not.toContain('Untergrenze')
        await value('kundenadmin', 'app.__o_decide_offer($1, true, $2, $3)', id, 'Bitte ab März.', [
          await lineOf(id, 'Luftbild'),
        ])
        expect(await state(id)).toEqual({
          status: 'angenommen',
          entschieden_von: 'Vor106 Nach106',
          entschieden_als: 'portal',
          entscheidung: 'Bitte ab März.',
        })
        expect(await chosen(id)).toEqual(['Luftbild'])
        expect(await refusalOf(value('kundenadmin', 'app.__o_decide_offer($1, false)', id))).toBe(
          'PT409 - angebot_status',
        )
        expect(
          await run(
            'kundenadmin',
            `select stand, entscheidbar, entschieden_von from app.__o_get_dokumente()
             where art = 'angebot' and id = $1`,
            id,
          ),
        ).toEqual([{ stand: 'angenommen', entscheidbar: false, entschieden_von: 'Vor106 Nach106' }])
        expect(await notices('angebot_angenommen', id)).toEqual(OFFICE)
        expect(await notices('angebot_abgelehnt', id)).toEqual([])
      })
      test('a no is told as well; what the office notes itself is not', async () => {
        const [no, intern] = [await offer(), await offer()]
        await value('appuser_admin', 'app.__o_decide_offer($1, false)', no)
        expect(await notices('angebot_abgelehnt', no)).toEqual(OFFICE)
        await value('apus_admin', `app.a_decide_offer($1, true, 'am Telefon')`, intern)
        expect(await notices('angebot_angenommen', intern)).toEqual([])
      })
      test('what is issued is told the admins of that customer, of both halves, and nobody else', async () => {
        const [own, foreign] = [await offer(), await offer(w.B)]
        expect(await notices('dokument_neu', own)).toEqual([106, 108, 114])
        expect(await notices('dokument_neu', foreign)).toEqual([])
        const [row] = await owner(
          `select params, ziel from app.meldung where art = 'dokument_neu' and user_id = 106 and ziel = $1`,
          `/dokumente/angebot/${own}`,
        )
        expect(row).toBeDefined()
      })
      test('the mail of a notice waits for the document’s own, and does not go to whoever has got that', async () => {
        const id = await offer()
        const due = () => owner(`update notices.meldung_post set naechster = now() where zustand = 'wartet'`)
        const taken = async () =>
          (
            await owner<{ person: number; ziel: string }>(
              'select person::int, ziel from notices.take_mail(1000)',
            )
          )
            .filter(({ ziel }) => ziel === `/dokumente/angebot/${id}`)
            .map(({ person }) => person)
        expect(await taken()).toEqual([])
        const [{ email }] = (await owner<{ email: string }>(
          'select email from app.benutzer where user_id = 106',
        )) as [{ email: string }]
        await run(
          'apus_admin',
          `select app.a_send_beleg('angebot', $1, $2, 'Angebot', 'Anbei')`,
          id,
          email.toUpperCase(),
        )
        await due()
        // While the document waits to be sent, the notice to its recipient waits too; the others are sent.
        expect(await taken()).toEqual([108, 114])
        await owner(
          `update app.versand set zustand = 'gesendet', gesendet_am = now() where angebot_id = $1`,
          id,
        )
        await due()
        expect(await taken()).not.toContain(106)
        expect(
          await owner(
            `select p.zustand, p.grund from notices.meldung_post p join app.meldung m on m.id = p.meldung_id
             where m.user_id = 106 and m.ziel = $1`,
            `/dokumente/angebot/${id}`,
          ),
        ).toEqual([{ zustand: 'aufgegeben', grund: 'Beleg gesendet' }])
        // A failed delivery does not count: the person who did not get the document is notified.
        const other = await offer()
        await run(
          'apus_admin',
          `select app.a_send_beleg('angebot', $1, $2, 'Angebot', 'Anbei')`,
          other,
          email,
        )
        await owner(
          `update app.versand set zustand = 'fehlgeschlagen', grund = 'abgelehnt' where angebot_id = $1`,
          other,
        )
        await due()
        const rows = await owner<{ person: number; ziel: string }>(
          'select person::int, ziel from notices.take_mail(1000)',
        )
        expect(
          rows.filter(({ ziel }) => ziel === `/dokumente/angebot/${other}`).map(({ person }) => person),
        ).toEqual([106, 108, 114])
      })
      test.each([
        ['a remark of 2,001 signs', 'x'.repeat(2001)],
        ['a control character', 'a\u0007b'],
      ])('%s is refused at its field', async (_what, remark) => {
        const id = await offer()
        expect(await refusalOf(value('kundenadmin', 'app.__o_decide_offer($1, true, $2)', id, remark))).toBe(
          '23514 bemerkung text_2000',
        )
        expect(await state(id)).toMatchObject({ status: 'versendet' })
      })
    })

    describe('a link', () => {
      test('answers its code once; kept is the hash alone', async () => {
        const id = await offer()
        const made = await link(id)
        expect(made.code).toMatch(/^[\w-]{43}$/)
        expect(await owner('select code_hash from app.annahme_link where id = $1', made.id)).toEqual([
          { code_hash: hashOf(made.code) },
        ])
        for (const table of ['app.annahme_link', 'app.protokoll', 'app.meldung'])
          expect(
            await owner(`select from ${table} t where t::text like '%' || $1 || '%'`, made.code),
          ).toEqual([])
        expect((await link(id)).code).not.toBe(made.code)
        expect(
          await run(
            'apus_admin',
            'select empfaenger, stand, angelegt_von from app.a_get_annahme_links($1)',
            id,
          ),
        ).toEqual([
          { empfaenger: 'Frau Holz', stand: 'offen', angelegt_von: 'Vor112 Nach112' },
          { empfaenger: 'Frau Holz', stand: 'offen', angelegt_von: 'Vor112 Nach112' },
        ])
      })
      test('shows the offer, takes one decision with the name that was typed, and is used up', async () => {
        const id = await offer()
        const { code, id: linkId } = await link(id)
        const seen = await look(code)
        expect(seen).toMatchObject({
          stand: 'offen',
          empfaenger: 'Frau Holz',
          angebot: { kunde: 'Forst A', summen: { brutto: '1190.00' } },
        })
        expect(JSON.stringify(seen)).not.toMatch(/iban|bearbeiter|leitweg|client_id|code_hash/)
        // Viewing does not use up the link, because mail programs open links too.
        expect((await look(code)).stand).toBe('offen')
        const done = await decide(code, true, '  Frieda Holz ', {
          bemerkung: 'Gern',
          positionen: [await lineOf(id, 'Ausdruck')],
        })
        expect(done).toMatchObject({ stand: 'benutzt', entschieden: true, angenommen: true })
        expect(await state(id)).toEqual({
          status: 'angenommen',
          entschieden_von: 'Frieda Holz',
          entschieden_als: 'link',
          entscheidung: 'Gern',
        })
        expect(await chosen(id)).toEqual(['Ausdruck'])
        expect(
          await run('apus_admin', 'select stand, benutzt_von from app.a_get_annahme_links($1)', id),
        ).toEqual([{ stand: 'benutzt', benutzt_von: 'Frieda Holz' }])
        expect(
          await owner(
            `select ereignis, wer, user_id, inhalt ->> 'link_id' as link from app.protokoll
             where gegenstand = 'angebot' and gegenstand_id = $1 order by nr desc limit 2`,
            id,
          ),
        ).toEqual([
          { ereignis: 'link_benutzt', wer: 'Frieda Holz', user_id: null, link: String(linkId) },
          { ereignis: 'angenommen', wer: 'Frieda Holz', user_id: null, link: null },
        ])
        expect(await notices('angebot_angenommen', id)).toEqual(OFFICE)
        expect(await decide(code, false, 'Jemand anders')).toMatchObject({
          stand: 'benutzt',
          entschieden: false,
        })
        expect(await state(id)).toMatchObject({ status: 'angenommen', entschieden_von: 'Frieda Holz' })
        // A used link no longer shows lines or sums.
        expect(Object.keys(await look(code)).sort()).toEqual([
          'anbieter',
          'angenommen',
          'benutzt_am',
          'nummer',
          'stand',
        ])
      })
      test('of ten decisions at the same moment one counts, and the chain holds', async () => {
        const id = await offer()
        const { code } = await link(id)
        const all = await Promise.all(
          Array.from({ length: 10 }, (_, nr) => decide(code, nr % 2 === 0, `Person ${nr}`)),
        )
        expect(all.filter(({ entschieden }) => entschieden)).toHaveLength(1)
        const [winner] = all.flatMap(({ entschieden }, nr) => (entschieden ? [nr] : []))
        expect(await state(id)).toMatchObject({
          status: winner! % 2 === 0 ? 'angenommen' : 'abgelehnt',
          entschieden_von: `Person ${winner}`,
        })
        expect(
          await owner(
            `select count(*)::int as n from app.protokoll
             where gegenstand_id = $1 and gegenstand = 'angebot' and ereignis = 'link_benutzt'`,
            id,
          ),
        ).toEqual([{ n: 1 }])
        // The log alone: offers were changed by hand above, which the chain of records finds.
        expect((await engine.owner.query('select ok from books.check_journal()')).rows).toEqual([
          { ok: true },
        ])
      })
      test('of two links to one offer the second finds it decided; so does one beside the application', async () => {
        const [id, other] = [await offer(), await offer()]
        const [first, second] = [await link(id), await link(id)]
        const all = await Promise.all([decide(first.code, true, 'A'), decide(second.code, false, 'B')])
        expect(all.filter(({ entschieden }) => entschieden)).toHaveLength(1)
        expect(all.map(({ stand }) => stand).toSorted()).toEqual(['benutzt', 'entschieden'])
        const third = await link(other)
        await value('kundenadmin', 'app.__o_decide_offer($1, false)', other)
        expect(await look(third.code)).toEqual({
          stand: 'entschieden',
          anbieter: expect.objectContaining({ name: expect.any(String) }),
        })
        expect(await decide(third.code, true, 'C')).toMatchObject({
          stand: 'entschieden',
          entschieden: false,
        })
        expect(await state(other)).toMatchObject({ status: 'abgelehnt', entschieden_als: 'portal' })
      })
      test('that was withdrawn, or whose offer was revised, leads nowhere', async () => {
        const [id, revised] = [await offer(), await offer()]
        const made = await link(id)
        await value('apus_admin', 'app.a_revoke_annahme_link($1)', made.id)
        expect((await look(made.code)).stand).toBe('zurueckgezogen')
        expect(await decide(made.code, true, 'A')).toMatchObject({
          stand: 'zurueckgezogen',
          entschieden: false,
        })
        expect(await state(id)).toMatchObject({ status: 'versendet' })
        expect(await refusalOf(value('apus_admin', 'app.a_revoke_annahme_link($1)', made.id))).toBe(
          'PT409 - link_zurueckgezogen',
        )
        const old = await link(revised)
        await value('apus_admin', 'app.a_revise_offer($1)', revised)
        expect((await look(old.code)).stand).toBe('ersetzt')
        expect(await decide(old.code, true, 'A')).toMatchObject({ stand: 'ersetzt', entschieden: false })
        expect(await refusalOf(link(revised))).toBe('PT409 - link_angebot')
      })
      test('ends with its day, and with the offer’s', async () => {
        const id = await offer()
        const today = await value<string>('apus_admin', 'checks.today()::text')
        const short = await link(id, 'Frau Holz', today)
        const long = await link(id)
        const clock = (days: number) =>
          engine.owner.script(
            `create or replace function checks.today() returns date language sql stable
             set search_path = pg_catalog return (now() at time zone 'Europe/Berlin')::date + ${days}`,
          )
        try {
          expect([(await look(short.code)).stand, (await look(long.code)).stand]).toEqual(['offen', 'offen'])
          await clock(1)
          expect([(await look(short.code)).stand, (await look(long.code)).stand]).toEqual([
            'abgelaufen',
            'offen',
          ])
          expect(await decide(short.code, true, 'A')).toMatchObject({
            stand: 'abgelaufen',
            entschieden: false,
          })
          await clock(31)
          expect([(await look(short.code)).stand, (await look(long.code)).stand]).toEqual([
            'angebot_abgelaufen',
            'angebot_abgelaufen',
          ])
          expect(await decide(long.code, true, 'A')).toMatchObject({
            stand: 'angebot_abgelaufen',
            entschieden: false,
          })
          expect(await refusalOf(link(id))).toBe('PT409 - angebot_abgelaufen')
          expect(await state(id)).toMatchObject({ status: 'versendet' })
        } finally {
          await clock(0)
        }
        expect((await decide(short.code, false, 'A')).entschieden).toBe(true)
      })
      test.each([
        ['nobody', () => link(ANGEBOT_A, '  '), '23514 empfaenger fehlt'],
        ['two lines', () => link(ANGEBOT_A, 'a\nb'), '23514 empfaenger zeile_200'],
        ['yesterday', () => link(ANGEBOT_A, 'A', '2026-01-01'), '23514 gueltig_bis link_gueltig'],
        ['longer than the offer', () => link(ANGEBOT_A, 'A', '2199-01-02'), '23514 gueltig_bis link_gueltig'],
      ])('is not made for %s', async (_what, make, expected) =>
        expect(await refusalOf(make())).toBe(expected),
      )
      test('cannot be decided without a name, in two lines, with a foreign line or without a yes or no', async () => {
        const [id, other] = [await offer(), await offer(w.B)]
        const { code } = await link(id)
        expect(await refusalOf(decide(code, true, ' '))).toBe('23514 name fehlt')
        expect(await refusalOf(decide(code, true, 'a\nb'))).toBe('23514 name zeile_200')
        expect(
          await refusalOf(decide(code, true, 'A', { positionen: [await lineOf(other, 'Luftbild')] })),
        ).toBe('23514 positionen angebot_auswahl')
        expect(
          await refusalOf(decide(code, true, 'A', { positionen: [await lineOf(id, 'Gräben vermessen')] })),
        ).toBe('23514 positionen angebot_auswahl')
        expect(await refusalOf(decide(code, null as unknown as boolean, 'A'))).toBe(
          '23514 angenommen angebot_entscheidung',
        )
        expect(await refusalOf(decide(code, true, 'A', { bemerkung: '\u0001' }))).toBe(
          '23514 bemerkung text_2000',
        )
        expect(await state(id)).toMatchObject({ status: 'versendet' })
        expect((await look(code)).stand).toBe('offen')
        expect(await chosen(other)).toEqual([])
      })
      test('what is no link of ours says nothing, whatever it looks like', async () => {
        const nothing = { stand: 'unbekannt' }
        for (const hash of [
          hashOf('x'),
          '',
          CODE_A,
          '%',
          `${'0'.repeat(63)}_`,
          "' or true --",
          'ä'.repeat(64),
        ])
          expect(parsed(await value('nobody', 'books.view_acceptance($1)::text', hash))).toEqual(nothing)
        expect(parsed(await value('nobody', 'books.view_acceptance(null)::text'))).toEqual(nothing)
        expect(await decide('x', true, 'A')).toEqual({ ...nothing, entschieden: false })
        // The hash stored in the table is a key, not the code.
        expect(await look(hashOf(CODE_A))).toEqual(nothing)
        expect((await look(CODE_A)).stand).toBe('offen')
      })
      test('of a customer who is blocked is none any more', async () => {
        const { code } = await link(await offer(w.B))
        await asOperations(`update app.kunde set gesperrt_bis = '2199-12-31' where client_id = ${w.B}`)
        try {
          expect(await look(code)).toEqual({ stand: 'unbekannt' })
          expect(await decide(code, true, 'A')).toEqual({ stand: 'unbekannt', entschieden: false })
        } finally {
          await asOperations(`update app.kunde set gesperrt_bis = null where client_id = ${w.B}`)
        }
        expect((await look(code)).stand).toBe('offen')
      })
      test('is fixed for every role: neither its end nor its offer can be changed', async () => {
        const id = await offer()
        const { code, id: linkId } = await link(id)
        for (const change of [
          `gueltig_bis = '2199-12-31'`,
          `code_hash = repeat('0', 64)`,
          `empfaenger = 'x'`,
          `angebot_id = ${ANGEBOT_A}`,
        ])
          await expect(
            asOperations(`update app.annahme_link set ${change} where id = ${linkId}`),
            change,
          ).rejects.toMatchObject({
            code: 'PT409',
          })
        await decide(code, true, 'A')
        await expect(
          asOperations(
            `update app.annahme_link set benutzt_am = null, benutzt_von = null where id = ${linkId}`,
          ),
        ).rejects.toMatchObject({ code: 'PT409' })
      })
      test('twenty open ones are enough', async () => {
        const id = await offer()
        for (let nr = 0; nr < 20; nr++) await link(id)
        expect(await refusalOf(link(id))).toBe('PT409 - link_viele')
      })
      test('a hundred within an hour are enough, also where each is withdrawn', async () => {
        const id = await offer()
        await asOperations(
          `insert into app.annahme_link
             (client_id, angebot_id, code_hash, empfaenger, gueltig_bis, angelegt_von, zurueckgezogen_am,
              zurueckgezogen_von)
           select client_id, id, lpad(nr::text, 64, '0'), 'A', current_date + 1, 'Anna', now(), 'Anna'
           from app.angebot, generate_series(1, 100) nr where id = ${id}`,
        )
        expect(await refusalOf(link(id))).toBe('PT429 - link_stunde')
        await asOperations(`delete from app.annahme_link where angebot_id = ${id} and angelegt_von = 'Anna'`)
        await link(id)
      })
    })
  })
