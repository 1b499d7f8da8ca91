// Uploads that were announced and are not finished yet: how many a person may have, and how much may be
// announced in total. Abandoned uploads stay for days; a person at the limit first loses those of their own
// that have been idle for an hour.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface UploadQuota {
  /** Per person. */
  readonly uploads: number
  readonly bytes: number
}
export interface Announced {
  readonly id: string
  readonly person: string
  readonly size: number
  /** Bytes received. */
  readonly there: number
  /** When the last of them arrived. */
  readonly at: number
}

export type QuotaFault = 'uploads' | 'bytes' | 'disk'

/** Bytes left free for the database on the same disk. */
export const RESERVE = 64 * 2 ** 20
const STILL_MS = 60 * 60_000
/** An upload that was begun and not finished is removed after it. */
export const EXPIRES_MS = 3 * 24 * 60 * 60 * 1000
/** The end of an upload's name: person and a random id. */
const NAME = /-(\d+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const personOf = (id: string): string => NAME.exec(id)?.[1] ?? ''

/** All uploads that were begun after `since`. */
export async function announcedIn(folder: string, since: Date): Promise<Announced[]> {
  const all: Announced[] = []
  for (const file of await readdir(folder).catch(() => []))
    if (file.endsWith('.json')) {
      const one = await announcedOf(folder, file.slice(0, -'.json'.length), since)
      if (one !== null) all.push(one)
    }
  return all
}

async function announcedOf(folder: string, id: string, since: Date): Promise<Announced | null> {
  try {
    const path = join(folder, id)
    const [begun, { size }, come] = await Promise.all([
      stat(`${path}.json`),
      readFile(`${path}.json`, 'utf8').then((text) => JSON.parse(text) as { size?: number }),
      stat(path),
    ])
    if (begun.mtime < since) return null
    return { id, person: personOf(id), size: size ?? 0, there: come.size, at: come.mtimeMs }
  } catch {
    // Finished or removed in the meantime.
    return null
  }
}

interface Wish {
  readonly person: string
  readonly size: number
  readonly free: number
  readonly now: Date
}

/** Which uploads must be dropped so that this one may begin, or why it may not. */
export function roomFor(
  { person, size, free, now }: Wish,
  announced: readonly Announced[],
  quota: UploadQuota,
): { readonly drop: readonly string[] } | { readonly fault: QuotaFault } {
  const own = announced.filter((one) => one.person === person).toSorted((a, b) => a.at - b.at)
  const drop: string[] = []
  const kept = () => own.slice(drop.length)
  const isTooMany = (): QuotaFault | null =>
    kept().length >= quota.uploads
      ? 'uploads'
      : kept().reduce((sum, one) => sum + one.size, size) > quota.bytes
        ? 'bytes'
        : null
  for (let fault = isTooMany(); fault !== null; fault = isTooMany()) {
    const oldest = own[drop.length]
    if (oldest === undefined || now.getTime() - oldest.at < STILL_MS) return { fault }
    drop.push(oldest.id)
  }
  const coming = announced.reduce(
    (sum, one) => sum + (drop.includes(one.id) ? -one.there : Math.max(0, one.size - one.there)),
    size,
  )
  return coming + RESERVE > free ? { fault: 'disk' } : { drop }
}

const queues = new Map<string, Promise<unknown>>()
/** Serialises work per folder: two that check at once would both find room. */
export function oneAtATime<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(folder) ?? Promise.resolve()).then(work, work)
  queues.set(
    folder,
    turn.catch(() => undefined),
  )
  return turn
}
