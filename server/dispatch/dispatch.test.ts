// Mails with documents against a mail server that refuses, defers, hangs up or stays silent; and the post
// between it and the database. What the database does by itself is tested in db/test/zahlung.sql.test.ts.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OwnerConnection, Result } from '#server/database/database.ts'
import { silentLog } from '#server/log.ts'
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts'
import { addressOf, type BelegMail, createBelegMailer } from './mail.ts'
import { attachmentsOf, type BelegFile, sendDue, type DispatchPostOptions } from './post.ts'

const FROM = 'Forstkontor <rechnung@forst.example>'
const PDF = Buffer.from('%PDF-1.7 ä')
const mailOf = (more: Partial<BelegMail> = {}): BelegMail => ({
  an: 'kasse@kunde.example',
  betreff: 'Rechnung RE-2026-0001',
  text: 'Guten Tag,\n\nanbei die Rechnung über 1.190,00 €.\n',
  html: '<p>Guten Tag,</p><p>anbei die Rechnung über 1.190,00&nbsp;€.</p>',
  absender: 'Waldvermessung Müßig & Söhne GmbH',
  replyTo: 'buero@muster.example',
  messageId: '<versand-1@forst.example>',
  attachments: [{ name: 'Rechnung-RE-2026-0001.pdf', typ: 'application/pdf', inhalt: PDF }],
  ...more,
})

let sink: SmtpSink
beforeAll(async () => {
  sink = await startSmtpSink()
})
afterEach(() => {
  sink.whim = () => null
  sink.hangUpAfter = null
})
afterAll(() => sink.close())

describe('a mail', () => {
  const send = (more: Partial<BelegMail> = {}, timeoutMs = 5_000) =>
    createBelegMailer({ smtpUrl: sink.url, from: FROM, timeoutMs })!(mailOf(more))
  const count = () => sink.mails.length

  test('brings text and files as they are, from the company and answered to its own address', async () => {
    expect(await send()).toEqual({ art: 'gesendet', grund: '' })
    const mail = sink.mails.at(-1)!
    expect(mail.to).toEqual(['kasse@kunde.example'])
    expect(mail.headers).toMatchObject({
      subject: 'Rechnung RE-2026-0001',
      'message-id': '<versand-1@forst.example>',
      from: expect.stringMatching(/Waldvermessung Müßig & Söhne GmbH"? <rechnung@forst\.example>$/) as string,
      'reply-to': expect.stringMatching(/<buero@muster\.example>$/) as string,
    })
    expect(mail.text).toContain('über 1.190,00 €')
    expect(mail.html).toContain('<p>Guten Tag,</p>')
    // The document beside the text, and the text in two forms.
    expect(mail.headers['content-type']).toMatch(/^multipart\/mixed;/)
    expect(mail.source).toContain('multipart/alternative')
    expect(mail.files).toEqual([{ name: 'Rechnung-RE-2026-0001.pdf', type: 'application/pdf', bytes: PDF }])
  })
  test('without an address for answers has none; hostile text stays text', async () => {
    const hostile = 'x\r\nBcc: dieb@evil.example\r\n\r\nInhalt'
    expect(
      await send({
        betreff: hostile,
        absender: `${hostile}" <a@evil.example>`,
        replyTo: 'a@b.example\r\nBcc: dieb@evil.example',
      }),
    ).toMatchObject({
      art: 'gesendet',
    })
    const mail = sink.mails.at(-1)!
    expect(mail.to).toEqual(['kasse@kunde.example'])
    expect(Object.keys(mail.headers)).not.toContain('bcc')
    expect(Object.keys(mail.headers)).not.toContain('reply-to')
    expect(mail.headers['subject']).toBe('x Bcc: dieb@evil.example Inhalt')
    expect(mail.text).toContain('Guten Tag')
  })
  test.each(['a@b.example, c@d.example', 'a@b.example\r\nRCPT TO:<c@d.example>', 'Name <a@b.example>', ''])(
    'goes to one address: %j is none',
    async (an) => {
      const before = count()
      expect(await send({ an })).toMatchObject({ art: 'abgelehnt' })
      expect(count()).toBe(before)
    },
  )
  test.each([
    ['a mailbox that is not there', 'rcpt', '550 5.1.1 no such user', 'abgelehnt'],
    ['greylisting', 'rcpt', '451 4.7.1 try again later', 'spaeter'],
    ['a full mailbox', 'rcpt', '452 4.2.2 mailbox full', 'spaeter'],
    ['no service now', 'data', '421 4.3.2 shutting down', 'spaeter'],
    ['content that is refused', 'body', '554 5.7.1 spam', 'abgelehnt'],
    ['too large', 'body', '552 5.3.4 too large', 'abgelehnt'],
    ['not taken now', 'body', '451 4.3.0 not now', 'spaeter'],
  ] as const)('%s', async (_what, at, line, art) => {
    const before = count()
    sink.whim = (step) => (step === at ? line : null)
    const outcome = await send()
    expect(outcome.art).toBe(art)
    expect(outcome.grund).toContain(line.slice(4))
    expect(count()).toBe(before)
  })
  test('a connection that is lost amid the mail: nobody knows how much of it the other side has taken', async () => {
    const before = count()
    sink.hangUpAfter = 20_000
    expect(
      await send({
        attachments: [{ name: 'gross.pdf', typ: 'application/pdf', inhalt: randomBytes(2_000_000) }],
      }),
    ).toMatchObject({
      art: 'ungewiss',
    })
    expect(count()).toBe(before)
  })
  test('a connection that is lost at its beginning: the mail cannot have arrived', async () => {
    sink.whim = (step) => (step === 'data' ? 'hang up' : null)
    expect(await send()).toMatchObject({ art: 'spaeter' })
  })
  test('a connection that is lost before the answer: it may have', async () => {
    sink.whim = (step) => (step === 'body' ? 'hang up' : null)
    expect(await send()).toMatchObject({ art: 'ungewiss' })
  })
  test('a mail server that never answers: not before the mail, and uncertain after it', async () => {
    sink.whim = (step) => (step === 'rcpt' ? 'say nothing' : null)
    expect(await send({}, 300)).toMatchObject({ art: 'spaeter' })
    sink.whim = (step) => (step === 'body' ? 'say nothing' : null)
    expect(await send({}, 300)).toMatchObject({ art: 'ungewiss' })
  })
  test('no mail server there', async () => {
    const mailer = createBelegMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: FROM, timeoutMs: 1_000 })!
    expect(await mailer(mailOf())).toMatchObject({ art: 'spaeter' })
    expect(createBelegMailer({ smtpUrl: undefined, from: FROM })).toBeNull()
  })
  test('the address of a sender with a name', () => {
    expect(addressOf('Forstkontor <a@b.example>')).toBe('a@b.example')
    expect(addressOf(' a@b.example ')).toBe('a@b.example')
  })
})

