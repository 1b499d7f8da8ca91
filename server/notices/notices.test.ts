// The texts of the mails, and a mail's way from the database to a mail server; what the database does by
// itself is tested in db/test/notice.sql.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NoticeContent } from '#contract/notice.ts'
import type { OwnerConnection, Result } from '#server/database/database.ts'
import { silentLog } from '#server/log.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { writeLetter } from '#server/mail/write-letter.ts'
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts'
import { noticeLetter } from './mail-text.ts'
import type { PostOptions } from './post-options.ts'
import { sendWaiting } from './post.ts'
import { officeDay } from '#server/office-day.ts'

const ALL: readonly [content: NoticeContent, subject: string, sentence: string][] = [
  [
    { art: 'karte_gezeigt', params: { karte: 'Plan 7' } },
    'Neuer Plan: Plan 7',
    'der Plan „Plan 7“ wurde für Sie freigegeben.',
  ],
  [
    { art: 'bem_client_antwort', params: { karte: 'Plan 7' } },
    'Antwort zum Plan Plan 7',
    'Ihre Bemerkung zum Plan „Plan 7“ wurde beantwortet.',
  ],
  [
    { art: 'angebot_angenommen', params: { angebot: 'AN-3', kunde: 'Müller' } },
    'Angebot AN-3 angenommen',
    'Müller hat das Angebot AN-3 angenommen.',
  ],
  [
    { art: 'angebot_angenommen', params: { angebot: 'AN-3', kunde: null } },
    'Angebot AN-3 angenommen',
    'das Angebot AN-3 wurde angenommen.',
  ],
  [
    {
      art: 'gutschein_laeuft_ab',
      params: { id: 4, expire_date: '2026-12-01', rabatt_abo: 12.5, rabatt_kawm: 7 },
    },
    'Gutschein 4 läuft am 01.12.2026 ab',
    'der Gutschein 4 (12,5 % auf das Abo, 7 % auf KAWM) wurde noch nicht eingelöst und läuft am 01.12.2026 ab.',
  ],
  [
    {
      art: 'laufzeit_endet',
      params: { hq: 'Revier Nord', modul: 'kawm', ende: '2026-12-31', zustand: 'gekuendigt' },
    },
    'Laufzeit endet am 31.12.2026: Revier Nord',
    'das Abo KAWM für Revier Nord ist gekündigt und endet am 31.12.2026.',
  ],
  [
    {
      art: 'laufzeit_endet',
      params: { hq: 'Revier Nord', modul: 'basis_fe', ende: '2026-12-31', zustand: 'aktiv' },
    },
    'Laufzeit endet am 31.12.2026: Revier Nord',
    'das Abo Basis-Forsteinrichtung für Revier Nord läuft bis zum 31.12.2026. ' +
      'Wird es nicht gekündigt, verlängert es sich danach.',
  ],
  [
    { art: 'notiz_erwaehnt', params: { von: 'Anna Meier', art: 'karte', name: 'Plan 7' } },
    'Sie wurden erwähnt: Notiz zum Plan „Plan 7“',
    'Anna Meier hat Sie in einer Notiz zum Plan „Plan 7“ erwähnt.',
  ],
  [
    { art: 'buecher_befund', params: { anzahl: 3 } },
    'Die Bücher sind nicht, wie sie gebucht wurden',
    'die nächtliche Prüfung der Bücher hat etwas gefunden, das sich seit dem Buchen geändert hat. Bitte ' +
      'sehen Sie es sich heute noch an, und ändern Sie bis dahin nichts.',
  ],
  [
    { art: 'notiz_erwaehnt', params: { von: null, art: 'rechnung', name: '' } },
    'Sie wurden erwähnt: Notiz zu einem Rechnungsentwurf',
    'Sie wurden in einer Notiz zu einem Rechnungsentwurf erwähnt.',
  ],
]
const AROUND = {
  language: 'de',
  name: 'Jörg Eiche',
  title: 'Forstkontor',
  origin: 'https://forst.example',
} as const
const LINK = 'https://forst.example/karten/7'
const mailOf = (content: NoticeContent, around: Parameters<typeof noticeLetter>[1] = AROUND) =>
  writeLetter(noticeLetter({ content, link: LINK }, around), { name: around.title, letterhead: null })

