// An empty embedded database for tests, created once and kept as an archive: creating one from scratch takes
// seconds.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#server/log.ts'
import { createEmbeddedDatabase, type EmbeddedDatabase } from './embedded.ts'
import type { EmbeddedOptions } from './embedded-options.ts'
import { packFolder } from './embedded-folder.ts'

const ARCHIVE = join(import.meta.dirname, '../../.cache/embedded-empty.gz')

export async function emptyArchive(): Promise<string> {
  if (existsSync(ARCHIVE)) return ARCHIVE
  const folder = temporaryFolder()
  const database = await createEmbeddedDatabase({ folder, log: silentLog, loginRole: null })
  await database.close()
  mkdirSync(join(ARCHIVE, '..'), { recursive: true })
  await packFolder(join(folder, 'pgdata'), ARCHIVE)
  rmSync(folder, { recursive: true })
  return ARCHIVE
}

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'forstkontor-embedded-'))

/** `folder`: an existing one to reopen. */
export async function openTestDatabase(
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedDatabase & { readonly folder: string }> {
  const folder = options.folder ?? temporaryFolder()
  const database = await createEmbeddedDatabase({
    log: silentLog,
    loginRole: null,
    // Tests do not measure time: on a busy machine the engine may be away for longer than a request would
    // wait.
    queueMs: 60_000,
    templateArchive: await emptyArchive(),
    ...options,
    folder,
  })
  return Object.assign(database, { folder })
}
