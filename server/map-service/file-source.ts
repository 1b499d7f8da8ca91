// Where the base map's file is: on a disk of this machine or in the bucket. Both are read in pieces.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { type S3Client, within } from '#server/files/s3-client.ts'
import { type Kind, SettingFault } from '#server/setting-kinds.ts'

/** A path, or the name of an object in the bucket of FILES_S3_…. */
export type BaseMapPlace =
  | { readonly art: 'datei'; readonly path: string }
  | { readonly art: 's3'; readonly name: string }

export const baseMapPlace: Kind<BaseMapPlace> = (text) => {
  if (!text.startsWith('s3:')) return { art: 'datei', path: isAbsolute(text) ? text : resolve(text) }
  const name = text.slice(3)
  if (!/^(?!\/)(?!.*\/\/)[^\p{Cc}\\]{1,900}$/u.test(name) || name.split('/').includes('..'))
    throw new SettingFault(
      `muss nach s3: den Namen im Bucket nennen, wie s3:karten/land.pmtiles, nicht „${text}“`,
    )
  return { art: 's3', name }
}

export interface FileFacts {
  readonly size: number
  /** Another one as soon as the file is another one. */
  readonly version: string
}
export interface FileSource {
  /** For the operator. */
  readonly name: string
  /** Null if there is no such file. Rejects if nobody can say. */
  look(): Promise<FileFacts | null>
  /** Fewer bytes where the file ends; null if it is gone or is no longer this version. */
  read(start: number, length: number, version: string): Promise<Buffer | null>
}

const versionOf = (...facts: readonly (string | number | bigint)[]): string =>
  createHash('sha256').update(facts.join(' ')).digest('hex').slice(0, 16)

export function diskSource(path: string): FileSource {
  const look = async (): Promise<FileFacts | null> => {
    const there = await stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
      throw error
    })
    if (there === null || !there.isFile()) return null
    await access(path, constants.R_OK)
    return { size: Number(there.size), version: versionOf(there.size, there.mtimeNs, there.ino) }
  }
  return {
    name: path,
    look,
    async read(start, length, version) {
      const file = await open(path, 'r').catch(() => null)
      if (file === null) return null
      try {
        const there = await file.stat({ bigint: true })
        if (versionOf(there.size, there.mtimeNs, there.ino) !== version) return null
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, Number(there.size) - start)))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
        return bytes.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
  }
}

/** A piece of some megabytes over a slow line; the store may be silent for less. */
const PIECE_MS = 20_000

export function bucketSource(client: S3Client, name: string): FileSource {
  const etags = new Map<string, string>()
  return {
    name: `s3:${name}`,
    async look() {
      const answer = await client.ask({ method: 'HEAD', name, also: [404] })
      if (answer.status === 404) return null
      const etag = answer.headers.get('etag') ?? ''
      const size = Number(answer.headers.get('content-length'))
      const version = versionOf(size, etag, answer.headers.get('last-modified') ?? '')
      etags.clear()
      etags.set(version, etag)
      return { size, version }
    },
    async read(start, length, version) {
      const etag = etags.get(version)
      if (etag === undefined) return null
      const headers = {
        range: `bytes=${start}-${start + length - 1}`,
        ...(etag !== '' && { 'if-match': etag }),
      }
      const answer = await client.ask({ method: 'GET', name, headers, also: [404, 412] })
      if (answer.status !== 206) {
        await answer.body?.cancel()
        return null
      }
      return Buffer.from((await within(answer.arrayBuffer(), PIECE_MS))!)
    },
  }
}
