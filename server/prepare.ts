// What must be on the disk before anything is opened: data folder, secret, web build. Everything missing is
// one sentence for the operator.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigFault } from './config.ts'
import { readSecretFile } from './identity/secrets.ts'
import { OperatorFault } from './operations/operator-fault.ts'
import { faultOfFolder } from './usable-folder.ts'

const ROOT = join(import.meta.dirname, '..')
export const WEB_FOLDER = join(ROOT, 'web/dist')
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
  const secrets = faults.some((fault) => fault.endsWith('(DATA_DIR)')) ? [] : secretsOf(config, faults)
  if (faults.length > 0) throw new ConfigFault(faults)
  return { secrets }
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
