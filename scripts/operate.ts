// The operator's commands, run while the server is stopped (on PostgreSQL, dump may run alongside it, and move-files
// always): dump, restore, note-restore, move, move-files, demo-password, setup-link, password-link, rebind,
// accept-secret.
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { AnchorKey } from '../server/anchors.ts'
import type { AsOwner } from '../server/as-betrieb.ts'
import { type Config, readProcessConfig } from '../server/config.ts'
import { openMovePlaces } from '../server/file-store.ts'
import { type Moved, moveFiles } from '../server/files/move-files.ts'
import { setDemoPassword } from '../server/first-start.ts'
import type { IdentityProvider } from '../server/identity/identity-provider.ts'
import { createSecrets } from '../server/identity/secrets.ts'
import { openDatabase } from '../server/open-database.ts'
import { setAnchor } from '../server/operations/book-anchors.ts'
import { dump } from '../server/operations/dump.ts'
import { move } from '../server/operations/move.ts'
import { OperatorFault } from '../server/operations/operator-fault.ts'
import { bindings, listed, rebind } from '../server/operations/rebind.ts'
import { restore } from '../server/operations/restore.ts'
import { anchorKeyFor, prepare, SCHEMA_FOLDER, TEMPLATES } from '../server/prepare.ts'
import type { Database, OwnerConnection } from '../server/database/database.ts'
import { acceptSecret, openProvider, secretCheck } from '../server/sign-in.ts'
import { countUnreadable } from '../server/webhooks/reseal.ts'
import { typedAddress } from './typed-address.ts'
import { commandLog, nameOf, type Place, withOwner } from './with-owner.ts'

const now = () => new Date()
const schema = { folder: SCHEMA_FOLDER, log: commandLog, now }

const configured = (config: Config): Place => {
  const url = config.DATABASE_OWNER_URL ?? config.DATABASE_URL
  return url === undefined ? { folder: config.DATA_DIR } : { url }
}

const dumpFile = (config: Config): string =>
  join(config.BACKUP_DIR, `von-hand-${now().toISOString().replaceAll(/[:.]/g, '-')}.dump`)

async function runDump(config: Config, [file = dumpFile(config)]: readonly string[]): Promise<void> {
  const path = resolve(file)
  if (existsSync(path)) throw new OperatorFault(`${path} gibt es schon. Bitte einen anderen Namen wählen.`)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const place = configured(config)
  const { manifest, size } = await withOwner(place, (owner) => dump(owner, path, now))
  const rows = manifest.tables.reduce((sum, table) => sum + Number(table.rows), 0)
  console.log(
    `Gesichert aus ${nameOf(place)}: ${rows} Zeilen in ${manifest.tables.length} Tabellen, ` +
      `${Math.ceil(size / 1024)} kB\n${path}`,
  )
}

/** A file in a folder that is closed to this user looks missing if it is only asked whether it is there. */
function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new OperatorFault(`Die Sicherung ${path} gibt es nicht.`, { cause: error })
    throw new OperatorFault(
      code === 'EACCES' || code === 'EPERM'
        ? `Die Sicherung ${path} darf von diesem Benutzer${userName()} nicht gelesen werden. ` +
            'Bitte sie in einen Ordner legen, den er lesen darf.'
        : `Die Sicherung ${path} lässt sich nicht lesen: ${message}`,
      { cause: error },
    )
  }
}

function userName(): string {
  try {
    return ` (${userInfo().username})`
  } catch {
    return ''
  }
}

async function runRestore(config: Config, [file]: readonly string[]): Promise<void> {
  if (file === undefined) throw new OperatorFault('Bitte die Sicherung nennen: npm run restore -- <datei>')
  checkReadable(resolve(file))
  const anchors = openAnchors(config)
  const place = configured(config)
  const noted = await withOwner(place, async (owner) => {
    const { rows, manifest } = await restore(owner, resolve(file), schema)
    console.log(
      `Eingespielt in ${nameOf(place)}: ${rows} Zeilen vom ` +
        `${new Date(manifest.zeit).toLocaleString('de-DE')}; alle Prüfsummen stimmen.`,
    )
    return noteRestore(anchors, owner).then(
      () => null,
      (error: Error) => error,
    )
  })
  if (noted !== null)
    throw new OperatorFault(
      `Zurückgesichert, aber in ${anchors.file} nicht vermerkt: ${noted.message}. Die Prüfung der Bücher meldet ` +
        'die Anker seit der Sicherung, solange der Vermerk fehlt. Bitte vor dem Start der Server „npm run ' +
        'note-restore“ ausführen.',
      { cause: noted },
    )
}

interface Anchors {
  readonly file: string
  readonly key: AnchorKey
}

