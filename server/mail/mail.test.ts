// Every mail of the product, through a real mail server and a mail parser, with everyday names and hostile
// ones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog, silentLog } from '#server/log.ts'
import { EVERYDAY, sampleMails } from '../../test/sample-mails.ts'
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts'
import { paragraph, written, type WrittenLetter } from './letter.ts'
import { createMailer } from './mailer.ts'
import { oneLine, plainText } from './plain.ts'
import { writeLetter } from './write-letter.ts'

let sink: SmtpSink
beforeAll(async () => {
  sink = await startSmtpSink()
})
afterAll(() => sink.close())

async function received(letter: WrittenLetter) {
  const send = createMailer({ smtpUrl: sink.url, from: 'Forstkontor <a@forst.example>', log: silentLog })!
  expect(await send({ ...letter, to: 'b@forst.example', messageId: '<1@forst.example>' })).toBe(true)
  return sink.mails.at(-1)!
}

const HOSTILE = {
  markup: '<script>alert(1)</script>"><img src=x onerror=alert(1)>',
  entities: "&lt;b&gt; &amp;nbsp; ' \" ` ='",
  comment: '--> <![endif]--> <!-- ]]> </style></title>',
  direction: 'Rechnung\u202Efdp.exe\u202C \u2066x\u2069 \u200F\u061C',
  lines: 'Plan 7\r\nBcc: dieb@evil.example\r\n\r\n<h1>x</h1>\u2028\u0085\u0000\u001B[31m\v',
  address: 'https://evil.example/"onmouseover="x javascript:alert(1)',
  long: 'Sehrlangeswortohneeineinzigesleerzeichen'.repeat(20),
  encoded: '=?utf-8?B?PGI+?= .\r\n.\r\n',
}
const ALL = (['de', 'en'] as const).flatMap((language) =>
  Object.entries({ everyday: EVERYDAY.karte, ...HOSTILE }).map(
    ([kind, name]) =>
      [
        kind,
        language,
        sampleMails(
          language,
          kind === 'everyday'
            ? EVERYDAY
            : { title: name, person: name, karte: name, kunde: name, company: name },
        ),
      ] as const,
  ),
)

/** What is left of a page without its texts: elements, attributes, and nothing a name could have added. */
const skeleton = (page: string) =>
  page
    .replace(/<title>.*?<\/title>/s, '')
    .replaceAll(/href="[^"]*"/g, 'href')
    .replaceAll(/>[^<]+/g, '>')

const LINK = /^<(?:\/a|a class="link" href style="[^"<]*")>$/

describe.each(ALL)('%s names, %s', (kind, language, mails) => {
  test.each(Object.entries(mails))('%s', async (name, letter) => {
    const mail = await received(letter)
    expect(mail.headers['content-type']).toMatch(/^multipart\/alternative;/)
    expect(Object.keys(mail.headers)).not.toContain('bcc')
    expect(mail.to).toEqual(['b@forst.example'])
    // As written, but for spaces that a header folds.
    expect(mail.headers['subject']?.replaceAll(/\s+/g, ' ')).toBe(letter.subject.replaceAll(/\s+/g, ' '))
    expect(letter.subject).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    expect(mail.text.trim()).toBe(letter.text.trim())
    expect(mail.html.trim()).toBe(letter.html.trim())
    for (const part of [mail.text, mail.html])
      expect(part).not.toMatch(
        /[\u202A-\u202E\u2066-\u2069\u200F\u061C]|(?![\n\r])\p{Cc}|undefined|\[object/u,
      )
    // No element or attribute that the same mail with everyday names lacks. An address of a page in a text that
    // a person wrote is a link.
    const tags = new Set(skeleton(mail.html).match(/<[^>]*>/g))
    const usual = new Set(skeleton(sampleMails(language)[name]!.html).match(/<[^>]*>/g))
    expect([...tags].filter((tag) => !usual.has(tag) && !(kind === 'address' && LINK.test(tag)))).toEqual([])
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link!)
    expect(links.filter((link) => !link.startsWith('https://')).length).toBe(0)
    if (kind !== 'address')
      expect(links.filter((link) => !link.startsWith('https://forst.example/'))).toEqual([])
  })
})

