import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { createMailer, inviteMail, resetMail } from './mail.ts'

// A mail server that speaks just enough SMTP and keeps what it receives.
const received: { to: string[]; data: string }[] = []
let server: Server
let port = 0
beforeAll(async () => {
  server = createServer((socket) => {
    let to: string[] = []
    let data: string | null = null
    socket.write('220 test\r\n')
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (data !== null) {
          if (line === '.') {
            received.push({ to, data })
            data = null
            to = []
            socket.write('250 ok\r\n')
          } else data += `${line}\n`
        } else if (/^RCPT TO/i.test(line)) {
          to.push(line)
          socket.write(line.includes('abgelehnt') ? '550 no such person\r\n' : '250 ok\r\n')
        } else if (/^DATA/i.test(line)) {
          data = ''
          socket.write('354 go\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
})

/** Decodes quoted-printable, which mails use for umlauts. */
const plain = (data: string) =>
  Buffer.from(
    data
      .replace(/=\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
const expires = new Date('2026-11-28T10:30:00Z')
const mailer = () =>
  createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'Forstkontor <konto@forst.example>',
    log: silentLog,
  })

test('a mail reaches the mail server, with its link whole and its umlauts right', async () => {
  const link = 'https://forst.example/anmelden/passwort/AbC-dEf_0123456789012345678901234567890123'
  expect(await mailer()?.(resetMail('jörg@forst.example', 'Forstkontor', link, expires))).toBe(true)
  const text = plain(received.at(-1)?.data ?? '')
  expect(text).toContain('From: Forstkontor <konto@forst.example>')
  expect(text).toContain(link)
  expect(text).toContain('Samstag, 28. November 2026 um 11:30 Uhr')
  expect(text).toContain('Mit freundlichen Grüßen')
})

test('an address cannot bring further recipients or headers', async () => {
  const before = received.length
  for (const to of [
    'a@forst.example\r\nBcc: b@evil.example',
    'a@forst.example, b@evil.example',
    'b@evil.example <a@forst.example>',
    'a@forst.example;b@evil.example',
  ])
    expect(await mailer()?.(inviteMail(to, 'Forstkontor', 'https://x.example', expires)), to).toBe(false)
  expect(received).toHaveLength(before)
  expect(
    await mailer()?.(
      inviteMail('a@forst.example', 'Forstkontor\r\nBcc: b@evil.example', 'https://x.example', expires),
    ),
  ).toBe(true)
  expect(received.at(-1)?.to).toEqual(['RCPT TO:<a@forst.example>'])
  expect(received.at(-1)?.data.split('\n\n')[0] ?? '').not.toMatch(/^Bcc:/im)
})

test('a refusal and an absent mail server are no fault of the caller’s', async () => {
  expect(
    await mailer()?.(resetMail('abgelehnt@forst.example', 'Forstkontor', 'https://x.example', expires)),
  ).toBe(false)
  const gone = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'a@b.example', log: silentLog })
  expect(await gone?.(resetMail('a@forst.example', 'Forstkontor', 'https://x.example', expires))).toBe(false)
})

test('without a mail server there is no mailer', () => {
  expect(createMailer({ smtpUrl: undefined, from: 'a@b.example', log: silentLog })).toBeNull()
})
