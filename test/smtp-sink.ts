// A mail server for tests that speaks just enough SMTP and keeps what it receives.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

export interface KeptMail {
  readonly to: readonly string[]
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Attachments, by the names that mail programs show. */
  readonly files: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[]
}
/** The server's answer instead of acceptance: a line, `hang up`, or `say nothing`. */
export type SmtpWhim = (step: 'rcpt' | 'data' | 'body', value: string) => string | null
export interface SmtpSink {
  /** For SMTP_URL. */
  readonly url: string
  readonly mails: readonly KeptMail[]
  /** While true, every recipient is refused. */
  refuse: boolean
  /** Called for each recipient, at DATA, and once the whole mail has arrived. */
  whim: SmtpWhim
  /** Hangs up after this many bytes of a mail. */
  hangUpAfter: number | null
  close(): void
}

export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: KeptMail[] = []
  const server = createServer((socket) => {
    let to: string[] = []
    let data: string[] | null = null
    let rest = ''
    let bytes = 0
    const answer = (line: string) => socket.write(`${line}\r\n`)
    /** False if the whim has answered instead. */
    const agrees = (step: 'rcpt' | 'data' | 'body', value: string): boolean => {
      const said = sink.whim(step, value)
      if (said === 'hang up') socket.destroy()
      else if (said !== null && said !== 'say nothing') answer(said)
      return said === null
    }
    const take = (line: string) => {
      if (data !== null) {
        bytes += line.length + 2
        if (sink.hangUpAfter !== null && bytes >= sink.hangUpAfter) return socket.destroy()
        if (line !== '.') return void data.push(line.startsWith('..') ? line.slice(1) : line)
        const mail = { to, ...read(data) }
        data = null
        to = []
        if (!agrees('body', mail.to.join())) return
        mails.push(mail)
        return answer('250 ok')
      }
      if (/^RCPT TO/i.test(line)) {
        if (sink.refuse) return answer('450 not now')
        const recipient = /<([^>]*)>/.exec(line)?.[1] ?? ''
        if (!agrees('rcpt', recipient)) return
        to.push(recipient)
        return answer('250 ok')
      }
      if (/^DATA/i.test(line)) {
        if (!agrees('data', to.join())) return
        data = []
        bytes = 0
        return answer('354 go')
      }
      if (/^QUIT/i.test(line)) return socket.end('221 bye\r\n')
      return answer('250 ok')
    }
    answer('220 test')
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        take(line)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: false,
    whim: () => null,
    hangUpAfter: null,
    close: () => void server.close(),
  }
  return sink
}

function read(lines: readonly string[]): Omit<KeptMail, 'to'> {
  const { headers, bytes } = part(lines)
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/is.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return { headers, text: bytes.toString('utf8'), files: [] }
  const parts = lines
    .join('\n')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((one) => part(one.replace(/^\n/, '').replace(/\n$/, '').split('\n')))
  const files = parts.flatMap((one) => {
    const disposition = one.headers['content-disposition'] ?? ''
    if (!disposition.startsWith('attachment')) return []
    const name =
      /filename\*0?\*?=(?:utf-8'')?"?([^";]+)"?/i.exec(disposition)?.[1] ??
      /filename="?([^";]+)"?/i.exec(disposition)?.[1] ??
      ''
    return [
      {
        name: decodeURIComponent(words(name)),
        type: (one.headers['content-type'] ?? '').split(';')[0] ?? '',
        bytes: one.bytes,
      },
    ]
  })
  return { headers, text: parts[0]?.bytes.toString('utf8') ?? '', files }
}

function part(lines: readonly string[]): { headers: Record<string, string>; bytes: Buffer } {
  const gap = lines.indexOf('')
  const unfolded = lines
    .slice(0, gap)
    .join('\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = Object.fromEntries(
    unfolded.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      words(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  )
  const body = lines.slice(gap + 1).join('\n')
  const encoding = headers['content-transfer-encoding']
  return {
    headers,
    bytes:
      encoding === 'base64'
        ? Buffer.from(body, 'base64')
        : encoding === 'quoted-printable'
          ? quoted(body)
          : Buffer.from(body, 'latin1'),
  }
}

const quoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** =?UTF-8?Q?…?= and =?UTF-8?B?…?= */
const words = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quoted(text.replaceAll('_', ' '))).toString(
        'utf8',
      ),
    )
