// What has to lie on the disk before anything is opened: data folder, secret, web build. Each lack is one sentence for the operator.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { readSecretFile } from './identity/secrets.ts'
import { OperatorFault } from './operations/operator-fault.ts'

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export interface Prepared {
  /** Newest first. */
  readonly secrets: readonly string[]
}

export function prepare(config: Config, webFolder: string): Prepared {
  if (!existsSync(join(webFolder, 'index.html')))
    throw new OperatorFault(`Die Oberfläche ist nicht gebaut (${webFolder}). Bitte „npm run build“ aufrufen.`)
  try {
    mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new OperatorFault(`Der Datenordner ${config.DATA_DIR} lässt sich nicht anlegen (${reasonOf(error)}). Bitte DATA_DIR prüfen.`)
  }
  return { secrets: secretsOf(config) }
}

/** Made where nothing else was said; a file the operator names must be there, because every server needs the same one. */
function secretsOf(config: Config): string[] {
  const mayCreate = config.IDP_SECRET_FILE === join(config.DATA_DIR, 'secrets', 'idp')
  try {
    return readSecretFile(config.IDP_SECRET_FILE, mayCreate)
  } catch (error) {
    throw new OperatorFault(`${reasonOf(error)} (IDP_SECRET_FILE)`)
  }
}
