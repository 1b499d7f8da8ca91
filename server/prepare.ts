// What must be on the disk before anything is opened: data folder, secret, web build. Everything missing is
// one sentence for the operator.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AnchorKey, readAnchorKey } from './anchors.ts'
import { type Config, ConfigFault } from './config.ts'
import { readSecretFile } from './identity/secrets.ts'
import { OperatorFault } from './operations/operator-fault.ts'
import { readStampCertificates } from './stamp-service.ts'
import { faultOfFolder } from './usable-folder.ts'

const ROOT = join(import.meta.dirname, '..')
export const WEB_FOLDER = join(ROOT, 'web/dist')
/** The lists of the screens for the server, by scripts/build.ts; see contract/program-lists.ts. */
export const LISTS_FILE = join(ROOT, 'build/listen/program-lists.js')
export const SCHEMA_FOLDER = join(ROOT, 'db')
/**
 * Made by scripts/build.ts; without them a first start creates the database from scratch, which takes longer.
 */
export const TEMPLATES = { empty: join(ROOT, 'build/datenbank.gz'), trial: join(ROOT, 'build/probe.gz') }
/** Scans of the trial's plans and what was made from them, also by scripts/build.ts. */
export const TRIAL_FILES = join(ROOT, 'build/probe-dateien')

const SHORTEST_SECRET = 32

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export interface Prepared {
  /** Newest first. */
  readonly secrets: readonly string[]
  /** Signs heads of the books. */
  readonly anchorKey: AnchorKey
}

export function prepare(config: Config): Prepared {
  if (!existsSync(join(WEB_FOLDER, 'index.html')))
    throw new OperatorFault(
      `Die Oberfläche ist nicht gebaut (${WEB_FOLDER}). Bitte „npm run build“ aufrufen.`,
    )
  const faults = FOLDERS.flatMap(({ what, setting, pathOf }) => {
    const path = pathOf(config)
    const fault = path === null ? null : faultOfFolder(path)
    return fault === null ? [] : [`${what} ${path} ${fault} (${setting})`]
  })
  const hasFolder = !faults.some((fault) => fault.endsWith('(DATA_DIR)'))
  const secrets = hasFolder ? secretsOf(config, faults) : []
  const anchorKey = hasFolder ? anchorKeyOf(config, faults) : null
  faults.push(...faultsOfStamps(config))
  if (faults.length > 0 || anchorKey === null) throw new ConfigFault(faults)
  return { secrets, anchorKey }
}

/** Folders the server writes to. */
const FOLDERS: readonly {
  readonly what: string
  readonly setting: keyof Config
  pathOf(config: Config): string | null
}[] = [
  { what: 'Der Datenordner', setting: 'DATA_DIR', pathOf: ({ DATA_DIR }) => DATA_DIR },
  {
    what: 'Der Ordner der Dateien',
    setting: 'FILES_DIR',
    pathOf: ({ FILES_DIR }) => join(FILES_DIR, 'uploads'),
  },
  {
    what: 'Der Ordner der Sicherungen',
    setting: 'BACKUP_DIR',
    pathOf: ({ BACKUP, BACKUP_DIR }) => (BACKUP ? BACKUP_DIR : null),
  },
  {
    what: 'Der Ordner der Anker',
    setting: 'ANCHOR_FILE',
    pathOf: ({ ANCHOR_FILE }) => dirname(ANCHOR_FILE),
  },
]

/**
 * The secret is generated only at its default place; a file the operator names must exist, because all
 * servers need the same one.
 */
function secretsOf(config: Config, faults: string[]): string[] {
  const mayCreate = config.IDP_SECRET_FILE === join(config.DATA_DIR, 'secrets', 'idp')
  try {
    const secrets = readSecretFile(config.IDP_SECRET_FILE, mayCreate)
    if (secrets.some((secret) => secret.length < SHORTEST_SECRET))
      throw new Error(`Das Geheimnis der Anmeldung braucht mindestens ${SHORTEST_SECRET} Zeichen je Zeile`)
    return secrets
  } catch (error) {
    faults.push(`${reasonOf(error)} (IDP_SECRET_FILE)`)
    return []
  }
}

/** Created only at its default place, as the secret is. */
export const anchorKeyFor = ({ ANCHOR_KEY_FILE, DATA_DIR }: Config): AnchorKey =>
  readAnchorKey(ANCHOR_KEY_FILE, ANCHOR_KEY_FILE === join(DATA_DIR, 'secrets', 'anker'))

function anchorKeyOf(config: Config, faults: string[]): AnchorKey | null {
  try {
    return anchorKeyFor(config)
  } catch (error) {
    faults.push(`${reasonOf(error)} (ANCHOR_KEY_FILE)`)
    return null
  }
}

function faultsOfStamps({ TIMESTAMP_CERTIFICATES: file }: Config): string[] {
  try {
    if (file !== undefined) readStampCertificates(file)
    return []
  } catch (error) {
    return [`${reasonOf(error)} (TIMESTAMP_CERTIFICATES)`]
  }
}
