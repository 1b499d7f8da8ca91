// The mailbox: one session for one look, with limits for its silence and its answers. Only bytes come from it; what
// is in a mail is read beside the server.
import { open } from 'node:fs/promises'
import { ImapFlow } from 'imapflow'
import { MAIL_BYTES } from './read-mail.ts'
import { isDiskFull } from '#server/full-disk.ts'

export interface MailboxOptions {
  /** imaps://user:password@host:993; with imap:// the connection is turned into TLS. */
  readonly url: string
  readonly folder: string
  readonly done: string
  readonly refused: string
  /** Gives up after this time without an answer. */
  readonly silenceMs?: number
}

/** anmeldung: the password is wrong · ordner: a folder is not there and cannot be made · verbindung: all else. */
export class MailboxFault extends Error {
  override readonly name = 'MailboxFault'
  readonly what: 'anmeldung' | 'verbindung' | 'ordner'
  constructor(what: MailboxFault['what'], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.what = what
  }
}

export interface Mailbox {
  /** Of every mail, oldest first. */
  readonly mails: readonly number[]
  /** The same for a mail as long as it is there; no other mail ever has it. */
  keyOf(uid: number): string
  /** False: it is larger than any mail with an invoice. Null: it is gone. */
  save(uid: number, path: string): Promise<boolean | null>
  move(uid: number, to: 'done' | 'refused'): Promise<void>
  close(): void
}

const SILENCE_MS = 60_000
const CHUNK_BYTES = 2 ** 20
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** user@host: whose mailbox it is, without its password. */
export function mailboxAddress(url: string): string {
  const { username, hostname } = new URL(url)
  const user = decodeURIComponent(username)
  return user.includes('@') ? `${user} (${hostname})` : `${user}@${hostname}`
}

function connectionOf({ url, silenceMs = SILENCE_MS }: MailboxOptions): ImapFlow {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'imaps:'
  return new ImapFlow({
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? (secure ? 993 : 143) : Number(port),
    secure,
    // A password never crosses the net in the clear.
    ...(secure || LOOPBACK.has(hostname) ? {} : { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    maxLineLength: 4 * 2 ** 20,
    maxLiteralSize: 4 * CHUNK_BYTES,
    maxResponseSize: 8 * CHUNK_BYTES,
    maxResponseTokens: 100_000,
  })
}

/** @throws MailboxFault */
export async function openMailbox(options: MailboxOptions): Promise<Mailbox> {
  const client = connectionOf(options)
  // Said by the call that was under way.
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (const folder of [options.done, options.refused]) await makeFolder(client, folder)
    const { uidValidity } = await client.mailboxOpen(options.folder).catch((error: unknown) => {
      throw new MailboxFault('ordner', error)
    })
    const mails = (await client.search({ all: true }, { uid: true })) || []
    return {
      mails: mails.toSorted((one, other) => one - other),
      keyOf: (uid) => `${mailboxAddress(options.url)} ${options.folder} ${uidValidity} ${uid}`,
      save: (uid, path) => inTime(save(client, uid, path)),
      move: async (uid, to) => {
        const moved = await inTime(client.messageMove(String(uid), options[to], { uid: true }))
        if (moved === false) throw new MailboxFault('ordner', `not moved to ${options[to]}`)
      },
      close: () => client.close(),
    }
  } catch (error) {
    client.close()
    throw faultOf(error)
  }
}

async function makeFolder(client: ImapFlow, folder: string): Promise<void> {
  try {
    // Answers that it is there already.
    await client.mailboxCreate(folder)
  } catch (error) {
    if (!client.usable) throw error
    throw new MailboxFault('ordner', error)
  }
}

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw faultOf(error)
  }
}

function faultOf(error: unknown): unknown {
  if (error instanceof MailboxFault || isDiskFull(error)) return error
  const { authenticationFailed } = error as { authenticationFailed?: boolean }
  return new MailboxFault(authenticationFailed === true ? 'anmeldung' : 'verbindung', error)
}

/** Piece by piece, so that a server that states a false size fills neither memory nor disk. */
async function save(client: ImapFlow, uid: number, path: string): Promise<boolean | null> {
  const found = await client.fetchOne(String(uid), { size: true }, { uid: true })
  if (found === false) return null
  if ((found.size ?? 0) > MAIL_BYTES) return false
  const file = await open(path, 'w', 0o600)
  try {
    for (let at = 0; ; ) {
      const piece = await client.fetchOne(
        String(uid),
        { source: { start: at, maxLength: CHUNK_BYTES } },
        { uid: true },
      )
      if (piece === false) return null
      const bytes = piece.source ?? Buffer.alloc(0)
      at += bytes.length
      if (at > MAIL_BYTES) return false
      await file.write(bytes)
      if (bytes.length < CHUNK_BYTES) return true
    }
  } finally {
    await file.close()
  }
}
