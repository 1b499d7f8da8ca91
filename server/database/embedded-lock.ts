// One process at a time per data folder. The embedded engine's own pid file holds a constant and protects
// nothing; two processes would destroy the data.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  futimesSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'

interface Holder {
  readonly pid: number
  /** Clock ticks between boot and the start of the process; tells a reused pid apart. */
  readonly started: string | null
  readonly host: string
  readonly boot: string | null
  /** Containers number their processes independently. */
  readonly processSpace: string | null
  readonly since: string
}

/** The file that makes the lock ours while it is in place. Can be sent to another thread. */
export interface LockProof {
  readonly file: string
  readonly inode: number
}

export interface FolderLock {
  readonly proof: LockProof
  /** Its last holder could not be checked and was silent for too long: it may be frozen and wake up. */
  readonly fromSilent: boolean
  /** Called once, when another process has taken the lock because this one was silent for too long. */
  onLost: () => void
  release(): void
}

/** False if the lock was taken over or its file removed. Cheap enough to check before every write. */
export function stillHeld({ file, inode }: LockProof): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.ino === inode
  } catch {
    return false
  }
}

export interface LockOptions {
  readonly log: Log
  readonly now: () => Date
  /** How long a holder that cannot be checked may stay silent. */
  readonly silenceMs?: number
  readonly host?: string
}

/** Another process is using the folder. The message is for the operator. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
}

const HEARTBEAT_MS = 2000
/** Applies only where the process cannot be checked: on another machine or in another container. */
const SILENCE_MS = 30_000

/**
 * Lock files are `<path>.<n>`, each created with its content in one step. A process that creates the next
 * number and then finds no other living holder has the folder: if two create files at the same time, the
 * later one to look sees the other. Only the winner removes dead files.
 */
export async function lockFolder(path: string, options: LockOptions): Promise<FolderLock> {
  for (let attempt = 1; ; attempt++) {
    const living = othersOf(path, null).find((other) => stateOf(other.file, options) === 'alive')
    if (living !== undefined) throw inUse(path, living.file)
    const mine = createNext(path, describeMyself(options))
    if (mine === null) continue
    const others = othersOf(path, mine)
    const states = others.map((other) => stateOf(other.file, options))
    if (!states.includes('alive')) {
      for (const { file } of others) rmSync(file, { force: true })
      return hold(mine, states.includes('silent'), options.log)
    }
    rmSync(mine, { force: true })
    if (attempt >= 5) throw inUse(path, others[0]?.file)
    await sleep(50 + Math.random() * 200)
  }
}

function hold(file: string, fromSilent: boolean, log: Log): FolderLock {
  // Kept open, so that no other file can get its inode.
  const descriptor = openSync(file, 'r')
  const proof = { file, inode: fstatSync(descriptor).ino }
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    clearInterval(beat)
    process.off('exit', release)
    closeSync(descriptor)
  }
  const release = () => {
    // Another process may by now have a file of the same name.
    if (stillHeld(proof)) rmSync(file, { force: true })
    end()
  }
  // A process that is cut off at the end of the grace period also frees the folder; what the engine writes
  // after this is confirmed to nobody.
  process.once('exit', release)
  const beat = setInterval(() => {
    if (stillHeld(proof)) return tellAlive(descriptor, log)
    log.error('the lock of the data folder is gone: taken over after a long silence, or removed', { file })
    end()
    lock.onLost()
  }, HEARTBEAT_MS).unref()
  const lock: FolderLock = {
    proof,
    fromSilent,
    onLost: () => undefined,
    release,
  }
  return lock
}

function tellAlive(descriptor: number, log: Log): void {
  const now = new Date()
  try {
    futimesSync(descriptor, now, now)
  } catch (error) {
    log.error('the lock of the data folder cannot be renewed', { reason: reasonForLog(error) })
  }
}

function othersOf(path: string, mine: string | null): { file: string; number: number }[] {
  const prefix = `${basename(path)}.`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => ({ file: join(dirname(path), name), number: Number(name.slice(prefix.length)) }))
    .filter(({ file }) => file !== mine)
    .sort((a, b) => b.number - a.number)
}

/** Null if another process was faster. */
function createNext(path: string, holder: Holder): string | null {
  const file = `${path}.${(othersOf(path, null)[0]?.number ?? 0) + 1}`
  const draft = `${path}-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
    linkSync(draft, file)
    return file
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EEXIST') return null
    // File systems without hard links: exclusive create. An empty file counts as living until it is 30 s old.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return createWithoutLink(file, holder)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function createWithoutLink(file: string, holder: Holder): string | null {
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    writeSync(descriptor, JSON.stringify(holder))
    closeSync(descriptor)
    return file
  } catch (error) {
    if (existsSync(file)) return null
    throw error
  }
}

type HolderState = 'alive' | 'silent' | 'dead'

function stateOf(file: string, options: LockOptions): HolderState {
  let silentMs: number
  let holder: Holder | null
  try {
    silentMs = options.now().getTime() - statSync(file).mtimeMs
    holder = readHolder(file)
  } catch {
    return 'dead' // removed in the meantime
  }
  const me = describeMyself(options)
  if (holder === null || holder.host !== me.host || holder.processSpace !== me.processSpace)
    return silentMs < (options.silenceMs ?? SILENCE_MS) ? 'alive' : 'silent'
  if (holder.boot !== me.boot) return 'dead'
  return processExists(holder.pid) && (holder.started === null || holder.started === startOf(holder.pid))
    ? 'alive'
    : 'dead'
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const describeMyself = ({ now, host = hostname() }: LockOptions): Holder => ({
  pid: process.pid,
  started: startOf(process.pid),
  host,
  boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  processSpace: quietly(() => readlinkSync('/proc/self/ns/pid')),
  since: now().toISOString(),
})

/** Field 22 of /proc/<pid>/stat, counted after the name in brackets, which may itself contain blanks. */
function startOf(pid: number): string | null {
  return quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null)
}

/** Not every system has /proc. */
function quietly<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

function inUse(path: string, file: string | undefined): FolderInUseError {
  const holder = file === undefined ? null : quietly(() => readHolder(file))
  const who = holder == null ? '' : ` (Prozess ${holder.pid} auf ${holder.host}, seit ${holder.since})`
  return new FolderInUseError(
    `Der Datenordner ${dirname(path)} wird schon von einem laufenden Forstkontor benutzt${who}. ` +
      'Bitte dieses zuerst beenden oder mit DATA_DIR einen anderen Ordner wählen.',
  )
}
