// Keeps uploaded files in a separate folder, by the number of their import, until it is over. Their names
// are never used as paths.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileLayer } from '#contract/vermessung-import.ts'
import { isDiskFull } from '#server/full-disk.ts'
import { CodedRefusal } from './coded-refusal.ts'

export interface ArrivedFile {
  readonly filePath: string
  readonly groesse: number
  readonly sha256: string
}

/** `Layer` is what a room stores about a file's layers. */
export function createStore<Layer = FileLayer>(folder: string) {
  const place = (id: number): string => join(folder, String(id))
  return {
    /** A path for a file that is being made; the caller removes it. */
    async zwischenort(): Promise<string> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return join(folder, `neu-${randomUUID()}`)
    },
    /** @throws Refusal when it is longer than `most`, or the disk is full */
    async take(body: Readable, most: number): Promise<ArrivedFile> {
      const filePath = await this.zwischenort()
      const hash = createHash('sha256')
      let size = 0
      try {
        await pipeline(
          body,
          async function* (source: AsyncIterable<Buffer>) {
            for await (const chunk of source) {
              size += chunk.length
              if (size > most)
                throw new CodedRefusal('import_datei_gross', { mb: Math.round(most / 1_048_576) })
              hash.update(chunk)
              yield chunk
            }
          },
          createWriteStream(filePath, { mode: 0o600 }),
        )
      } catch (error) {
        await rm(filePath, { force: true })
        if (isDiskFull(error)) throw new CodedRefusal('import_kein_platz')
        throw error
      }
      return { filePath, groesse: size, sha256: hash.digest('hex') }
    },
    /** Both files or none. */
    async keep(id: number, { filePath }: ArrivedFile, layers: readonly Layer[]): Promise<void> {
      try {
        await writeFile(`${place(id)}.json`, JSON.stringify(layers), { mode: 0o600 })
        await rename(filePath, place(id))
      } catch (error) {
        await rm(`${place(id)}.json`, { force: true })
        throw error
      }
    },
    filePath: place,
    async schichten(id: number): Promise<Layer[]> {
      try {
        return JSON.parse(await readFile(`${place(id)}.json`, 'utf8')) as Layer[]
      } catch {
        return []
      }
    },
    async drop(id: number): Promise<void> {
      await rm(place(id), { force: true })
      await rm(`${place(id)}.json`, { force: true })
    },
    /** Removes what a stopped server left half-made, and files that were abandoned. */
    async tidy(now: Date, days: number): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const file = join(folder, name)
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now.getTime() }))
        if (name.startsWith('neu-') || now.getTime() - mtimeMs > days * 86_400_000)
          await rm(file, { force: true })
      }
    },
    open: (filePath: string) => createReadStream(filePath),
  }
}
export type Store<Layer = FileLayer> = ReturnType<typeof createStore<Layer>>
