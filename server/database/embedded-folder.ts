// Data folder of the embedded engine: created next to its final place and renamed when complete, filled from
// a prebuilt archive if there is one.
import { constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { chmod, cp, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { isDiskFull } from '#server/full-disk.ts'

/** Major version of PostgreSQL inside the embedded engine, which cannot open a folder of any other. */
export const ENGINE_MAJOR = '18'

/** This version cannot open the folder. The message is for the operator. */
export class FolderNotUsableError extends Error {
  override readonly name = 'FolderNotUsableError'
}

export const dataFolderOf = (folder: string) => join(folder, 'pgdata')

/**
 * Resolves with true if the folder had to be created. `fill` creates a database in an empty folder when there
 * is no archive.
 */
export async function ensureDataFolder(
  folder: string,
  archive: string | null,
  fill: (empty: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<boolean> {
  const target = dataFolderOf(folder)
  finishReplacing(folder)
  removeHalfMade(folder)
  if (existsSync(target)) {
    checkVersion(target)
    return false
  }
  const aside = join(folder, `pgdata.neu-${process.pid}`)
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  if (archive !== null && existsSync(archive)) await unpackFolder(archive, aside, signal)
  else await fill(aside)
  checkVersion(aside)
  await syncTree(aside, signal)
  await rename(aside, target)
  await syncPath(folder)
  return true
}

/**
 * Replaces the folder with a copy of itself, so that a frozen process waking up in the middle of a write
 * holds only files of the old folder, which are no longer ours. Resolves with false if there is no space for
 * a copy.
 */
export async function replaceByCopy(folder: string): Promise<boolean> {
  const target = dataFolderOf(folder)
  const aside = join(folder, `pgdata.neu-${process.pid}`)
  finishReplacing(folder)
  if (!existsSync(target)) return true
  try {
    await cp(target, aside, { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true })
    await syncTree(aside)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    if (isDiskFull(error)) return false
    throw error
  }
  await rename(target, replacedOf(folder))
  await rename(aside, target)
  await syncPath(folder)
  finishReplacing(folder)
  return true
}

const replacedOf = (folder: string) => join(folder, 'pgdata.alt')

/** A crash between the two renames leaves only the old folder. */
function finishReplacing(folder: string): void {
  if (!existsSync(replacedOf(folder))) return
  if (existsSync(dataFolderOf(folder))) rmSync(replacedOf(folder), { recursive: true, force: true })
  else renameSync(replacedOf(folder), dataFolderOf(folder))
}

/** Removes leftovers of a start that was killed. The lock is held, so no other process is using them. */
function removeHalfMade(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith('pgdata.neu-')) rmSync(join(folder, name), { recursive: true, force: true })
}

function checkVersion(folder: string): void {
  const file = join(folder, 'PG_VERSION')
  const version = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unbekannt'
  if (version === ENGINE_MAJOR) return
  throw new FolderNotUsableError(
    `Der Datenordner ${folder} stammt von einer anderen Version der eingebauten Datenbank (${version}, ` +
      `gebraucht wird ${ENGINE_MAJOR}). ` +
      'Bitte mit dem Programmstand, der ihn zuletzt benutzt hat, ' +
      '„npm run dump“ ausführen und die Sicherung mit „npm run restore“ in einen neuen Ordner ' +
      'einspielen.',
  )
}

interface Entry {
  readonly path: string
  /** null: a folder. */
  readonly size: number | null
}

/** Writes one gzip file: the length of the list, the list as JSON, then the contents one after another. */
export async function packFolder(folder: string, archive: string): Promise<void> {
  const entries: Entry[] = []
  const contents: Buffer[] = []
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name !== 'postmaster.pid')
    .sort()
  for (const path of names) {
    const folderEntry = (await stat(join(folder, path))).isDirectory()
    const content = folderEntry ? null : await readFile(join(folder, path))
    entries.push({ path, size: content === null ? null : content.length })
    if (content !== null) contents.push(content)
  }
  const list = Buffer.from(JSON.stringify(entries))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(list.length)
  await mkdir(dirname(archive), { recursive: true })
  const draft = `${archive}.neu-${process.pid}`
  await writeFile(draft, await promisify(gzip)(Buffer.concat([length, list, ...contents]), { level: 9 }))
  await rename(draft, archive)
}

async function unpackFolder(archive: string, target: string, signal?: AbortSignal): Promise<void> {
  const bytes = await promisify(gunzip)(await readFile(archive))
  const start = 4 + bytes.readUInt32BE(0)
  const entries = JSON.parse(bytes.toString('utf8', 4, start)) as Entry[]
  for (const { path, size } of entries)
    if (size === null) mkdirSync(join(target, path), { recursive: true, mode: 0o700 })
  let at = start
  const writes: (() => Promise<void>)[] = []
  for (const { path, size } of entries) {
    if (size === null) continue
    const content = bytes.subarray(at, at + size)
    at += size
    writes.push(() => writeFile(join(target, path), content, { mode: 0o600 }))
  }
  await inParallel(writes, signal)
}

/** Everything in the folder is on disk when this resolves. */
async function syncTree(folder: string, signal?: AbortSignal): Promise<void> {
  await chmod(folder, 0o700)
  const names = await readdir(folder, { recursive: true })
  await inParallel(
    [...names.map((name) => join(folder, name)), folder].map((path) => () => syncPath(path)),
    signal,
  )
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Not all at once: there may be a thousand files, and descriptors are limited. */
async function inParallel(
  work: readonly (() => Promise<void>)[],
  signal?: AbortSignal,
  lanes = 16,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let task = work[next++]; task !== undefined; task = work[next++]) {
        signal?.throwIfAborted()
        await task()
      }
    }),
  )
}
