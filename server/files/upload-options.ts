// What an upload needs from the place that it is for, and what it gives to it.
import type { FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import type { Stored, Store } from './store.ts'
import type { UploadQuota } from './upload-quota.ts'
import type { TooLarge } from './upload-refusals.ts'

/** Where an upload belongs and whose it is: requests of other people do not find it. */
export interface UploadPlace {
  /** Names the place and the person; the upload's name begins with it. */
  readonly name: string
  /** Path of the uploads of this place below the prefix. */
  readonly path: string
}
export interface Uploaded extends Stored {
  readonly id: string
  readonly filePath: string
  readonly dateiname: string
  /** The upload's metadata; null where the sender gave a name without a value. */
  readonly angaben: Readonly<Record<string, string | null>>
}
/** What the upload has become: sent in headers of the last answer. */
export interface TakenUp {
  readonly groesse: number
  readonly headers: Readonly<Record<string, string>>
}

export interface UploadOptions<O extends UploadPlace> {
  /** In Fastify's notation, such as /karte/:karte/upload. */
  readonly route: string
  /** Base path of the routes. */
  readonly prefix: string
  /** For unfinished uploads; shared by all servers. */
  readonly folder: string
  readonly maxBytes: number
  /** What one person may have unfinished at a time, here and at the other places that share the folder. */
  readonly quota?: UploadQuota
  readonly tooLarge: TooLarge
  /** Longest file name, in characters. */
  readonly longestName: number
  readonly fileStore: Store
  readonly log: Log
  readonly now: () => Date
  /** Refuses, or returns where the upload belongs. */
  allowed(caller: Caller, request: FastifyRequest): Promise<O>
  /** What an upload of this place has already become, on any server; null: nothing yet. */
  taken(ort: O, id: string): Promise<TakenUp | null>
  /** Asked before an upload begins: does the file exist already? */
  there?(ort: O, sha256: string | null): Promise<TakenUp | null>
  /** All bytes have arrived and match the hash. The file is removed afterwards. */
  takeUp(ort: O, file: Uploaded): Promise<TakenUp>
  refusalOf(error: unknown): Refusal | null
}