describe('the HTML', () => {
  const all = Object.entries({ ...sampleMails('de'), ...sampleMails('en') })
  test.each(all)(
    '%s loads nothing, has one button at most and spells its link out',
    (_name, { html, text }) => {
      expect(html).not.toMatch(
        /<(?:img|link|script|iframe|object|form|svg|video)\b|url\(|@import|background=/i,
      )
      const buttons = [...html.matchAll(/<a class="press" href="([^"]*)"/g)].map(([, link]) => link!)
      expect(buttons.length).toBeLessThanOrEqual(1)
      for (const link of buttons) {
        expect(html).toContain(`>${link}</a>`)
        expect(text).toContain(`\n${link}\n`)
      }
      // Gmail cuts a mail off at 102 kB.
      expect(Buffer.byteLength(html)).toBeLessThan(30_000)
    },
  )
  test('has light colours on the elements and dark ones in its sheet', () => {
    const { html } = sampleMails('de')['einladung-de']!
    expect(html).toContain('bgcolor="#154D00"')
    expect(html).toContain('#6fc760')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media(prefers-color-scheme:dark)')
    expect(html).toContain('<!--[if mso]><table role="presentation" width="600"')
  })
  test('makes links of the addresses in what the office wrote, and only of those', () => {
    const { html } = writeLetter(
      {
        language: 'de',
        subject: 'x',
        blocks: [
          written('Siehe https://a.example/b?c=1&d=2. Und javascript:alert(1), ftp://x'),
          paragraph('Guten Tag https://evil.example/x,'),
        ],
      },
      { name: 'x', letterhead: null },
    )
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)).toEqual([
      'https://a.example/b?c=1&amp;d=2',
    ])
    expect(html).toContain('</a>. Und javascript:alert(1), ftp://x')
  })
  test.each(['de', 'en'] as const)('leads nowhere that a name says, %s', (language) => {
    const address = 'https://evil.example/zahlen'
    const typed = { title: 'Forst', person: address, karte: address, kunde: address, company: 'Forst' }
    const mails = Object.entries(sampleMails(language, typed))
    // Covers of documents are written and sent by the office, names included.
    for (const [name, { html }] of mails.filter(([one]) => !one.startsWith('beleg-')))
      expect(
        [...html.matchAll(/href="([^"]*)"/g)].filter(([, link]) => link!.includes('evil')),
        name,
      ).toEqual([])
  })
  test('to an address that nobody has confirmed bears nothing that a user typed', () => {
    const names = { ...EVERYDAY, person: 'Frau Marke', karte: 'Frau Marke', kunde: 'Frau Marke' }
    const mails = sampleMails('de', names)
    for (const name of ['kontakt-de', 'einladung-de', 'passwort-de', 'sperre-de', 'passwort-neu-de']) {
      expect(mails[name], name).toBeDefined()
      expect(JSON.stringify(mails[name]), name).not.toContain('Frau Marke')
    }
  })
  test('that is not sent is logged without its subject, which names customers', async () => {
    const lines: string[] = []
    const log = createLog(
      (line) => lines.push(line),
      () => new Date(),
    )
    const send = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'a@forst.example', log })!
    const letter = { subject: 'Plan Kundenmarke', text: 'x', html: 'x' }
    expect(await send({ ...letter, to: 'b@forst.example', messageId: '<7@forst.example>' })).toBe(false)
    expect(lines.join()).toContain('<7@forst.example>')
    expect(lines.join()).not.toMatch(/Kundenmarke|b@forst/)
  })
  test('a button leads to a page and nowhere else', () => {
    for (const link of ['javascript:alert(1)', 'https://a.example/"x', '//a.example', 'https://a.example/ b'])
      expect(() =>
        writeLetter(
          { language: 'de', subject: 'x', blocks: [{ kind: 'button', label: 'x', link }] },
          { name: 'x', letterhead: null },
        ),
      ).toThrow('page')
  })
})

describe('the foot', () => {
  const LETTER = { language: 'de', subject: 'x', blocks: [] } as const
  test('bears the letterhead and the support, if there are any', () => {
    const { text } = sampleMails('de')['einladung-de']!
    expect(text).toContain(
      '\n-- \nFragen? Rufen Sie uns an: 05323 1234-0 (Mo-Fr 9-17 Uhr)\n\nWaldvermessung Müßig & Söhne GmbH\n' +
        'Am Försterhof 7 · 38678 Clausthal-Zellerfeld\n',
    )
    expect(text).toContain('Amtsgericht Braunschweig, HRB 201234\n')
    expect(text).toContain('USt-IdNr. DE123456788\n')
  })
  test('is left out otherwise', () => {
    const { text, html } = writeLetter(LETTER, { name: 'Forstkontor', letterhead: null, support: null })
    expect(text).not.toContain('--')
    expect(html).not.toContain('class="soft"')
  })
})

test('texts without what hides or turns around', () => {
  expect(plainText('a\r\nb\u2028c\td\u0000\u202Ee')).toBe('a\nb\nc de')
  expect(oneLine(' a\r\n\u0085b\u202Ec\t ')).toBe('a bc')
  expect(oneLine('=?utf-8?B?4oCu?=')).toBe('= ?utf-8?B?4oCu?=')
  // Not cut within a letter.
  expect(oneLine('🌲'.repeat(300))).toBe('🌲'.repeat(200))
})
