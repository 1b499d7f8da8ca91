// A mail server for tests that speaks just enough SMTP and keeps what it was given.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

export interface KeptMail {
  readonly to: readonly string[]
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}
export interface SmtpSink {
  /** For SMTP_URL. */
  readonly url: string
  readonly mails: readonly KeptMail[]
  /** While true every recipient is refused. */
  refuse: boolean
  close(): void
}

export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: KeptMail[] = []
  const server = createServer((socket) => {
    let to: string[] = []
    let data: string[] | null = null
    let rest = ''
    const answer = (line: string) => socket.write(`${line}\r\n`)
    const take = (line: string) => {
      if (data !== null) {
        if (line !== '.') return void data.push(line.startsWith('..') ? line.slice(1) : line)
        mails.push({ to, ...read(data) })
        data = null
        to = []
        return answer('250 ok')
      }
      if (/^RCPT TO/i.test(line)) {
        if (sink.refuse) return answer('450 not now')
        to.push(/<([^>]*)>/.exec(line)?.[1] ?? '')
        return answer('250 ok')
      }
      if (/^DATA/i.test(line)) {
        data = []
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
  const sink: SmtpSink = { url: `smtp://127.0.0.1:${port}`, mails, refuse: false, close: () => void server.close() }
  return sink
}

function read(lines: readonly string[]): Omit<KeptMail, 'to'> {
  const gap = lines.indexOf('')
  const unfolded = lines
    .slice(0, gap)
    .join('\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = Object.fromEntries(
    unfolded.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), words(line.slice(line.indexOf(':') + 1).trim())]),
  )
  const body = lines.slice(gap + 1).join('\n')
  const bytes =
    headers['content-transfer-encoding'] === 'base64'
      ? Buffer.from(body, 'base64')
      : headers['content-transfer-encoding'] === 'quoted-printable'
        ? quoted(body)
        : Buffer.from(body, 'latin1')
  return { headers, text: bytes.toString('utf8') }
}

const quoted = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=\n/g, '').replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** =?UTF-8?Q?…?= and =?UTF-8?B?…?= */
const words = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quoted(text.replaceAll('_', ' '))).toString('utf8'),
    )
