// Dovecot as IMAP server for tests, installed or unpacked from Debian's packages into its own folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import { createTransport } from 'nodemailer'
import { unpackedFolder, unpackPackages } from './debian-packages.ts'
import { freePort } from './private-postgres.ts'

const PACKAGES = ['dovecot-core', 'dovecot-imapd']
const UNPACKED = unpackedFolder('dovecot')
const LIBRARIES = 'usr/lib/dovecot'
/** Where its libraries look for modules; of equal length, in the server's own folder. */
const [MODULES, OWN_MODULES] = ['/usr/lib/dovecot/modules', `./${'/'.repeat(15)}modules`]

/** The folder that has usr/sbin/dovecot; undefined if there is none. */
export const findMailServer = (): string | undefined =>
  ['/', UNPACKED].find(
    (root) => existsSync(join(root, 'usr/sbin/dovecot')) && existsSync(join(root, LIBRARIES, 'imap')),
  )

/** False where apt does not know it. */
export const unpackMailServer = (): boolean =>
  findMailServer() !== undefined || unpackPackages(PACKAGES, UNPACKED, (root) => patch(join(root, LIBRARIES)))

/** Its libraries name the folder of their modules, which is not there. */
function patch(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!lstatSync(path).isFile()) continue
    const bytes = readFileSync(path)
    let at = bytes.indexOf(MODULES)
    if (at < 0) continue
    for (; at >= 0; at = bytes.indexOf(MODULES, at)) bytes.write(OWN_MODULES, at)
    writeFileSync(path, bytes)
  }
}

export interface MailServer {
  readonly port: number
  readonly password: string
  /** Everybody who knows the password has a mailbox. */
  urlOf(user: string, password?: string): string
  /** Suspends it, as if the network were gone, until it is resumed. */
  halt(halted: boolean): void
  stop(): Promise<void>
}

export async function startMailServer(root: string): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-imap-'))
  chmodSync(folder, 0o755)
  const [base, mails, password] = [join(folder, 'base'), join(folder, 'mails'), 'sehr-geheim:1234']
  mkdirSync(base)
  mkdirSync(mails)
  symlinkSync(join(root, LIBRARIES, 'modules'), join(base, 'modules'))
  const { uid, gid, username } = userInfo()
  // As root it refuses to open mailboxes of root.
  const [owner, group] = uid === 0 ? [65_534, 65_534] : [uid, gid]
  if (uid === 0) chownSync(mails, owner, group)
  const port = await freePort()
  const libraries = join(root, LIBRARIES)
  const path = [libraries, join(libraries, 'modules/old-stats')].join(':')
  const config = join(folder, 'dovecot.conf')
  writeFileSync(
    config,
    `base_dir = ${base}
state_dir = ${join(folder, 'state')}
libexec_dir = ${libraries}
mail_plugin_dir = ${join(libraries, 'modules')}
login_plugin_dir = ${join(libraries, 'modules/login')}
import_environment = LD_LIBRARY_PATH=${path}
auth_mechanisms = plain login
auth_failure_delay = 0
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
log_path = ${join(folder, 'log.txt')}
default_internal_user = ${username}
default_internal_group = ${uid === 0 ? 'root' : group}
default_login_user = ${uid === 0 ? 'nobody' : username}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:${mails}/%u
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${owner} gid=${group} home=${mails}/%u
}
service config {
  executable = ${join(libraries, 'config')} -c ${config}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
  )
  const server = spawn(
    join(root, 'usr/bin/doveconf'),
    ['-c', config, '-m', 'master', '-e', join(root, 'usr/sbin/dovecot'), '-F'],
    { stdio: 'ignore', detached: true, env: { LD_LIBRARY_PATH: path, PATH: process.env['PATH'] } },
  )
  const gone = once(server, 'exit')
  await greeted(port)
  return {
    port,
    password,
    urlOf: (user, given = password) =>
      `imap://${encodeURIComponent(user)}:${encodeURIComponent(given)}@127.0.0.1:${port}`,
    halt: (halted) => process.kill(-server.pid!, halted ? 'SIGSTOP' : 'SIGCONT'),
    async stop() {
      server.kill('SIGCONT')
      server.kill()
      await Promise.race([gone, sleep(5_000).then(() => server.kill('SIGKILL'))])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function greeted(port: number): Promise<void> {
  for (let left = 100; left > 0; left--) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port })
      socket.once('data', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
      socket.setTimeout(1_000, () => resolve(false))
    }).finally(() => undefined)
    if (isThere) return
    await sleep(100)
  }
  throw new Error('the IMAP server does not answer')
}

/** As another mail program: signed in to the mailbox of a user. */
export async function asMailProgram<T>(
  { port, password }: Pick<MailServer, 'port' | 'password'>,
  user: string,
  act: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const auth = { user, pass: password }
  const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, auth, logger: false })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.logout()
  }
}

export interface SentMail {
  readonly subject?: string
  readonly files?: readonly (readonly [name: string, bytes: Buffer | string])[]
}
/** A mail with attachments, as a supplier sends it. */
export async function supplierMail({ subject = 'Ihre Rechnung', files = [] }: SentMail): Promise<Buffer> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: '"Müller & Söhne" <rechnung@mueller.example>',
    to: 'eingang@forst.example',
    date: new Date('2026-03-03T08:00:00Z'),
    subject,
    text: 'Anbei unsere Rechnung.',
    attachments: files.map(([filename, content]) => ({ filename, content })),
  })
  return message as Buffer
}