describe('a mail', () => {
  test.each(ALL)('%j', (content, subject, sentence) => {
    const mail = mailOf(content)
    expect(mail.subject).toBe(`${subject} – Forstkontor`)
    expect(mail.text).toContain(`Guten Tag Jörg Eiche,\n\n${sentence}\n\n`)
    expect(mail.text).toMatch(
      /\n(?:Plan|Angebot|Gutscheine|Abo|Notiz|Antwort|Prüfung) \S+:\nhttps:\/\/forst\.example\/karten\/7\n/,
    )
    expect(mail.text).toContain(
      'Welche das sind, können Sie in Ihrem Profil einstellen:\nhttps://forst.example/profile/index',
    )
  })
  test.each(ALL)('in English: %j', (content) => {
    const { subject, text, html } = mailOf(content, { ...AROUND, language: 'en' })
    expect(text).toMatch(/^Hello Jörg Eiche,\n\n[A-Z]/)
    expect(text).toContain('Kind regards\nForstkontor')
    expect(html).toContain('<html lang="en">')
    for (const part of [subject, text, html])
      expect(part).not.toMatch(/\b(?:Sie|Ihre?|der|die|das|wurde|Karte|Angebot|Gutschein|Laufzeit|für)\b/)
  })
  test('its subject is one line, whatever a name holds', () => {
    const { subject } = mailOf({
      art: 'karte_gezeigt',
      params: { karte: 'a\r\nBcc: b@evil.example\u2028c' },
    })
    expect(subject).toBe('Neuer Plan: a Bcc: b@evil.example c – Forstkontor')
  })
  test('without a name it greets all the same', () =>
    expect(mailOf(ALL[0]![0], { ...AROUND, name: null }).text).toContain('Guten Tag,\n\nder Plan'))
})

test('the day is that of the people, not of the server’s clock', () => {
  expect(officeDay(new Date('2026-11-21T22:59:00Z'))).toBe('2026-11-21')
  expect(officeDay(new Date('2026-11-21T23:00:00Z'))).toBe('2026-11-22')
  expect(officeDay(new Date('2026-06-21T22:00:00Z'))).toBe('2026-06-22')
})

