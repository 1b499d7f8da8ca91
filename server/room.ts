// A room of the server: what each of them gives, how they start one after the other, and how they end in
// reverse.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { createEnding, type Step } from './ending.ts'
import type { Job } from './job.ts'
import type { Log } from './log.ts'
import type { ProgramImport } from './program-import.ts'

export interface Room {
  /** For the log, when it does not end in time. */
  readonly name: string
  /** Registered in its own scope, in the order of the rooms. */
  readonly routes?: FastifyPluginAsync
  readonly jobs?: readonly Job[]
  /** What programs may import by one request. */
  readonly imports?: readonly ProgramImport[]
  /** What requests may have needed until the last one is answered. */
  readonly close?: () => unknown
}

/** The rooms of one server, in the order of their start. */
export interface House {
  /**
   * The room has started: from now on it ends with the house. Returns the room.
   * @param prefix base path of its routes; without one they name their whole paths
   */
  add<R extends Room>(room: R, prefix?: string): R
  /** What takes in requests; it ends first, together with the jobs. */
  addEntrance(name: string, step: Step): void
  /** What all rooms stand on; it ends last. */
  addGround(name: string, step: Step): void
  startJobs(): void
  /** By procedures of the data API: what wakes the jobs for which there is work afterwards. */
  nudges(): Readonly<Record<string, () => void>>
  registerRoutes(app: FastifyInstance): Promise<void>
  /** Returns the names of the parts that did not end in time. */
  end(graceMs: number): Promise<readonly string[]>
}

export function createHouse(log: Log): House {
  const ending = createEnding(log)
  const rooms: { readonly room: Room; readonly prefix: string }[] = []
  const jobs: Job[] = []
  return {
    add(room, prefix = '') {
      rooms.push({ room, prefix })
      const { name, close } = room
      if (close !== undefined) ending.add('rooms', name, () => close())
      for (const job of room.jobs ?? []) {
        jobs.push(job)
        ending.add('requests', job.name, () => job.stop())
      }
      return room
    },
    startJobs: () => jobs.forEach((job) => job.start()),
    nudges() {
      const procedures = new Set(jobs.flatMap(({ wokenBy }) => wokenBy))
      const wake = (procedure: string) => () =>
        jobs.filter(({ wokenBy }) => wokenBy.includes(procedure)).forEach((job) => job.wake())
      return Object.fromEntries([...procedures].map((procedure) => [procedure, wake(procedure)]))
    },
    async registerRoutes(app) {
      for (const { room, prefix } of rooms)
        if (room.routes !== undefined) await app.register(room.routes, { prefix })
    },
    addEntrance: (name, step) => ending.add('requests', name, step),
    addGround: (name, step) => ending.add('database', name, step),
    end: (graceMs) => ending.run(graceMs),
  }
}

/** Added to the grace period, so that there is some time even when it is 0. */
const NOTICE_MS = 250

/**
 * Lets `open` add the rooms one after the other. If that fails, or the signal aborts, the rooms that had
 * started are ended and the reason is thrown.
 */
export async function openHouse<T>(
  house: House,
  { graceMs, signal }: { readonly graceMs: number; readonly signal?: AbortSignal | undefined },
  open: () => Promise<T>,
): Promise<T> {
  const opening = open()
  try {
    return await unlessAborted(opening, signal)
  } catch (error) {
    // An aborted step of the start gets the grace period to notice: only the step itself can
    // release a lock it holds.
    await Promise.race([
      opening.catch(() => undefined),
      sleep(graceMs + NOTICE_MS, undefined, { ref: false }),
    ])
    await house.end(graceMs)
    throw error
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
