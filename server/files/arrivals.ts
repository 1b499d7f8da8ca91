// Files that arrive in one request: how many may be under way, of a person and of everybody, and whether the disk
// has room for them. Asked before the first byte is read; uploads that can be interrupted have upload-quota.ts.
import { mkdir, stat, statfs } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ArrivalRule } from '#contract/vermessung-import.ts'
import { type Caller, personOf } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import { refusal } from '#server/program-import.ts'
import { RETRY_AFTER_S } from '#server/work-queue.ts'
import { announcedIn, EXPIRES_MS, oneAtATime, RESERVE } from './upload-quota.ts'
import { UploadFault } from './upload-refusals.ts'

/** Files of one person, with all keys, until their work is done or waits elsewhere. */
export const ARRIVALS_PER_PERSON = 4
/** Files that may arrive at once from all senders: with the largest they fill eight gigabytes. */
export const ARRIVALS_AT_ONCE = 16

export interface ArrivalsOptions {
  readonly perPerson?: number
  readonly atOnce?: number
  /** Where resumable uploads arrive: on the same disk, what they announced is not free. */
  readonly uploads?: string
  readonly free?: (folder: string) => Promise<number>
  readonly now?: () => Date
}

export interface ArrivalPlace {
  /** Where the file is put. */
  readonly folder: string
  /** Longest file. */
  readonly most: number
}

export interface Arrivals {
  /**
   * Runs `work`, which reads the body. The person's place is held until it ends, the server's until all bytes are
   * there. @throws UploadFault, Refusal `storage_full`
   */
  take<T>(
    caller: Caller,
    sent: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    place: ArrivalPlace,
    work: () => Promise<T>,
  ): Promise<T>
}

/** Names the rule, and what its sentence needs. */
export class ArrivalFault extends UploadFault {
  readonly werte: Readonly<Record<string, number>>
  constructor(rule: ArrivalRule, count: number) {
    super('too_many_requests', rule, refusal(rule, { zahl: count }).message)
    this.werte = { zahl: count }
  }
}

/** Bytes that are still to come, by the disk that they are for. */
const coming = new Set<{ readonly disk: number; missing(): number }>()

const missingOn = (disk: number): number =>
  [...coming].reduce((sum, one) => sum + (one.disk === disk ? one.missing() : 0), 0)

/** What arrives in single requests on the folder's disk and has no place there yet. */
export const bytesComing = async (folder: string): Promise<number> => missingOn(await diskOf(folder))

async function diskOf(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return (await stat(folder)).dev
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export function createArrivals({
  perPerson = ARRIVALS_PER_PERSON,
  atOnce = ARRIVALS_AT_ONCE,
  uploads,
  free = freeIn,
  now = () => new Date(),
}: ArrivalsOptions = {}): Arrivals {
  const persons = new Map<string, number>()
  const underWay = new Set<Arriving>()

  function enter(person: string): () => void {
    const own = persons.get(person) ?? 0
    if (own >= perPerson) throw new ArrivalFault('upload_viele', perPerson)
    if (underWay.size >= atOnce) {
      const one = own === 0 ? slowestOfMost(underWay) : undefined
      if (one === undefined) throw new ArrivalFault('import_voll', atOnce)
      one.cutOff()
    }
    persons.set(person, own + 1)
    return () => {
      const left = persons.get(person)! - 1
      if (left === 0) persons.delete(person)
      else persons.set(person, left)
    }
  }

  /** @throws Refusal if the reserve would be used */
  async function announce(request: FastifyRequest, { folder, most }: ArrivalPlace): Promise<() => void> {
    const disk = await diskOf(folder)
    const announced = await resumableOn(disk, uploads, now())
    const size = sizeOf(request, most)
    if (size + announced + missingOn(disk) + RESERVE > (await free(folder))) throw new Refusal('storage_full')
    const { socket } = request.raw
    const before = socket.bytesRead
    const one = { disk, missing: () => Math.max(0, size - (socket.bytesRead - before)) }
    coming.add(one)
    return () => void coming.delete(one)
  }

  return {
    async take(caller, { request, reply }, place, work) {
      const refuse = (error: unknown): never => {
        // The rest of the file is not wanted.
        if (!request.raw.complete) void reply.header('connection', 'close')
        if (error instanceof ArrivalFault) void reply.header('retry-after', String(RETRY_AFTER_S))
        throw error
      }
      const share = personOf(caller.claims)
      const leave = attempt(() => enter(share), refuse)
      const begun = request.raw.socket.bytesRead
      const started = performance.now()
      const one: Arriving = {
        person: share,
        pace: () => (request.raw.socket.bytesRead - begun) / (performance.now() - started),
        cutOff() {
          underWay.delete(one)
          // As if the line had broken: an answer could come after bytes that complete the file.
          request.raw.destroy()
        },
      }
      underWay.add(one)
      let forget = (): void => undefined
      const arrived = once(() => {
        underWay.delete(one)
        forget()
      })
      request.raw.once('end', arrived).once('close', arrived)
      try {
        // Two that look at once would both find room.
        forget = await oneAtATime(uploads ?? '', () => announce(request, place)).catch(refuse)
        return await work()
      } finally {
        arrived()
        forget()
        leave()
      }
    },
  }
}

/** A file whose bytes are not all there. */
interface Arriving {
  readonly person: string
  /** Bytes in a millisecond. */
  pace(): number
  cutOff(): void
}

/**
 * Who has none under way takes the place of the slowest one of who has most, or a few people with slow lines would keep
 * everybody's imports out. Undefined if nobody has two.
 */
function slowestOfMost(underWay: ReadonlySet<Arriving>): Arriving | undefined {
  const byPerson = Map.groupBy(underWay, ({ person }) => person)
  const [most = []] = [...byPerson.values()].toSorted((a, b) => b.length - a.length)
  return most.length < 2 ? undefined : most.toSorted((a, b) => a.pace() - b.pace())[0]
}

function attempt<T>(work: () => T, refuse: (error: unknown) => never): T {
  try {
    return work()
  } catch (error) {
    return refuse(error)
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

/** Without a length the largest file is expected. */
function sizeOf({ headers }: FastifyRequest, most: number): number {
  const said = Number(headers['content-length'])
  return Number.isFinite(said) ? Math.min(said, most) : most
}

async function resumableOn(disk: number, uploads: string | undefined, now: Date): Promise<number> {
  if (uploads === undefined || (await diskOf(uploads)) !== disk) return 0
  const announced = await announcedIn(uploads, new Date(now.getTime() - EXPIRES_MS))
  return announced.reduce((sum, { size, there }) => sum + Math.max(0, size - there), 0)
}