/** Checked before anything is restored: what was restored stays, and a second try needs an empty database. */
function openAnchors(config: Config): Anchors {
  const { ANCHOR_FILE: file } = config
  const faultOf = (setting: string, error: unknown) =>
    new OperatorFault(
      `${error instanceof Error ? error.message : String(error)} (${setting}). Die Rücksicherung muss bei den Ankern ` +
        'der Bücher vermerkt werden; es wurde nichts geändert.',
      { cause: error },
    )
  let key: AnchorKey
  try {
    key = anchorKeyFor(config)
  } catch (error) {
    throw faultOf('ANCHOR_KEY_FILE', error)
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw faultOf('ANCHOR_FILE', error)
  }
  return { file, key }
}

/** Anchors of books that were given up with the restore do not count from here on. */
async function noteRestore({ file, key }: Anchors, owner: OwnerConnection): Promise<void> {
  await setAnchor({ asOwner: (work) => work(owner), file, key, now }, 'wiederhergestellt')
}

/** On every other machine with its own ANCHOR_FILE, or where restoring could not note it. */
async function runNoteRestore(config: Config): Promise<void> {
  const anchors = openAnchors(config)
  await withOwner(configured(config), (owner) => noteRestore(anchors, owner))
  console.log(`Vermerkt in ${anchors.file}: Anker nach dem jetzigen Stand der Bücher gelten nicht mehr.`)
}

/** Moves between the embedded engine in DATA_DIR and the given PostgreSQL; `-`: its address comes on standard input. */
async function runMove(config: Config, words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { from: { type: 'string' }, to: { type: 'string' } },
  })
  const given = values.from ?? values.to
  if (given === undefined || (values.from !== undefined && values.to !== undefined))
    throw new OperatorFault(
      'Bitte genau eine Seite nennen: npm run move -- --to postgres://… (oder --from); ' +
        'die andere ist die eingebaute Datenbank in DATA_DIR. Mit --to - (oder --from -) wird die Adresse ' +
        'von der Standardeingabe gelesen, damit ihr Passwort in keiner Liste der Prozesse steht.',
    )
  const url = given === '-' ? await typedAddress(process.stdin, process.stderr) : given
  if (url === '') throw new OperatorFault('Auf der Standardeingabe stand keine Adresse.')
  const embedded: Place = { folder: config.DATA_DIR }
  const [from, to]: readonly [Place, Place] =
    values.from === undefined ? [embedded, { url }] : [{ url }, embedded]
  const path = dumpFile(config)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const { rows } = await withOwner(from, (source) =>
    withOwner(to, (target) => move({ from: source, to: target, path }, schema)),
  )
  console.log(
    `Umgezogen von ${nameOf(from)} nach ${nameOf(to)}: ${rows} Zeilen; alle Prüfsummen stimmen. Sicherung: ${path}`,
  )
}

type WithSecrets = (database: Database, secrets: readonly string[], asOwner: AsOwner) => Promise<void>

async function withSignIn(config: Config, work: WithSecrets, acceptsSecret = false): Promise<void> {
  if (config.AUTH_MODE !== 'embedded')
    throw new OperatorFault(
      'Die Zugänge gehören zum Anmeldedienst (AUTH_MODE=oidc) und werden dort verwaltet.',
    )
  const { secrets } = prepare(config)
  const templateArchive = config.trial ? TEMPLATES.trial : TEMPLATES.empty
  const checkSecret = secretCheck(config, secrets, acceptsSecret)
  const { database, asOwner } = await openDatabase({
    config,
    secrets,
    checkSecret,
    templateArchive,
    log: commandLog,
    now,
  })
  try {
    await work(database, secrets, asOwner)
  } finally {
    await database.close()
  }
}

const withProvider = (config: Config, work: (provider: IdentityProvider) => Promise<void>): Promise<void> =>
  withSignIn(config, async (database, secrets) => {
    const provider = await openProvider({ config, database, secrets, log: commandLog, now })
    try {
      await work(provider)
    } finally {
      await provider.close()
    }
  })

/** Run by the operator when the former secret is lost: what it protected can no longer be read by anyone. */
const runAcceptSecret = (config: Config): Promise<void> =>
  withSignIn(
    config,
    async (database, secrets, asOwner) => {
      const webhooks = await countUnreadable(asOwner, createSecrets(secrets))
      const factors = await acceptSecret(database, secrets)
      console.log(
        factors === null
          ? 'Das Geheimnis ist das, mit dem die Anmeldung geschrieben wurde. Es wurde nichts verworfen.'
          : `Das neue Geheimnis gilt. Verworfene zweite Faktoren: ${factors}. ` +
              'Alle melden sich neu an, Passwörter bleiben.',
      )
      if (webhooks > 0)
        console.log(
          `Webhooks, deren Geheimnis nicht mehr lesbar ist: ${webhooks}. ` +
            'Bitte unter Verwaltung → Webhooks neue vergeben.',
        )
    },
    true,
  )

