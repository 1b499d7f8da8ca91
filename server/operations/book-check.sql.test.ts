// Anchors and the nightly check with a real chain on both engines: what the chain alone cannot find is found
// here, the bookkeeping is warned, and the head leaves the house.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestAnchors, type TestAnchors } from '#server/anchors.fixture.ts'
import { silentLog } from '#server/log.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { addObserver } from '#server/observe.ts'
import { type StampServer, startStampServer } from '#server/time-stamp.fixture.ts'
import { ENGINES, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts'
import { anchorJob, readHead, setAnchor } from './book-anchors.ts'
import { bookCheckJob, type BookCheckOptions, checkBooks, sendHead } from './book-check.ts'

const NEVER = new AbortController().signal
/** The last row of the log and its seal: cut off, the chain itself is sound. */
const CUT = `delete from app.siegel where nr = (select max(nr) from app.siegel)`
/** The last entry made again with another time. */
const REMAKE = `update app.siegel s set zeit = s.zeit - interval '1 hour',
    hash = books.seal_hash(
      jsonb_populate_record(s, jsonb_build_object('zeit', s.zeit - interval '1 hour')),
      coalesce((select d.hash from app.siegel d where d.nr = s.nr - 1), books.seal_origin())
    ) where s.nr = (select max(nr) from app.siegel)`

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`the nightly check of the books on ${engineName}`, () => {
    let engine: Engine
    let anchors: TestAnchors
    let stamps: StampServer
    let post: SmtpSink
    let options: BookCheckOptions
    const folder = mkdtempSync(join(tmpdir(), 'forstkontor-tsa-'))
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      stamps = await startStampServer()
      const authority = join(folder, 'authority.pem')
      writeFileSync(authority, stamps.certificates)
      anchors = createTestAnchors({ TIMESTAMP_URL: stamps.url, TIMESTAMP_CERTIFICATES: authority })
      post = await startSmtpSink()
      const send = createMailer({ smtpUrl: post.url, from: 'post@forst.example', log: silentLog })!
      options = {
        ...anchors,
        asOwner: (work) => work(engine.owner),
        engine: engineName,
        log: silentLog,
        now: () => new Date(),
        mail: { send, to: 'kanzlei@example.com', origin: 'https://forst.example', title: 'Forstkontor' },
      }
    }, 240_000)
    afterAll(async () => {
      anchors?.remove()
      rmSync(folder, { recursive: true })
      post?.close()
      await stamps?.close()
      await engine?.close()
    })
    const asSuperuser = (text: string) =>
      engine.owner.script(`begin; set local session_replication_role = replica; ${text}; commit`)
    /** Rolled back afterwards: what is manipulated must not reach the next test. */
    async function manipulated<T>(text: string, work: () => Promise<T>): Promise<T> {
      await engine.owner.script(`begin; create table betrieb.kept as select * from app.siegel; commit`)
      await asSuperuser(text)
      try {
        return await work()
      } finally {
        await asSuperuser('delete from app.siegel; insert into app.siegel select * from betrieb.kept')
        await engine.owner.script('drop table betrieb.kept')
      }
    }
    const told = async () =>
      (
        await engine.owner.query<{ user_id: string; params: string }>(
          `select user_id::text, params::text from app.meldung where art = 'buecher_befund' order by 1`,
        )
      ).rows
    /** Of a server that starts and ends. */
    const oneRound = async (): Promise<boolean | undefined> => {
      const job = bookCheckJob({ ...options, engine: 'embedded', at: '00:00' })
      const rounds: boolean[] = []
      const end = addObserver({
        around: (what, work) => {
          const done = work()
          const note = (ok: boolean) => what.kind === 'job' && rounds.push(ok)
          done.then(
            () => note(true),
            () => note(false),
          )
          return done
        },
        noted: () => undefined,
      })
      job.start()
      job.wake()
      await expect.poll(() => rounds.length).toBe(1)
      await job.stop()
      end()
      return rounds[0]
    }
    const kinds = async () => {
      const { faults } = await checkBooks(options, NEVER)
      return faults
    }

    test('sound books are anchored, and nobody is told', async () => {
      await setAnchor(options, 'stand')
      const result = await checkBooks(options, NEVER)
      const { rows } = await engine.owner.query<{ n: string }>(
        `select ((select count(*) from app.dokument) + (select count(*) from app.eingang)
          + (select count(*) from app.anlage))::text as n`,
      )
      expect([result.faults, String(result.files)]).toEqual([0, rows[0]!.n])
      expect(result.bytes).toBeGreaterThan(0)
      expect(result.head).toEqual(await readHead(options.asOwner))
      expect(await told()).toEqual([])
      expect(readFileSync(anchors.file, 'utf8').trimEnd().split('\n')).toHaveLength(2)
    })
    test('a proof of the night is kept, of nobody', async () => {
      const { rows } = await engine.owner.query(
        `select art, ok, user_id from app.buchpruefung order by id desc limit 3`,
      )
      expect(rows).toEqual([
        // The last row says that the night is done.
        { art: 'dateien', ok: true, user_id: null },
        { art: 'anker', ok: true, user_id: null },
        { art: 'alles', ok: true, user_id: null },
      ])
    })
    test('a night that breaks off before its end is not done', async () => {
      const done = async () =>
        (await engine.owner.query(`select from app.buchpruefung where art = 'dateien' and user_id is null`))
          .rowCount
      const before = await done()
      await expect(checkBooks({ ...options, file: anchors.folder }, NEVER)).rejects.toThrow()
      expect(await done()).toBe(before)
    })
    test.each([
      ['the newest entry cut off', CUT],
      ['the newest entry made again', REMAKE],
      ['everything deleted', 'delete from app.siegel'],
    ])('%s is found by the anchors', async (_what, text) => {
      const before = await kinds()
      expect(await manipulated(text, kinds)).toBeGreaterThan(before)
      // Kept, so that the alert on the books sees it.
      const { rows } = await engine.owner.query<{ ok: boolean; n: number }>(
        `select ok, jsonb_array_length(befunde) as n from app.buchpruefung
         where art = 'anker' order by id desc limit 1`,
      )
      expect([rows[0]?.ok, Number(rows[0]?.n) > 0]).toEqual([false, true])
    })
    test('the bookkeeping is told once a day', async () => {
      const rows = await told()
      const { rows: people } = await engine.owner.query<{ user_id: string }>(
        `select user_id::text from app.benutzer
         where enabled and (apus_admin or system_status in ('apus_admin', 'admin')) order by 1`,
      )
      expect(rows.map(({ user_id }) => user_id)).toEqual(people.map(({ user_id }) => user_id))
    })
    test('bytes that were replaced are found', async () => {
      await engine.owner.script('alter table app.dokument drop constraint dokument_check')
      const flip = () =>
        asSuperuser(`update app.dokument set inhalt = set_byte(inhalt, 0, 255 - get_byte(inhalt, 0))
          where id = (select min(id) from app.dokument)`)
      const before = await kinds()
      await flip()
      expect(await kinds()).toBe(before + 1)
      await flip()
      expect(await kinds()).toBe(before)
    })
    test('the head goes out by mail and as a time stamp; what fails is left for the next try', async () => {
      const head = (await readHead(options.asOwner))!
      const left = new Set(['mail', 'stamp'] as const)
      post.refuse = true
      stamps.fault = 'refused'
      await sendHead(options, head, left)
      expect([...left]).toEqual(['mail', 'stamp'])
      post.refuse = false
      await sendHead(options, head, left)
      expect([...left]).toEqual(['stamp'])
      stamps.fault = null
      await sendHead(options, head, left)
      expect([...left]).toEqual([])
      const mail = post.mails.at(-1)!
      expect([mail.to, mail.text.includes(head.kopf), mail.text.includes(`Siegel ${head.nr}`)]).toEqual([
        ['kanzlei@example.com'],
        true,
        true,
      ])
      expect(readFileSync(anchors.file, 'utf8')).toContain('"zeitstempel":"')
    })
    test('an issue wakes the job, and each head is anchored once', async () => {
      const file = join(anchors.folder, 'job.jsonl')
      const job = anchorJob({ ...options, file, everyMs: 3_600_000 })
      expect(job.wokenBy).toContain('a_issue_invoice')
      const count = () => readFileSync(file, 'utf8').trimEnd().split('\n').length
      job.start()
      job.wake()
      await expect.poll(() => existsSync(file) && count(), { timeout: 20_000 }).toBe(1)
      job.wake()
      await asSuperuser('select 1')
      job.wake()
      await job.stop()
      expect(count()).toBe(1)
    })
    test('a head that could not be mailed goes out after a restart, once', async () => {
      await asSuperuser(`update app.buchpruefung set zeit = zeit - interval '2 days'`)
      const sent = async () =>
        (
          await engine.owner.query<{ art: string }>(
            `select art from app.buchpruefung where art in ('mail', 'stempel') and zeit > now() - interval '1 day'
             order by art`,
          )
        ).rows.map(({ art }) => art)
      const before = post.mails.length
      post.refuse = true
      // Counted as failed, for the alerts.
      expect(await oneRound()).toBe(false)
      expect(await sent()).toEqual(['stempel'])
      expect(post.mails.length).toBe(before)
      post.refuse = false
      expect(await oneRound()).toBe(true)
      expect(await sent()).toEqual(['mail', 'stempel'])
      expect(post.mails.at(-1)?.text).toContain((await readHead(options.asOwner))!.kopf)
      await oneRound()
      expect(post.mails.length).toBe(before + 1)
    })
    test('the job of the night does its work once', async () => {
      const before = (await engine.owner.query('select from app.buchpruefung')).rowCount
      await oneRound()
      // The proofs of the tests before were made after midnight.
      expect((await engine.owner.query('select from app.buchpruefung')).rowCount).toBe(before)
    })
  })
