// Who is notified of what and how often, and what happens to the mails; cells/notice.ts covers who may access
// notices.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import type { Mail } from '#server/mail/mailer.ts'
import { sendWaiting } from '#server/notices/post.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, IDENTITIES } from './world.ts'

const DAY = '2026-06-01'
const byNumber = (a: number, b: number) => a - b
const id = (name: keyof typeof IDENTITIES) => IDENTITIES[name].user_id

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`notices on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    beforeEach(() =>
      engine.owner.script(
        `delete from app.meldung; delete from app.einstellung;
         update app.benutzer set enabled = true where user_id = 106`,
      ),
    )

    const asBetrieb = async <Row = Record<string, unknown>>(
      text: string,
      ...values: unknown[]
    ): Promise<Row[]> => (await engine.owner.query<Row>(text, values)).rows
    const told = async (art: string) =>
      (
        await engine.owner.query<{
          user_id: number
          ziel: string
          schluessel: string
          client_id: number | null
        }>(
          'select user_id, ziel, schluessel, client_id from app.meldung where art = $1 order by schluessel, user_id',
          [art],
        )
      ).rows
    const people = async (art: string) =>
      [...new Set((await told(art)).map(({ user_id }) => user_id))].sort(byNumber)
    const run = async (day: string) =>
      Number((await asBetrieb<{ n: number }>('select notices.notify_expiring($1::date) as n', day))[0]?.n)
    const notify = (receivers: string, key = 'karte/7') =>
      engine.owner.query(
        `select notices.notify('karte_gezeigt', '{${receivers}}', '${key}',
         '{"karte": "Plan 7"}', '/karten/7', ${w.A})`,
      )
    const posts = async () =>
      (
        await engine.owner.query<{ zustand: string; grund: string | null; versuche: number }>(
          'select zustand, grund, versuche from notices.meldung_post order by meldung_id',
        )
      ).rows
    const take = () =>
      asBetrieb<{
        meldung_id: number
        person: number
        empfaenger: string
        versuch: number
        name: string
        ziel: string
      }>('select * from notices.take_mail(10)')

    test('a mail speaks the language of its receiver and bears the letterhead', async () => {
      const [german, english] = [id('appuser'), id('appuser_admin')]
      await engine.owner.query(
        `insert into app.einstellung (user_id, schluessel, wert) values ($1, 'language', '"en"')`,
        [english],
      )
      await notify(`${german},${english}`)
      const mails: Mail[] = []
      await sendWaiting({
        asOwner: (work) => work(engine.owner),
        send: async (mail) => mails.push(mail) > 0,
        origin: 'https://forst.example',
        title: 'Forstkontor',
        log: silentLog,
      })
      expect(mails.map(({ subject }) => subject).sort()).toEqual([
        'Neuer Plan: Plan 7 – Forstkontor',
        'New plan: Plan 7 – Forstkontor',
      ])
      const { rows } = await engine.owner.query<{ name: string }>('select name from app.lieferant')
      expect(rows.length).toBe(1)
      for (const { text } of mails) expect(text).toContain(`\n-- \n`)
      for (const { text } of mails) expect(text).toContain(`\n\n${rows[0]!.name}`)
    })

    describe('vouchers', () => {
      const voucher = (number: number, day: string, redeemed = 'null') =>
        engine.owner.script(
          `insert into app.gutschein (id, rabatt_abo, rabatt_kawm, expire_date, laufzeit, eingeloest_am)
           values (${number}, 10, 5, '${day}', 12, ${redeemed})`,
        )
      beforeAll(async () => {
        await voucher(201, '2026-06-15')
        await voucher(202, '2026-06-16')
        await voucher(203, '2026-06-10', 'now()')
        await voucher(204, '2026-05-31')
        await voucher(205, '2026-06-01')
      })
      test('the forest half’s admins are told of those that expire within 14 days, not of redeemed ones', async () => {
        await run(DAY)
        expect(
          (await told('gutschein_laeuft_ab'))
            .map(({ schluessel }) => schluessel)
            .filter((key, at, all) => all.indexOf(key) === at),
        ).toEqual(['gutschein/201/2026-06-15', 'gutschein/205/2026-06-01'])
        expect(await people('gutschein_laeuft_ab')).toEqual(
          [id('ogf_admin'), id('admin'), id('cut_by_ceiling'), id('session_ended')].sort(byNumber),
        )
      })
      test('once, however often it is looked at', async () => {
        expect(await run(DAY)).toBeGreaterThan(0)
        expect(await run(DAY)).toBe(0)
        // One day later another voucher comes into range.
        expect(await run('2026-06-02')).toBe((await people('gutschein_laeuft_ab')).length)
      })
    })

    describe('terms', () => {
      beforeAll(() =>
        engine.owner.script(`update app.abo set beginn = '2025-07-02', ende = '2026-07-01' where id = 1`),
      )
      const mineOf = async () =>
        (await told('laufzeit_endet')).filter(({ schluessel }) => schluessel.startsWith('abo/1/'))
      const placesOf = (mine: Awaited<ReturnType<typeof mineOf>>) =>
        Object.fromEntries(mine.map(({ user_id, ziel }) => [user_id, ziel]))
      test('headquarters’ admins and the customer’s kundenadmin, each with a place that they may open', async () => {
        await run(DAY)
        const mine = await mineOf()
        expect(placesOf(mine)).toEqual({
          [id('cut_by_ceiling')]: '/abo/index',
          [id('kundenadmin')]: `/kunde/${w.A}/forstbetrieb/${w.A1}`,
          [id('ogf_fb_admin')]: '/abo/index',
        })
        expect(mine.every(({ client_id }) => client_id === w.A)).toBe(true)
        expect(await run(DAY)).toBe(0)
      })
      test('the provider’s admins only of those that will really end', async () => {
        await engine.owner.script(
          `update app.abo set zustand = 'gekuendigt', gekuendigt_am = now() where id = 1`,
        )
        await run(DAY)
        await engine.owner.script(`update app.abo set zustand = 'aktiv', gekuendigt_am = null where id = 1`)
        expect(placesOf(await mineOf())).toEqual({
          [id('ogf_admin')]: '/finanzen/index',
          [id('admin')]: '/finanzen/index',
          [id('cut_by_ceiling')]: '/finanzen/index',
          [id('session_ended')]: '/finanzen/index',
          [id('kundenadmin')]: `/kunde/${w.A}/forstbetrieb/${w.A1}`,
          [id('ogf_fb_admin')]: '/abo/index',
        })
      })
      test('not 31 days before', async () => {
        await run('2026-05-31')
        expect(await told('laufzeit_endet')).toEqual([])
      })
    })

    test('maps and offers: the customer’s people, those who may answer, the bookkeeping', async () => {
      await engine.owner.query(
        `select notices.notify_karte_shown(7, 'Plan 7', ${w.A}), notices.notify_answer(7, 'Plan 7', ${w.A},
         now()), notices.notify_angebot_accepted(3, 'AN-3', ${w.A})`,
      )
      expect(await people('karte_gezeigt')).toEqual(
        [id('appuser'), id('appuser_admin'), id('cut_by_ceiling'), w.COLLEAGUE, w.ADVISER].sort(byNumber),
      )
      expect(await people('bem_client_antwort')).toEqual(
        [id('appuser_admin'), id('cut_by_ceiling')].sort(byNumber),
      )
      expect(await people('angebot_angenommen')).toEqual(
        [id('apus_admin'), id('admin'), id('cut_by_ceiling'), id('session_ended')].sort(byNumber),
      )
      const { rows } = await engine.owner.query<{ params: string }>(
        `select params::text from app.meldung where art = 'angebot_angenommen' limit 1`,
      )
      expect(JSON.parse(rows[0]!.params)).toEqual({ angebot: 'AN-3', kunde: 'Forst A' })
    })

    test('who is locked is told nothing', async () => {
      await notify(String(id('disabled')))
      expect(await told('karte_gezeigt')).toEqual([])
    })

    test('each kind is switchable for the application and for the mail', async () => {
      const wishes: [number, string[], boolean | undefined, boolean][] = [
        [id('appuser'), [], true, true],
        [id('kundenadmin'), ['karte_gezeigt'], false, true],
        [id('ogf_standard'), ['karte_gezeigt.mail'], true, false],
        [id('ogf_team'), ['karte_gezeigt', 'karte_gezeigt.mail'], undefined, false],
        [id('apus_team'), ['laufzeit_endet', 'laufzeit_endet.mail'], true, true],
      ]
      for (const [user, muted] of wishes)
        await engine.owner.query(
          `insert into app.einstellung (user_id, schluessel, wert) values ($1, 'mutedNotices', $2::jsonb)`,
          [user, JSON.stringify(muted)],
        )
      await notify(wishes.map(([user]) => user).join(','))
      const { rows } = await engine.owner.query<{ user_id: number; in_app: boolean; mail: boolean }>(
        `select m.user_id, m.in_app, p.meldung_id is not null as mail from app.meldung m
         left join notices.meldung_post p on p.meldung_id = m.id`,
      )
      for (const [user, muted, inApp, mail] of wishes) {
        const row = rows.find(({ user_id }) => user_id === user)
        expect(row?.in_app, muted.join()).toBe(inApp)
        expect(row?.mail ?? false, muted.join()).toBe(mail)
      }
      const seen = await attempt(
        engine.api,
        claimsOf('kundenadmin'),
        sql('select app.__o_count_meldungen() as n'),
      )
      expect(seen).toMatchObject({ rows: [{ n: 0 }] })
    })

    test('what a screen may not lead to is refused', async () => {
      for (const target of [
        '//evil.example',
        'https://evil.example',
        '/\\evil',
        'javascript:alert(1)',
        '/a b',
      ])
        await expect(
          engine.owner.query(`select notices.notify('karte_gezeigt', '{106}', 'x', '{}', $1)`, [target]),
          target,
        ).rejects.toMatchObject({ code: '23514' })
    })

    test('no caller of the API tells anybody anything', async () => {
      for (const text of [
        `select notices.notify('karte_gezeigt', '{106}', 'x', '{}', '/x')`,
        `select notices.notify_expiring(current_date)`,
        'select * from notices.take_mail(1)',
        'select notices.begin_mails(now())',
        'select notices.give_up_mails()',
        'select * from notices.meldung_post',
        'select notices.mail_result(1, true)',
        `select * from notices.renew_mail('{1}', '{1}')`,
      ])
        expect(await attempt(engine.api, claimsOf('admin'), sql(text)), text).toMatchObject({ code: '42501' })
    })

    test('ticking off answers what changed, and exactly that is taken back', async () => {
      await notify(String(id('appuser')), 'karte/1')
      await notify(String(id('appuser')), 'karte/2')
      const ids = (
        await engine.owner.query<{ id: number }>('select id from app.meldung order by id')
      ).rows.map((row) => row.id)
      const numbers = (value: unknown) =>
        String(value).replace(/[{}]/g, '').split(',').filter(Boolean).map(Number)
      const outcome = await attempt(
        engine.api,
        claimsOf('appuser'),
        sql('select app.__o_set_meldungen_gelesen($1::bigint[])', `{${ids[0]}}`),
        sql('select app.__o_set_meldungen_gelesen() as ids'),
      )
      expect('rows' in outcome && numbers(outcome.rows[0]?.['ids'])).toEqual([ids[1]])
      const back = await attempt(
        engine.api,
        claimsOf('appuser'),
        sql('select app.__o_set_meldungen_gelesen()'),
        sql('select app.__o_set_meldungen_gelesen($1::bigint[], false)', `{${ids[1]}}`),
        sql('select app.__o_count_meldungen() as n'),
      )
      expect(back).toMatchObject({ rows: [{ n: 1 }] })
    })

    describe('mails', () => {
      test('are taken once, to the sign-in and no unconfirmed address, and not while somebody is at it', async () => {
        await engine.owner.query(
          `update app.benutzer set mail = 'kontakt@forst.example' where user_id in ($1, $2)`,
          [id('appuser'), id('kundenadmin')],
        )
        await notify(`${id('appuser')},${id('kundenadmin')}`)
        const taken = await take()
        expect(
          taken
            .toSorted((a, b) => Number(a.person) - Number(b.person))
            .map(({ person, empfaenger, versuch, ziel }) => ({
              person: Number(person),
              empfaenger,
              versuch,
              ziel,
            })),
        ).toEqual([
          {
            person: id('kundenadmin'),
            empfaenger: w.usernameOf(id('kundenadmin')),
            versuch: 1,
            ziel: '/karten/7',
          },
          { person: id('appuser'), empfaenger: w.usernameOf(id('appuser')), versuch: 1, ziel: '/karten/7' },
        ])
        expect(await take()).toEqual([])
        for (const { meldung_id } of taken)
          await asBetrieb('select notices.mail_result($1, true)', meldung_id)
        await engine.owner.script(`update notices.meldung_post set naechster = now() - interval '1 hour'`)
        expect(await take()).toEqual([])
        expect((await posts()).map(({ zustand }) => zustand)).toEqual(['gesendet', 'gesendet'])
      })
      test('that are refused come again later and later, and are given up after six tries', async () => {
        await notify(String(id('appuser')))
        const waits: number[] = []
        for (let attemptNr = 1; attemptNr <= 6; attemptNr++) {
          const [mail] = await take()
          expect(mail?.versuch).toBe(attemptNr)
          await asBetrieb('select notices.mail_result($1, false)', mail?.meldung_id)
          expect(await take()).toEqual([])
          const { rows } = await engine.owner.query<{ minutes: number }>(
            'select round(extract(epoch from naechster - now()) / 60)::int as minutes from notices.meldung_post',
          )
          waits.push(rows[0]!.minutes)
          await engine.owner.script(`update notices.meldung_post set naechster = now()`)
        }
        expect(waits.slice(0, 5)).toEqual([1, 5, 25, 125, 625])
        expect(await posts()).toEqual([{ zustand: 'aufgegeben', grund: 'abgelehnt', versuche: 6 }])
        expect(await take()).toEqual([])
      })
      test('end with the right that they came from, in the application too', async () => {
        const [user, admin] = [id('appuser'), id('appuser_admin')]
        const kept = async () =>
          (await told('karte_gezeigt')).map(({ user_id }) => Number(user_id)).toSorted(byNumber)
        await notify(`${user},${admin}`)
        await engine.owner.script(
          `begin; update app.benutzer_kunde set rolle = 'nutzer' where user_id = ${admin};
           delete from app.benutzer_kunde where user_id = ${user} and client_id = ${w.A}`,
        )
        expect(await kept()).toEqual([])
        expect(await take()).toEqual([])
        await engine.owner.script('rollback')
        expect(await kept()).toEqual([user, admin].toSorted(byNumber))
        // A change of something else, or of another customer's link, takes nothing.
        await engine.owner.script(
          `begin; update app.benutzer_kunde set kataster_enabled = true where user_id = ${admin};
           update app.benutzer set last_name = 'x' where user_id = ${user}`,
        )
        expect(await kept()).toEqual([user, admin].toSorted(byNumber))
        await engine.owner.script(
          `rollback; begin; update app.benutzer set system_status = 'ogf_standard' where user_id = ${user}`,
        )
        expect(await kept()).toEqual([admin])
        await engine.owner.script('rollback')
      })
      test('one is held anew before it is handed over, unless another server has it', async () => {
        await notify(String(id('appuser')))
        const [mail] = await take()
        const hold = async (tries: number) =>
          (
            await asBetrieb(
              'select meldung_id from notices.renew_mail($1::bigint[], $2::integer[])',
              [mail?.meldung_id],
              [tries],
            )
          ).length
        const due = () =>
          engine.owner.script(`update notices.meldung_post set naechster = naechster - interval '11 minutes'`)
        expect(await hold(1)).toBe(1)
        await due()
        expect(await take()).toEqual([])
        await due()
        expect(await take()).toMatchObject([{ versuch: 2 }])
        expect([await hold(1), await hold(2)]).toEqual([0, 1])
        await asBetrieb('select notices.mail_result($1, true)', mail?.meldung_id)
        expect(await hold(2)).toBe(0)
      })
      test('of a server that died over them are taken over after ten minutes', async () => {
        await notify(String(id('appuser')))
        await take()
        await engine.owner.script(
          `update notices.meldung_post set naechster = naechster - interval '10 minutes'`,
        )
        expect((await take()).map(({ versuch }) => versuch)).toEqual([2])
      })
      test('of what was read meanwhile, of the locked and of last week are not sent', async () => {
        await notify(`${id('appuser')},${id('kundenadmin')},${id('ogf_team')}`)
        await engine.owner.script(`update app.meldung set gelesen_am = now() where user_id = ${id('appuser')};
          update app.benutzer set enabled = false where user_id = ${id('kundenadmin')};
          update app.meldung set erstellt = now() - interval '4 days' where user_id = ${id('ogf_team')}`)
        expect(await take()).toEqual([])
        expect((await posts()).map(({ grund }) => String(grund)).sort((a, b) => a.localeCompare(b))).toEqual([
          'gelesen',
          'gesperrt',
          'zu alt',
        ])
      })
      test('do not pile up without a mail server', async () => {
        await notify(String(id('appuser')))
        await asBetrieb('select notices.give_up_mails()')
        expect(await take()).toEqual([])
        expect(await posts()).toEqual([{ zustand: 'aufgegeben', grund: 'kein Mailserver', versuche: 0 }])
      })
      test('from before a mail server was set are not sent, those from then on are', async () => {
        const begin = (since: string) =>
          asBetrieb<{ n: number }>(`select notices.begin_mails(now() + interval '${since}') as n`)
        await notify(String(id('appuser')))
        // The server was there before the notice, although it never sent anything.
        expect(await begin('-1 minute')).toEqual([{ n: 0 }])
        expect(await begin('1 minute')).toEqual([{ n: 1 }])
        expect(await posts()).toEqual([{ zustand: 'aufgegeben', grund: 'kein Mailserver', versuche: 0 }])
        // Where mails were sent before, a restart sends what waits.
        await engine.owner.script(`update notices.meldung_post
          set zustand = 'gesendet', grund = null, gesendet_am = now() + interval '1 second'`)
        await notify(String(id('kundenadmin')))
        expect(await begin('1 minute')).toEqual([{ n: 0 }])
        expect(await take()).toHaveLength(1)
      })
      test('of what was rolled back do not exist', async () => {
        await engine.owner.script(
          `begin; select notices.notify('karte_gezeigt', '{${id('appuser')}}', 'x', '{"karte": "Plan 7"}', '/karten/7');
           rollback`,
        )
        expect(await take()).toEqual([])
      })
    })

    test('the daily work and the post may be done as forst_betrieb', () =>
      engine.owner.script(
        `begin; set local role forst_betrieb;
         select notices.notify_expiring('${DAY}'), notices.begin_mails(now()),
           notices.give_up_mails(), notices.mail_result(0, true);
         select * from notices.take_mail(1); rollback`,
      ))

    test('after half a year a notice goes', async () => {
      await notify(String(id('appuser')))
      await run(DAY)
      expect(await told('karte_gezeigt')).toHaveLength(1)
      await engine.owner.script(`update app.meldung set erstellt = date '${DAY}' - 184`)
      await run(DAY)
      expect(await told('karte_gezeigt')).toEqual([])
    })
  })