async function runDemoPassword(config: Config): Promise<void> {
  if (!config.trial) throw new OperatorFault('Demozugänge gibt es nur im Probebetrieb.')
  await withProvider(config, async ({ accounts }) =>
    console.log(`Neues Passwort für alle Demozugänge: ${await setDemoPassword(accounts)}`),
  )
}

const runSetupLink = (config: Config): Promise<void> =>
  withProvider(config, async ({ accounts }) => {
    const { link, expires } = await accounts.createSetupLink(config.BOOTSTRAP_ADMIN_EMAIL ?? null)
    console.log(`Einrichtungslink, gilt einmal und bis ${expires.toLocaleString('de-DE')}:\n${link}`)
  })

const runPasswordLink = (config: Config, [email]: readonly string[]): Promise<void> =>
  withProvider(config, async ({ accounts }) => {
    if (email === undefined)
      throw new OperatorFault('Bitte die E-Mail-Adresse nennen: npm run password-link -- <adresse>')
    const issued = await accounts.createPasswordLink(email)
    if (issued === null) throw new OperatorFault(`Mit der Adresse ${email} hat hier niemand ein Konto.`)
    const until = issued.expires.toLocaleString('de-DE')
    console.log(`Link für ein neues Passwort von ${email}, gilt einmal und bis ${until}:\n${issued.link}`)
  })

/** The former issuer must be named: with a wrong setting, the right binding could be removed. */
async function runRebind(config: Config, [former]: readonly string[]): Promise<void> {
  const issuer = config.OIDC_ISSUER
  if (former === undefined) {
    const bound = await withOwner(configured(config), bindings)
    throw new OperatorFault(
      `Bitte den bisherigen Anmeldedienst nennen: npm run rebind -- <adresse>\n${listed(bound, issuer)}`,
    )
  }
  const persons = await withOwner(configured(config), (owner) => rebind(owner, { former, issuer }))
  console.log(
    `${persons === 1 ? 'Eine Person ist' : `${persons} Personen sind`} von ${former} gelöst. ` +
      `Bei der nächsten Anmeldung an ${issuer} verbindet sie ihre bestätigte E-Mail-Adresse neu.`,
  )
}

/** While servers run with the same two places in FILES_PLACE. */
async function runMoveFiles(config: Config, words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { remove: { type: 'boolean', default: false } } })
  const places = openMovePlaces(config, commandLog)
  if (places === null)
    throw new OperatorFault(
      'Zwischen welchen Orten? Bitte FILES_PLACE auf bucket+folder setzen (in den Bucket) oder auf ' +
        'folder+bucket (in den Ordner), die Server damit neu starten und den Befehl wiederholen.',
    )
  const { from, to, folder, names } = places
  const notes = join(folder, `to-${config.FILES_PLACE?.split('+')[0]}.txt`)
  let shown = Date.now()
  const progress = ({ copied, there }: Moved): void => {
    if (Date.now() - shown < 10_000) return
    shown = Date.now()
    console.log(`${copied + there} Dateien …`)
  }
  const moved = await moveFiles({ from, to, notes, remove: values.remove, progress })
  console.log(
    `Von ${names[0]} nach ${names[1]}: ${moved.copied} Dateien kopiert (${Math.ceil(moved.bytes / 2 ** 20)} MB), ` +
      `${moved.there} waren schon da. Am neuen Ort ist jede davon geprüft.`,
  )
  if (values.remove) console.log(`Am alten Ort entfernt: ${moved.removed}.`)
  else
    console.log('Am alten Ort sind sie noch; mit --remove (bei npm: -- --remove) werden sie dort entfernt.')
  if (moved.damaged.length > 0)
    throw new OperatorFault(
      `Am alten Ort beschädigt und deshalb dort gelassen (${moved.damaged.length}):\n${moved.damaged.join('\n')}`,
    )
}

const COMMANDS: Readonly<Record<string, (config: Config, words: readonly string[]) => Promise<void>>> = {
  dump: runDump,
  restore: runRestore,
  'note-restore': runNoteRestore,
  move: runMove,
  'move-files': runMoveFiles,
  'demo-password': runDemoPassword,
  'setup-link': runSetupLink,
  'password-link': runPasswordLink,
  rebind: runRebind,
  'accept-secret': runAcceptSecret,
}

const [name = '', ...words] = process.argv.slice(2)
try {
  const command = COMMANDS[name]
  if (command === undefined)
    throw new OperatorFault(`Unbekannt: ${name}. Es gibt: ${Object.keys(COMMANDS).join(', ')}`)
  await command(readProcessConfig(), words)
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