describe('the post', () => {
  let sink: SmtpSink
  beforeAll(async () => {
    sink = await startSmtpSink()
  })
  afterAll(() => sink.close())

  /** Stands in for notices.take_mail: hands out waiting mails, and records what is reported back. */
  function desk(count: number, taken: readonly number[] = []) {
    const waiting = Array.from({ length: count }, (_, nr) => ({
      meldung_id: nr + 1,
      person: nr + 1,
      empfaenger: `person${nr + 1}@forst.example`,
      name: null,
      language: 'de',
      letterhead: null,
      art: 'karte_gezeigt',
      params: '{"karte": "Dränplan"}',
      ziel: '/karten/7',
      versuch: 1,
    }))
    const settled: unknown[][] = []
    const owner: OwnerConnection = {
      engine: 'embedded',
      query: <Row>(text: string, values: readonly unknown[] = []): Promise<Result<Row>> => {
        if (text.includes('mail_result')) settled.push([...values])
        if (text.includes('give_up_mails')) settled.push(['aufgegeben', waiting.splice(0).length])
        const rows = text.includes('take_mail')
          ? waiting.splice(0, Number(values[0]))
          : text.includes('renew_mail')
            ? (values[0] as number[])
                .filter((id) => !taken.includes(id))
                .map((noticeId) => ({ meldung_id: noticeId }))
            : []
        return Promise.resolve({ rows: rows as Row[], rowCount: rows.length })
      },
      script: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    const options: PostOptions = {
      asOwner: (work) => work(owner),
      send: createMailer({ smtpUrl: sink.url, from: 'Forstkontor <konto@forst.example>', log: silentLog }),
      origin: 'https://forst.example',
      title: 'Forstkontor',
      log: silentLog,
    }
    return { settled, options, waiting }
  }

  test('hands everything over, more than one load, and settles each', async () => {
    const { settled, options } = desk(230)
    expect(await sendWaiting(options)).toBe(230)
    expect(settled).toEqual(Array.from({ length: 230 }, (_, nr) => [nr + 1, true]))
    const mail = sink.mails.find(({ to }) => to[0] === 'person7@forst.example')
    expect(mail?.headers).toMatchObject({
      subject: 'Neuer Plan: Dränplan – Forstkontor',
      'message-id': '<meldung-7@forst.example>',
    })
    expect(mail?.text).toContain('https://forst.example/karten/7')
    expect(mail?.html).toContain('href="https://forst.example/karten/7"')
  })
  test('what another server has taken meanwhile is not sent twice', async () => {
    const { settled, options } = desk(3, [2])
    expect(await sendWaiting(options)).toBe(2)
    expect(settled).toEqual([
      [1, true],
      [3, true],
    ])
  })
  test('what waits for one person goes in one mail', async () => {
    const { settled, options, waiting } = desk(3)
    waiting[2] = {
      ...waiting[2]!,
      person: 1,
      empfaenger: 'person1@forst.example',
      params: '{"karte": "Anderer Plan"}',
    }
    expect(await sendWaiting(options)).toBe(2)
    expect(settled.map(([id]) => id)).toEqual([1, 3, 2])
    const mail = sink.mails.findLast(({ to }) => to[0] === 'person1@forst.example')
    expect(mail?.headers['subject']).toBe('2 Benachrichtigungen – Forstkontor')
    expect(mail?.text).toContain(
      '• Der Plan „Dränplan“ wurde für Sie freigegeben.\n  https://forst.example/karten/7\n',
    )
    expect(mail?.text).toContain('• Der Plan „Anderer Plan“ wurde für Sie freigegeben.')
    expect(mail?.text).toContain('https://forst.example/profile/index')
  })
  test('two people with one address get a mail each', async () => {
    const { settled, options, waiting } = desk(2)
    waiting[1] = { ...waiting[1]!, empfaenger: waiting[0]!.empfaenger }
    expect(await sendWaiting(options)).toBe(2)
    expect(settled).toEqual([
      [1, true],
      [2, true],
    ])
  })
  test('what cannot be put into words holds up nobody, not even the same person’s other notices', async () => {
    const { settled, options, waiting } = desk(5)
    waiting[0] = { ...waiting[0]!, art: 'unbekannt' }
    waiting[1] = { ...waiting[1]!, params: '{' }
    waiting[3] = {
      ...waiting[3]!,
      person: 1,
      empfaenger: 'person1@forst.example',
      params: '{"karte": "Fließplan"}',
    }
    expect(await sendWaiting(options)).toBe(3)
    expect(settled.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, true],
      [5, true],
    ])
    expect(
      sink.mails.findLast(({ headers }) => headers['message-id'] === '<meldung-4@forst.example>')?.text,
    ).toContain('Fließplan')
  })
  test('a mailer that throws is settled as a refusal and the next mail goes out', async () => {
    const { settled, options } = desk(2)
    const send: PostOptions['send'] = (mail) =>
      mail.to === 'person1@forst.example' ? Promise.reject(new Error('broken')) : options.send!(mail)
    expect(await sendWaiting({ ...options, send })).toBe(1)
    expect(settled).toEqual([
      [1, false],
      [2, true],
    ])
  })
  test('a refusal is settled as one', async () => {
    sink.refuse = true
    const { settled, options } = desk(1)
    expect(await sendWaiting(options)).toBe(0)
    expect(settled).toEqual([[1, false]])
    sink.refuse = false
  })
  test('without a mail server what waits is given up', async () => {
    const { settled, options } = desk(3)
    expect(await sendWaiting({ ...options, send: null })).toBe(0)
    expect(settled).toEqual([['aufgegeben', 3]])
  })
  test('at the end no further mail is begun', async () => {
    const { settled, options } = desk(3)
    expect(await sendWaiting({ ...options, isStopped: () => settled.length === 1 })).toBe(1)
    expect(settled).toEqual([[1, true]])
  })
})
