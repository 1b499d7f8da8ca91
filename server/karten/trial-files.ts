// Gives a trial's plans their scans: copies files that rows refer to from where the build has put them.
// Others are not copied, so that a plan deleted in the trial stays deleted.
import type { Context, Database } from '#server/database/database.ts'
import { folderStore, type Store, type Listed } from '#server/files/store.ts'

const WORKER: Context = { role: 'forst_karte' }
const NAMED = { name: 'named_files', text: 'select maps.named_files($1::text[]) as name' }

/** Returns how many were missing. */
export async function putTrialFiles({
  database,
  fileStore,
  folder,
}: {
  readonly database: Database
  readonly fileStore: Store
  readonly folder: string
}): Promise<number> {
  const built = folderStore(folder)
  const missing: Listed[] = []
  for await (const file of built.liste())
    if ((await fileStore.groesse(file.sha256)) !== file.groesse) missing.push(file)
  if (missing.length === 0) return 0
  const { rows } = await database.once<{ name: string }>(WORKER, {
    ...NAMED,
    values: [`{${missing.map(({ sha256 }) => sha256).join(',')}}`],
  })
  const named = new Set(rows.map(({ name }) => name))
  const wanted = missing.filter(({ sha256 }) => named.has(sha256))
  for (const file of wanted) await fileStore.putFile((await built.filePath(file.sha256))!, file)
  return wanted.length
}
