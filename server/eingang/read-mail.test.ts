// Mails as people send them and as nobody should: what is found in them, and that the process that reads them ends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { EINGANG_BYTES } from '#contract/eingang.ts'
import { READER_LIMITS } from '#server/reader/confined.ts'
import { seeMail } from './mail-reader.ts'
import { MAIL_FILES } from './read-mail.ts'

const folder = mkdtempSync(join(tmpdir(), 'mail-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function seen(mail: string | Buffer) {
  const path = join(folder, 'mail')
  writeFileSync(path, mail)
  const files: [name: string, bytes: string | null][] = []
  const options = { limits: READER_LIMITS, signal: AbortSignal.timeout(60_000) }
  const { head, rule } = await seeMail(path, options, async (name, bytes) => {
    files.push([name, bytes === null ? null : bytes.toString('latin1').slice(0, 20)])
  })
  return { head, rule, files }
}
const HEAD =
  'From: =?utf-8?Q?M=C3=BCller?= <a@b.de>\r\nSubject: Rechnung\r\nDate: Tue, 3 Mar 2026 09:00:00 +0100\r\n'
const mixed = (...parts: string[]): string =>
  `${HEAD}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n` +
  `${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`
const file = (name: string, body: string, type = 'application/pdf'): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n` +
  `Content-Disposition: attachment; filename="${name}"\r\n\r\n${Buffer.from(body).toString('base64')}`

test('who sent it, when, and its files that may be invoices', async () =>
  expect(
    await seen(
      mixed(
        'Content-Type: text/html\r\n\r\n<p>Anbei</p>',
        file('Rechnung.pdf', '%PDF-1'),
        file('xrechnung', '<a/>', 'application/xml'),
        file('daten.XML', '<b/>', 'application/octet-stream'),
        file('logo.png', 'PNG', 'image/png'),
      ),
    ),
  ).toEqual({
    head: { from: 'Müller <a@b.de>', subject: 'Rechnung', sentAt: '2026-03-03T08:00:00.000Z' },
    rule: null,
    files: [
      ['Rechnung.pdf', '%PDF-1'],
      ['xrechnung', '<a/>'],
      ['daten.XML', '<b/>'],
    ],
  }))
test('files of a mail that was passed on count as well', async () => {
  const inner = mixed(file('innen.pdf', '%PDF-1'))
  expect(
    (
      await seen(
        mixed(`Content-Type: message/rfc822\r\n\r\n${inner.replaceAll('--x', '--y').replace('=x', '=y')}`),
      )
    ).files,
  ).toEqual([['innen.pdf', '%PDF-1']])
})
test('a file that is larger than an invoice may be is named without its bytes', async () => {
  const { files } = await seen(
    mixed(file('gross.pdf', 'a'.repeat(EINGANG_BYTES + 1)), file('gut.pdf', '%PDF-1')),
  )
  expect(files).toEqual([
    ['gross.pdf', null],
    ['gut.pdf', '%PDF-1'],
  ])
})

describe('hostile ones', () => {
  const part = (at: number) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`
  const nested = (depth: number): string =>
    `${HEAD}${Array.from({ length: depth }, (_, at) => part(at)).join('')}`
  test.each<[string, () => string | Buffer, string | null]>([
    ['empty', () => '', 'mail_ohne'],
    ['no mail at all', () => Buffer.alloc(100_000, 0xff), 'mail_ohne'],
    ['without files', () => `${HEAD}\r\nIhre Rechnung: https://evil.example/`, 'mail_ohne'],
    [
      '500 files',
      () => mixed(...Array.from({ length: 500 }, (_, at) => file(`${at}.pdf`, '%PDF'))),
      'mail_viele',
    ],
    [
      'as many files as are looked at',
      () => mixed(...Array.from({ length: MAIL_FILES }, () => file('a.pdf', '%PDF'))),
      null,
    ],
    ['parts 10,000 deep', () => nested(10_000), 'mail_kaputt'],
    ['heads of 8 MB', () => `${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(8_000)}\r\n`, 'mail_kaputt'],
    ['one line of 20 MB', () => `${HEAD}\r\n${'a'.repeat(20_000_000)}`, 'mail_ohne'],
    [
      'a boundary that never ends',
      () => `${HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n${'-'.repeat(1_000_000)}`,
      'mail_ohne',
    ],
    ['signs that are no base64', () => mixed(file('a.pdf', 'x').replace(/eA==$/, '!!§\u0000é')), null],
    ['mails in mails', () => `${HEAD}${'Content-Type: message/rfc822\r\n\r\n'.repeat(2_000)}`, 'mail_ohne'],
    ['a million recipients', () => `To: ${'a@b.de,'.repeat(120_000)}\r\n${HEAD}\r\n`, 'mail_ohne'],
  ])('%s', { timeout: 60_000 }, async (_what, make, rule) => expect((await seen(make())).rule).toBe(rule))
  test('names and subjects are shown on one line, without signs that turn it', async () => {
    const subject = `=?utf-8?B?${Buffer.from('Rech\u202Enung\n\u0000x').toString('base64')}?=`
    const { head } = await seen(
      `From: "=?utf-8?Q?=E2=80=AEa?=" <x@y.de>\r\nSubject: ${subject}\r\nDate: gestern\r\n\r\n`,
    )
    expect(head).toEqual({ from: 'a <x@y.de>', subject: 'Rech nung x', sentAt: null })
  })
})
