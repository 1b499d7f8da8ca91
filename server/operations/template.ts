// Builds an archive of a new embedded database with everything applied, once at build time: a first start
// then unpacks it instead of creating one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { dataFolderOf, packFolder } from '#server/database/embedded-folder.ts'
import { migrate, type MigrateOptions } from './migrate.ts'

/** `options.folder` is db/. Migrations added later are applied at the start as usual. */
export async function buildTemplateArchive(target: string, options: MigrateOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forstkontor-template-'))
  try {
    const database = await createEmbeddedDatabase({ folder, log: options.log, now: options.now })
    await database.asOwner((owner) => migrate(owner, options))
    await database.close()
    await packFolder(dataFolderOf(folder), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
