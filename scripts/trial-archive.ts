// Builds the database that a trial's first start unpacks. It already holds the sample data, so that they do
// not delay the start.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedBooks, TRIAL_BOOKS } from '../db/seeds/seed-books.ts'
import { generateSample, TRIAL_SIZE } from '../db/seeds/sample.ts'
import { seedFiles, seedPhotos } from '../db/seeds/seed-files.ts'
import { seedSample } from '../db/seeds/seed-sample.ts'
import type { OwnerConnection } from '../server/database/database.ts'
import { createEmbeddedDatabase } from '../server/database/embedded.ts'
import { dataFolderOf, packFolder } from '../server/database/embedded-folder.ts'
import { migrate, type MigrateOptions } from '../server/operations/migrate.ts'
import { TRIAL_FILES } from '../server/prepare.ts'
import { readTrialFiles, readTrialPhotos } from './trial-files.ts'

/** `empty`: the archive without data, used as the starting point. */
export async function buildTrialArchive(
  target: string,
  { empty, ...schema }: MigrateOptions & { readonly empty: string },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forstkontor-probe-'))
  try {
    const database = await createEmbeddedDatabase({
      folder,
      templateArchive: empty,
      log: schema.log,
      now: schema.now,
    })
    await database.asOwner((owner) => fillTrial(owner, schema))
    await database.close()
    await packFolder(dataFolderOf(folder), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fills an empty database on either engine with tables, rules and the trial's sample data. */
export async function fillTrial(owner: OwnerConnection, schema: MigrateOptions): Promise<void> {
  await migrate(owner, schema)
  await seedSample(owner, generateSample({ ...TRIAL_SIZE, now: schema.now() }))
  await seedFiles(owner, readTrialFiles(TRIAL_FILES))
  await seedPhotos(owner, readTrialPhotos(TRIAL_FILES))
  await seedBooks(owner, { ...TRIAL_BOOKS, now: schema.now() })
  // Include statistics, so that the first list is planned as well as the hundredth; then keep the log short.
  await owner.script('analyze')
  await owner.script('checkpoint')
}
