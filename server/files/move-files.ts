// Moves the files from one place into the other while servers use both (two-places.ts). A file counts as moved once it
// was read back from where it went and has the bytes that its name says; only then may it be removed where it was.
// Ended in the middle, it goes on where it stopped: what is verified is noted.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hashOf, isFileName, type Store, type Stored } from './store.ts'

export interface MoveFilesOptions {
  readonly from: Store
  readonly to: Store
  /** Names of the files that are verified, one a line. */
  readonly notes: string
  /** Removes what is verified where it was. */
  readonly remove: boolean
  progress?(soFar: Moved): void
}

export interface Moved {
  readonly copied: number
  readonly bytes: number
  /** Were there, and have been verified now or before. */
  readonly there: number
  readonly removed: number
  /** Have other bytes than their name says where they are; left as they are. */
  readonly damaged: readonly string[]
}

/** Transfers at a time: a bucket answers slowly and serves many. */
const AT_ONCE = 6

export async function moveFiles(options: MoveFilesOptions): Promise<Moved> {
  const { from, notes, progress } = options
  await mkdir(dirname(notes), { recursive: true, mode: 0o700 })
  const move = new Move(options, await verifiedBefore(notes))
  const files = from.liste()[Symbol.asyncIterator]()
  let failed = false
  const worker = async (): Promise<void> => {
    for (let next = await files.next(); next.done !== true && !failed; next = await files.next()) {
      await move.one(next.value)
      progress?.(move.soFar())
    }
  }
  const stopAll = (error: unknown): never => {
    failed = true
    throw error
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => worker().catch(stopAll)))
  const moved = move.soFar()
  // Everything is where it belongs: a later move starts from nothing.
  if (options.remove && moved.damaged.length === 0) await rm(notes, { force: true })
  return moved
}

class Move {
  readonly #options: MoveFilesOptions
  readonly #verified: Set<string>
  readonly #replaced = new Set<string>()
  #copied = 0
  #bytes = 0
  #there = 0
  #removed = 0
  readonly #damaged: string[] = []

  constructor(options: MoveFilesOptions, verified: Set<string>) {
    this.#options = options
    this.#verified = verified
  }

  soFar(): Moved {
    const [copied, bytes, there, removed] = [this.#copied, this.#bytes, this.#there, this.#removed]
    return { copied, bytes, there, removed, damaged: this.#damaged }
  }

  async one({ sha256, groesse }: Stored): Promise<void> {
    const { from, to, remove } = this.#options
    const there = (await to.groesse(sha256)) === groesse
    if (!there && !(await this.#copy(sha256))) return
    // What was verified and has gone since is copied and verified again.
    if ((!there || !this.#verified.has(sha256)) && !(await this.#verify(sha256))) return
    // One of the right length with other bytes was replaced, so it was copied.
    if (there && !this.#replaced.has(sha256)) this.#there++
    if (!remove) return
    await from.remove(sha256)
    this.#removed++
  }

  /** False if it is gone or damaged. */
  async #copy(sha256: string): Promise<boolean> {
    const { from, to } = this.#options
    const path = await to.workFile()
    try {
      const stream = await from.readFrom(sha256)
      // Removed meanwhile because nothing names it.
      if (stream === null) return false
      await pipeline(stream, createWriteStream(path, { mode: 0o600 }))
      const found = await hashOf(path)
      if (found.sha256 !== sha256) {
        this.#damaged.push(sha256)
        return false
      }
      await to.putFile(path, found)
      this.#copied++
      this.#bytes += found.groesse
      return true
    } finally {
      await to.removeWork(path)
    }
  }

  /** False if it is gone or damaged. */
  async #verify(sha256: string): Promise<boolean> {
    const { to } = this.#options
    if ((await digestAt(to, sha256)) !== sha256) {
      // Of the right length with other bytes: replaced by what is stored here.
      this.#replaced.add(sha256)
      await to.remove(sha256)
      if (!(await this.#copy(sha256))) return false
      if ((await digestAt(to, sha256)) !== sha256) throw new Error(`${sha256} has other bytes where it went`)
    }
    this.#verified.add(sha256)
    await appendFile(this.#options.notes, `${sha256}\n`, { mode: 0o600 })
    return true
  }
}

async function digestAt(store: Store, sha256: string): Promise<string | null> {
  const stream = await store.readFrom(sha256)
  if (stream === null) return null
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** A line that was cut off by a sudden end is no name. */
async function verifiedBefore(notes: string): Promise<Set<string>> {
  const text = await readFile(notes, 'utf8').catch(() => '')
  return new Set(text.split('\n').filter((line) => isFileName(line)))
}