test('XRechnung goes as XML with a PDF to read, ZUGFeRD and paper as a PDF', () => {
  const files: BelegFile[] = [
    { art: 'pdf', name: 'a.pdf', inhalt: PDF },
    { art: 'xml', name: 'a.xml', inhalt: Buffer.from('<x/>') },
  ]
  const names = (format: 'xrechnung' | 'zugferd' | 'pdf') =>
    attachmentsOf(format, files).map(({ name, typ }) => `${name} ${typ}`)
  expect(names('xrechnung')).toEqual(['a.xml application/xml', 'a.pdf application/pdf'])
  expect(names('zugferd')).toEqual(['a.pdf application/pdf'])
  expect(names('pdf')).toEqual(['a.pdf application/pdf'])
})

describe('the post', () => {
  /** Stands in for dispatch.take_dispatch: hands out mails one by one, and records what is reported back. */
  function desk(count: number) {
    const waiting = Array.from({ length: count }, (_, nr) => ({
      versand: String(nr + 1),
      art: 'rechnung',
      id: String(nr + 100),
      an: `kunde${nr + 1}@kunde.example`,
      betreff: 'Rechnung',
      text: 'Anbei <b>„Wald“</b>:\nhttps://forst.example/annahme#abc',
      versuch: 1,
      format: 'pdf',
      absender: 'Wald GmbH',
      antwort_an: '',
      letterhead:
        '{"name":"Wald GmbH","name_zusatz":"","strasse":"Am Forst 1","plz":"38100",' +
        '"ort":"Braunschweig","telefon":"","mail":"","webseite":"","ust_id":"DE123456789","fusszeile":"HRB 1"}',
    }))
    const settled: unknown[][] = []
    const withdrawn = new Set<unknown>()
    const lost: { id: string }[] = []
    const owner: OwnerConnection = {
      engine: 'embedded',
      query: <Row>(text: string, values: readonly unknown[] = []): Promise<Result<Row>> => {
        if (text.includes('dispatch_result')) settled.push([...values])
        const rows: unknown[] = text.includes('take_dispatch')
          ? waiting.splice(0, 1)
          : text.includes('begin_dispatch')
            ? [{ ja: !withdrawn.has(values[0]) }]
            : text.includes('lost_dispatches')
              ? lost.splice(0)
              : text.includes('give_up_dispatches')
                ? [{ n: waiting.splice(0).length }]
                : []
        return Promise.resolve({ rows: rows as Row[], rowCount: rows.length })
      },
      script: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    const said: string[] = []
    const options: DispatchPostOptions = {
      asOwner: (work) => work(owner),
      send: createBelegMailer({ smtpUrl: sink.url, from: FROM, timeoutMs: 1_000 }),
      fetchFiles: (_kind, id) => Promise.resolve([{ art: 'pdf', name: `Rechnung-${id}.pdf`, inhalt: PDF }]),
      origin: 'https://forst.example',
      log: { ...silentLog, error: (message) => void said.push(message) },
    }
    return { options, settled, waiting, withdrawn, lost, said }
  }

  test('hands over what is due with its file, and what one is refused holds up no other', async () => {
    const { options, settled } = desk(3)
    sink.whim = (step, value) =>
      step === 'rcpt' && value === 'kunde2@kunde.example' ? '550 5.1.1 no such user' : null
    expect(await sendDue(options)).toBe(2)
    expect(settled).toEqual([
      ['1', '', '', 1],
      ['2', 'abgelehnt', expect.stringContaining('no such user'), 1],
      ['3', '', '', 1],
    ])
    expect(sink.mails.at(-1)).toMatchObject({
      headers: { 'message-id': '<versand-3@forst.example>' },
      files: [{ name: 'Rechnung-102.pdf' }],
    })
    const { text, html } = sink.mails.at(-1)!
    expect(text).toContain('Anbei <b>„Wald“</b>:')
    expect(text).toContain('Am Forst 1 · 38100 Braunschweig\nHRB 1\nUSt-IdNr. DE123456789')
    expect(html).toContain('Anbei &lt;b&gt;„Wald“&lt;/b&gt;:')
    expect(html).toMatch(/<a class="press" href="https:\/\/forst\.example\/annahme#abc"[^>]*>Angebot ansehen/)
    expect(html).toContain('USt-IdNr. DE123456789')
  })
  test('says uncertain where it is, and later where that helps', async () => {
    const { options, settled } = desk(2)
    sink.whim = (step, value) =>
      value === 'kunde1@kunde.example'
        ? step === 'body'
          ? 'hang up'
          : null
        : step === 'rcpt'
          ? '451 later'
          : null
    expect(await sendDue(options)).toBe(0)
    expect(settled.map(([id, reason]) => [id, reason])).toEqual([
      ['1', 'ungewiss'],
      ['2', 'spaeter'],
    ])
  })
  test('sends nothing that was withdrawn meanwhile', async () => {
    const { options, settled, withdrawn } = desk(2)
    withdrawn.add('1')
    expect(await sendDue(options)).toBe(1)
    expect(settled.map(([id]) => id)).toEqual(['2'])
  })
  test('waits for a document that cannot be set, and gives up one that is not there', async () => {
    const { options, settled } = desk(3)
    const fetchFiles: DispatchPostOptions['fetchFiles'] = (art, id) =>
      id === '100'
        ? Promise.reject(new Error('logo'))
        : id === '101'
          ? Promise.resolve([])
          : options.fetchFiles(art, id)
    expect(await sendDue({ ...options, fetchFiles })).toBe(1)
    expect(settled.map(([id, reason]) => [id, reason])).toEqual([
      ['1', 'spaeter'],
      ['2', 'dokument'],
      ['3', ''],
    ])
  })
  test('tells the log of what went down half handed over', async () => {
    const { options, lost, said } = desk(0)
    lost.push({ id: '7' })
    expect(await sendDue(options)).toBe(0)
    expect(said.join()).toContain('may or may not have been sent')
  })
  test('without a mail server what waits is given up', async () => {
    const { options, waiting } = desk(2)
    expect(await sendDue({ ...options, send: null })).toBe(0)
    expect(waiting).toEqual([])
  })
  test('at the end no further mail is begun', async () => {
    const { options, settled, waiting } = desk(3)
    expect(await sendDue({ ...options, isStopped: () => settled.length === 1 })).toBe(1)
    expect(waiting.length).toBe(2)
  })
})
