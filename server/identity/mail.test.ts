// The links and warnings of the sign-in, as a mail server receives them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import type { Letter } from '#server/mail/letter.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { writeLetter } from '#server/mail/write-letter.ts'
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts'
import { factorRemoved, invitation, lockWarning, passwordChanged, passwordReset } from './mail.ts'

let sink: SmtpSink
beforeAll(async () => {
  sink = await startSmtpSink()
})
afterAll(() => sink.close())

const FROM = 'Forstkontor <konto@forst.example>'
const AROUND = {
  language: 'de',
  title: 'Forstkontor',
  publicOrigin: 'https://forst.example',
  link: 'https://forst.example/anmelden/passwort/AbC-dEf_0123456789012345678901234567890123',
  expires: new Date('2026-11-28T10:30:00Z'),
} as const
const send = (letter: Letter, to = 'jörg@forst.example', smtpUrl = sink.url) =>
  createMailer({ smtpUrl, from: FROM, log: silentLog })!({
    ...writeLetter(letter, { name: 'Forstkontor', letterhead: null }),
    to,
    messageId: '<anmeldung-1@forst.example>',
  })

test('a mail reaches the mail server, with its link whole and its umlauts right', async () => {
  expect(await send(passwordReset(AROUND))).toBe(true)
  const { headers, text, html } = sink.mails.at(-1)!
  expect(headers).toMatchObject({ from: FROM, 'auto-submitted': 'auto-generated' })
  expect(headers['content-type']).toMatch(/^multipart\/alternative;/)
  for (const part of [text, html]) {
    expect(part).toContain(AROUND.link)
    expect(part).toContain('Samstag, 28. November 2026 um 11:30 Uhr')
    expect(part).toContain('Mit freundlichen Grüßen')
  }
})

test('an address cannot bring further recipients or headers', async () => {
  const before = sink.mails.length
  for (const to of [
    'a@forst.example\r\nBcc: b@evil.example',
    'a@forst.example, b@evil.example',
    'b@evil.example <a@forst.example>',
    'a@forst.example;b@evil.example',
  ])
    expect(await send(invitation(AROUND), to), to).toBe(false)
  expect(sink.mails).toHaveLength(before)
  const title = 'Forstkontor\r\nBcc: b@evil.example'
  expect(await send(invitation({ ...AROUND, title }), 'a@forst.example')).toBe(true)
  expect(sink.mails.at(-1)).toMatchObject({
    to: ['a@forst.example'],
    headers: { subject: 'Ihr Zugang zu Forstkontor Bcc: b@evil.example' },
  })
  expect(Object.keys(sink.mails.at(-1)!.headers)).not.toContain('bcc')
})

test('a refusal and an absent mail server are no fault of the caller’s', async () => {
  sink.refuse = true
  expect(await send(passwordReset(AROUND))).toBe(false)
  sink.refuse = false
  expect(await send(passwordReset(AROUND), 'a@forst.example', 'smtp://127.0.0.1:1')).toBe(false)
})

test('without a mail server there is no mailer', () => {
  expect(createMailer({ smtpUrl: undefined, from: 'a@b.example', log: silentLog })).toBeNull()
})

describe('in English', () => {
  test.each([
    ['an invitation', invitation, 'Your access to Forstkontor'],
    ['a new password', passwordReset, 'New password for Forstkontor'],
    ['a warning', lockWarning, 'Failed attempts to sign in to Forstkontor'],
    ['a change', passwordChanged, 'Your password for Forstkontor was changed'],
    ['a factor removed', factorRemoved, 'Second factor for Forstkontor removed'],
  ] as const)('%s', (_what, write, subject) => {
    const letter = writeLetter(write({ ...AROUND, language: 'en' }), {
      name: 'Forstkontor',
      letterhead: null,
    })
    expect(letter.subject).toBe(subject)
    expect(letter.text).toMatch(/^Hello,\n\n/)
    expect(letter.text).not.toMatch(/\b(?:Sie|Ihr|Passwort|Uhr|Grüßen)\b/)
  })
  test('the time says whose it is', () =>
    expect(
      writeLetter(invitation({ ...AROUND, language: 'en' }), { name: '', letterhead: null }).text,
    ).toContain('until Saturday, 28 November 2026 at 11:30 (German time).'))
})
