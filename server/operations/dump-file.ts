// The file format of a dump: gzipped lines of JSON. First the manifest, then for each table a heading and
// its rows, last an end mark.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createLineSplitter } from '#server/split-lines.ts'
import { DumpFault, OperatorFault } from './operator-fault.ts'
import type { Counter, TableSum } from './tables.ts'

export interface Manifest {
  readonly kind: 'forstkontor-dump'
  readonly format: 1
  readonly zeit: string
  readonly engine: string
  /** PostgreSQL version of the dumped database. */
  readonly version: string
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[]
  /** In the order in which they must be filled. */
  readonly tables: readonly (TableSum & { readonly name: string })[]
  readonly counters: readonly Counter[]
}

export type DumpLine = { readonly table: string } | { readonly row: string } | { readonly end: true }

/**
 * Writes to a temporary name, syncs, then renames: a dump under its final name is always
 * complete. Returns the size.
 */
export async function writeDumpFile(path: string, lines: AsyncIterable<object>): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.neu-${process.pid}`
  try {
    await pipeline(
      toText(lines),
      createGzip({ level: 6 }),
      createWriteStream(draft, { flags: 'wx', mode: 0o600 }),
    )
    await syncPath(draft)
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncPath(dirname(path))
    return size
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function* toText(lines: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function readManifest(path: string): Promise<Manifest> {
  for await (const line of linesOf(path)) return checkManifest(path, line)
  throw damaged(path)
}

/** Everything after the manifest; rejects when the file is cut off or damaged. */
export async function* readDumpLines(path: string): AsyncGenerator<DumpLine> {
  let first = true
  let whole = false
  for await (const line of linesOf(path)) {
    if (!first) yield line as DumpLine
    first = false
    whole = 'end' in line
  }
  if (!whole) throw damaged(path)
}

async function* linesOf(path: string): AsyncGenerator<object> {
  const file = createReadStream(path)
  const text = file.pipe(createGunzip()).setEncoding('utf8')
  file.on('error', (error) => text.destroy(error))
  const splitter = createLineSplitter()
  try {
    for await (const piece of text)
      for (const line of splitter.take(piece as string)) yield JSON.parse(line) as object
    const rest = splitter.rest()
    if (rest !== '') yield JSON.parse(rest) as object
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new OperatorFault(`Die Sicherung ${path} gibt es nicht.`)
    if (error instanceof Error && 'syscall' in error)
      throw new OperatorFault(`Die Sicherung ${path} lässt sich nicht lesen: ${error.message}`, {
        cause: error,
      })
    throw error instanceof OperatorFault ? error : damaged(path, error)
  } finally {
    file.destroy()
    text.destroy()
  }
}

function checkManifest(path: string, line: object): Manifest {
  if (!('kind' in line) || line.kind !== 'forstkontor-dump') throw damaged(path)
  if (!('format' in line) || line.format !== 1)
    throw new OperatorFault(
      `Die Sicherung ${path} stammt von einem neueren Programm. Bitte das neuere Programm verwenden.`,
    )
  return line as Manifest
}

const damaged = (path: string, cause?: unknown) =>
  new DumpFault(
    `Die Sicherung ${path} ist unvollständig, beschädigt oder keine Sicherung von Forstkontor. ` +
      'Bitte eine andere verwenden.',
    { cause },
  )
