// Invoices that come by mail, from a real IMAP server: what is taken in, what is refused, and that nothing is lost
// or doubled whatever happens in between.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Eingang, EingangPostfach } from '#contract/eingang.ts'
import { cii } from '#domain/eingang/files.fixture.ts'
import type { AsOwner } from '#server/as-betrieb.ts'
import { SaidFault } from '#server/job.ts'
import { silentLog } from '#server/log.ts'
import { addObserver } from '#server/observe.ts'
import { READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { claimsOf } from '../../db/test/world.ts'
import {
  asMailProgram,
  findMailServer,
  type MailServer,
  type SentMail,
  startMailServer,
  supplierMail,
} from '../../test/mail-server.ts'
import { sha } from '../../test/tus.ts'
import { SPEC } from './hostile-files.fixture.ts'
import { lookOnce, mailJob, type MailJobOptions } from './mail-job.ts'
import { mailboxAddress } from './mailbox.ts'
import { makePdf } from './pdf.fixture.ts'
import { MAIL_BYTES } from './read-mail.ts'
import { createUploadFolder } from './upload-folder.ts'

const root = findMailServer()
const NEVER = new AbortController().signal
const [DONE, REFUSED] = ['Uebernommen', 'Abgelehnt']

const invoice = (number: string): string => cii({ ...SPEC, number })

for (const engineName of EITHER_ENGINE)
  describe.skipIf(root === undefined || isMissing(engineName))(
    `a mailbox of received invoices on ${engineName}`,
    () => {
      let engine: Engine
      let server: MailServer
      let folder: string
      const work = createWorkQueue()
      const asOwner: AsOwner = (task) => task(engine.owner)

      beforeAll(async () => {
        engine = await openEngine(engineName)
        await buildWorld(engine.owner)
        await engine.owner.script('update app.eingang_mail set erledigt = true')
        server = await startMailServer(root!)
        folder = await mkdtemp(join(tmpdir(), 'postfach-'))
      })
      afterAll(async () => {
        await server?.stop()
        await engine?.close()
        if (folder !== undefined) await rm(folder, { recursive: true, force: true })
      })

      const optionsFor = (
        user: string,
        more: { password?: string; silenceMs?: number } = {},
      ): MailJobOptions => ({
        checkByRules: async () => null,
        asOwner,
        everyMs: 1000,
        log: silentLog,
        limits: READER_LIMITS,
        work,
        folder: createUploadFolder(folder),
        mailbox: {
          url: server.urlOf(user, more.password),
          folder: 'INBOX',
          done: DONE,
          refused: REFUSED,
          silenceMs: more.silenceMs ?? 20_000,
        },
      })
      const look = async (user: string, more: object = {}) =>
        (await lookOnce({ ...optionsFor(user), ...more }, NEVER)).dealt
      /** As another mail program sees it. */
      const as = <T>(user: string, act: (client: ImapFlow) => Promise<T>) => asMailProgram(server, user, act)
      const put = (user: string, ...mails: readonly (Buffer | SentMail)[]) =>
        as(user, async (client) => {
          // oxlint-disable-next-line no-await-in-loop -- in this order
          for (const mail of mails)
            await client.append('INBOX', Buffer.isBuffer(mail) ? mail : await supplierMail(mail))
        })
      /** How many mails are where. */
      const where = (user: string) =>
        as(user, async (client) => {
          const count = async (name: string) => {
            const found = await client.status(name, { messages: true }).catch(() => false as const)
            return found === false ? 0 : (found.messages ?? 0)
          }
          return { inbox: await count('INBOX'), done: await count(DONE), refused: await count(REFUSED) }
        })
      const one = async <T>(text: string, ...values: unknown[]): Promise<T> => {
        const { rows } = await engine.api.once<Record<string, unknown>>(
          asCaller(claimsOf('apus_admin')),
          sql(`select ${text}`, ...values),
        )
        return Object.values(rows[0] ?? {})[0] as T
      }
      const shown = async (): Promise<EingangPostfach> =>
        JSON.parse(await one<string>('app.a_get_eingang_postfach()::text')) as EingangPostfach
      const count = () => one<number>('count(*)::integer from app.eingang')
      const idOf = (number: string) =>
        one<number | undefined>('max(id) from app.eingang where nummer = $1', number)

      test('its invoices are taken in with who sent them, and the mail is moved', async () => {
        const [xml, pdf] = [Buffer.from(invoice('M-1')), makePdf({ attachments: [] })]
        await put('gut', {
          files: [
            ['xrechnung.xml', xml],
            ['../Ansicht.pdf', pdf],
            ['logo.png', 'PNG'],
          ],
        })
        const before = await count()
        expect(await look('gut')).toBe(1)
        expect(await count()).toBe(before + 2)
        expect(await where('gut')).toEqual({ inbox: 0, done: 1, refused: 0 })
        const record = JSON.parse(
          await one<string>('app.a_get_eingang($1)::text', await idOf('M-1')),
        ) as Eingang
        expect(record).toMatchObject({
          dateiname: 'xrechnung.xml',
          sha256: sha(new Uint8Array(xml)),
          zustand: 'neu',
          kreditor_id: 71,
          herkunft: {
            von: 'Müller & Söhne <rechnung@mueller.example>',
            betreff: 'Ihre Rechnung',
            am: '2026-03-03T08:00:00.000Z',
          },
        })
        const state = await shown()
        expect(state).toMatchObject({ adresse: 'gut@127.0.0.1', fehler: '', mails: [] })
        expect(Date.now() - Date.parse(state.geschaut_am!)).toBeLessThan(60_000)
        await engine.owner.script('select books.seal_missing()')
        expect(await one('ok from app.a_check_protokoll()')).toBe(true)
      })
      test('a mail that comes twice brings its invoice once', async () => {
        const mail = await supplierMail({ files: [['a.xml', invoice('M-2')]] })
        await put('zweimal', mail, mail)
        const before = await count()
        expect(await look('zweimal')).toBe(2)
        expect(await count()).toBe(before + 1)
        expect(await where('zweimal')).toEqual({ inbox: 0, done: 2, refused: 0 })
      })
      test.each([
        ['books.note_eingang_mail', 'before the mail is noted'],
        ['books.add_eingang_mail', 'while a file is taken in'],
      ])('a server that ends at %s, %s, loses and doubles nothing', async (statement) => {
        const user = statement.slice(6, 10)
        await put(user, {
          files: [
            ['a.xml', invoice(`K-${user}-1`)],
            ['b.xml', invoice(`K-${user}-2`)],
          ],
        })
        const before = await count()
        let calls = 0
        // The second file, or the note: nothing of this server is committed from then on.
        const killed: AsOwner = (task) =>
          task({
            ...engine.owner,
            script: (text) => engine.owner.script(text),
            query: (text, ...rest) => {
              if (text.includes(statement) && ++calls === (statement.includes('add') ? 2 : 1))
                throw new Error('killed')
              return engine.owner.query(text, ...rest)
            },
          })
        await look(user, { asOwner: killed })
        expect(await where(user)).toMatchObject({ inbox: 1, done: 0 })
        expect((await shown()).fehler).toBe('mail')
        expect(await look(user)).toBe(1)
        expect(await where(user)).toEqual({ inbox: 0, done: 1, refused: 0 })
        expect(await count()).toBe(before + 2)
      })
      test('a server that ends between commit and moving only moves it afterwards', async () => {
        await put('umzug', { files: [['a.xml', invoice('U-1')]] })
        const before = await count()
        const ending = new AbortController()
        const noted: AsOwner = (task) =>
          task({
            ...engine.owner,
            script: (text) => engine.owner.script(text),
            query: async (text, ...rest) => {
              const answer = await engine.owner.query(text, ...rest)
              if (text.includes('note_eingang_mail')) ending.abort()
              return answer as never
            },
          })
        await lookOnce({ ...optionsFor('umzug'), asOwner: noted }, ending.signal).catch(() => undefined)
        expect(await where('umzug')).toMatchObject({ inbox: 1, done: 0 })
        expect(await count()).toBe(before + 1)
        let read = 0
        const reading = {
          ...work,
          run: (...asked: Parameters<typeof work.run>) => {
            read++
            return work.run(...asked)
          },
        } as typeof work
        expect(await look('umzug', { work: reading })).toBe(1)
        expect(read).toBe(0)
        expect(await where('umzug')).toEqual({ inbox: 0, done: 1, refused: 0 })
        expect(await count()).toBe(before + 1)
      })
      test('what is not taken in says why, until somebody has looked after it', async () => {
        await put(
          'nein',
          { subject: 'Werbung' },
          { subject: 'Bestellung', files: [['a.xml', '<Order/>']] },
          {
            subject: 'Beides',
            files: [
              ['a.xml', invoice('N-1')],
              ['b.pdf', ''],
            ],
          },
          Buffer.from('\u0000\r\n'),
        )
        expect(await look('nein')).toBe(4)
        expect(await where('nein')).toEqual({ inbox: 0, done: 0, refused: 4 })
        const id = await idOf('N-1')
        expect((await shown()).mails.slice(0, 4)).toMatchObject([
          { absender: '', betreff: '', zustand: 'abgelehnt', grund: 'mail_ohne', teile: [] },
          {
            betreff: 'Beides',
            zustand: 'teilweise',
            grund: '',
            teile: [
              { name: 'a.xml', eingang_id: id, grund: '' },
              { name: 'b.pdf', eingang_id: null, grund: 'eingang_leer' },
            ],
          },
          { zustand: 'abgelehnt', teile: [{ name: 'a.xml', eingang_id: null, grund: 'eingang_fremd' }] },
          { betreff: 'Werbung', absender: 'Müller & Söhne <rechnung@mueller.example>', grund: 'mail_ohne' },
        ])
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        for (const { id: mail } of (await shown()).mails)
          await one('app.a_set_eingang_mail_erledigt($1)', mail)
        expect((await shown()).mails).toEqual([])
      })
      test('huge mails and floods of files hold up no other', { timeout: 120_000 }, async () => {
        const files = Array.from({ length: 500 }, (_, at) => [`${at}.xml`, invoice(`F-${at}`)] as const)
        await put(
          'viel',
          { subject: 'Flut', files },
          Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(MAIL_BYTES, 'a\r\n')]),
        )
        await put('viel', { files: [['gut.xml', invoice('V-9')]] })
        const before = await count()
        expect(await look('viel')).toBe(3)
        expect(await count()).toBe(before + 1)
        expect(await where('viel')).toEqual({ inbox: 0, done: 1, refused: 2 })
        expect((await shown()).mails.map(({ grund }) => grund)).toEqual(['mail_gross', 'mail_viele'])
      })
      test('a wrong password is said, and forgotten once it is right', async () => {
        await put('falsch', { files: [['a.xml', invoice('P-1')]] })
        await lookOnce(optionsFor('falsch', { password: 'anders' }), NEVER)
        expect(await shown()).toMatchObject({
          adresse: 'falsch@127.0.0.1',
          fehler: 'anmeldung',
          geschaut_am: null,
        })
        expect(await look('falsch')).toBe(1)
        expect((await shown()).fehler).toBe('')
      })
      test('a look that failed counts as a failed round, and is said once', async () => {
        const said: string[] = []
        const log = { ...silentLog, error: (message: string) => void said.push(message) }
        const job = mailJob({ ...optionsFor('falsch', { password: 'anders' }), log })
        let fault: unknown
        const end = addObserver({
          around: (what, work) => {
            const done = work()
            if (what.kind === 'job') done.catch((error: unknown) => (fault = error))
            return done
          },
          noted: () => undefined,
        })
        job.start()
        job.wake()
        await expect.poll(() => fault).toBeInstanceOf(SaidFault)
        await job.stop()
        end()
        expect(said).toEqual(['mailbox not seen'])
        await look('falsch')
      })
      test('a password never crosses the net in the clear', async () => {
        await put('offen', { files: [['a.xml', invoice('T-1')]] })
        const { mailbox, ...rest } = optionsFor('offen')
        // The same server under an address that is not this machine's own, and without TLS.
        const url = mailbox!.url.replace('127.0.0.1', '0.0.0.0')
        await lookOnce({ ...rest, mailbox: { ...mailbox!, url } }, NEVER)
        expect((await shown()).fehler).toBe('verbindung')
        expect((await where('offen')).inbox).toBe(1)
      })
      test('a folder that cannot be made is said, and the mail stays', async () => {
        await put('ordner', { files: [['a.xml', invoice('O-1')]] })
        const options = optionsFor('ordner')
        await lookOnce({ ...options, mailbox: { ...options.mailbox!, done: 'INBOX/\u0001' } }, NEVER)
        expect((await shown()).fehler).toBe('ordner')
        await lookOnce({ ...options, mailbox: { ...options.mailbox!, folder: 'Gibtsnicht' } }, NEVER)
        expect((await shown()).fehler).toBe('ordner')
        expect((await where('ordner')).inbox).toBe(1)
      })
      test('a server that falls silent, or is not there, is given up in time', async () => {
        await put('stumm', { files: [['a.xml', invoice('S-1')]] })
        server.halt(true)
        const began = Date.now()
        await lookOnce(optionsFor('stumm', { silenceMs: 700 }), NEVER).finally(() => server.halt(false))
        expect(Date.now() - began).toBeLessThan(10_000)
        expect((await shown()).fehler).toBe('verbindung')
        const { mailbox, ...rest } = optionsFor('stumm')
        await lookOnce({ ...rest, mailbox: { ...mailbox!, url: 'imap://a:b@127.0.0.1:1' } }, NEVER)
        expect((await shown()).fehler).toBe('verbindung')
        await sleep(200)
        expect(await look('stumm')).toBe(1)
      })
      test('of several servers one looks at a time, and a killed one is followed after ten minutes', async () => {
        await put('zwei', { files: [['a.xml', invoice('Z-1')]] })
        await engine.owner.script(`select books.claim_postfach('zwei@127.0.0.1')`)
        expect(await look('zwei')).toBe(0)
        const past = "now() - interval '1 second'"
        await engine.owner.script(`update app.eingang_postfach set belegt_bis = ${past}`)
        expect(await look('zwei')).toBe(1)
      })
      test('without a setting nothing is looked at, and the page shows none', async () => {
        expect(await look('gut', { mailbox: null })).toBe(0)
        expect((await shown()).adresse).toBe('')
      })
    },
  )

test.each([
  ['imaps://eingang%40forst.example:x@mail.example', 'eingang@forst.example (mail.example)'],
  ['imap://eingang:x@mail.example:143', 'eingang@mail.example'],
])('the page names the mailbox of %s without its password', (url, name) =>
  expect(mailboxAddress(url)).toBe(name),
)
