// A mail server for tests that speaks just enough SMTP and keeps what it receives.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import PostalMime, { decodeWords } from 'postal-mime'

export interface KeptMail {
  readonly to: readonly string[]
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Empty if there is none. */
  readonly html: string
  /** Attachments, by the names that mail programs show. */
  readonly files: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[]
  /** As it came in, a character for each byte. */
  readonly source: string
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
    const keep = async (recipients: readonly string[], lines: readonly string[]) => {
      const mail = { to: recipients, ...(await read(lines)) }
      if (!agrees('body', recipients.join())) return
      mails.push(mail)
      answer('250 ok')
    }
    const take = (line: string) => {
      if (data !== null) {
        bytes += line.length + 2
        if (sink.hangUpAfter !== null && bytes >= sink.hangUpAfter) return socket.destroy()
        if (line !== '.') return void data.push(line.startsWith('..') ? line.slice(1) : line)
        void keep(to, data)
        data = null
        to = []
        return
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

async function read(lines: readonly string[]): Promise<Omit<KeptMail, 'to'>> {
  const source = Buffer.from(lines.join('\r\n'), 'latin1')
  const { headers, text = '', html = '', attachments } = await PostalMime.parse(source)
  return {
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, decodeWords(value)])),
    text,
    html,
    files: attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? '',
      type: mimeType,
      bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
    })),
    source: source.toString('latin1'),
  }
}
