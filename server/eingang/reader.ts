// Received files are read beside the server, in a process that may be killed (docs/decisions/foreign-files.md).
import type { EingangFileRule } from '#contract/eingang.ts'
import type { Recipient } from '#domain/eingang/recipient.ts'
import type { Attachment } from '#domain/eingang/read-invoice.ts'
import type { Limits } from '#server/reader/confined.ts'
import { ReaderFault, type ReaderMessage, runReader } from '#server/reader/run-reader.ts'
import { FileFault } from './file-fault.ts'
import type { ReadFile } from './read-file.ts'

export interface ReadTask {
  readonly path: string
  /** Who receives the invoice. */
  readonly self: Recipient | null
  /** The embedded document that is wanted, from 1, or the e-invoice itself, out of a PDF; null: what it says. */
  readonly attachment: number | 'xml' | null
}
export type Message =
  | { readonly art: 'gelesen'; readonly read: ReadFile }
  | { readonly art: 'anlage'; readonly attachment: Attachment | null }
  | { readonly art: 'grund'; readonly code: EingangFileRule }

/** An invoice needs no minutes: what takes longer is made to take longer. */
const SHARE: Limits = { memoryBytes: 384 * 2 ** 20, cpuMs: 20_000, wallMs: 60_000 }

export interface ReaderOptions {
  readonly limits: Limits
  readonly signal: AbortSignal
}

const WORKER = new URL('./reader-worker.ts', import.meta.url)

async function firstMessage(task: ReadTask, { limits, signal }: ReaderOptions): Promise<Message> {
  const least = {
    memoryBytes: Math.min(limits.memoryBytes, SHARE.memoryBytes),
    cpuMs: Math.min(limits.cpuMs, SHARE.cpuMs),
    wallMs: Math.min(limits.wallMs, SHARE.wallMs),
  }
  try {
    for await (const message of runReader<Message & ReaderMessage>(WORKER, task, { limits: least, signal })) {
      if (message.art === 'grund') throw new FileFault(message.code)
      return message
    }
  } catch (error) {
    // The file is what brings a reader down.
    if (error instanceof ReaderFault) throw new FileFault('eingang_aufwand')
    throw error
  }
  throw new FileFault('eingang_aufwand')
}

/** @throws FileFault, or the signal's reason */
export async function readReceived(
  path: string,
  self: Recipient | null,
  options: ReaderOptions,
): Promise<ReadFile> {
  const message = await firstMessage({ path, self, attachment: null }, options)
  if (message.art !== 'gelesen') throw new FileFault('eingang_aufwand')
  return message.read
}

/** @throws FileFault, or the signal's reason */
export async function readEmbedded(
  path: string,
  index: number,
  options: ReaderOptions,
): Promise<Attachment | null> {
  const message = await firstMessage({ path, self: null, attachment: index }, options)
  return message.art === 'anlage' ? message.attachment : null
}

/** The XML of a PDF, as it was put there; null: none. @throws FileFault, or the signal's reason */
export async function readXmlOf(path: string, options: ReaderOptions): Promise<Buffer | null> {
  const message = await firstMessage({ path, self: null, attachment: 'xml' }, options)
  return message.art === 'anlage' && message.attachment !== null
    ? Buffer.from(message.attachment.base64, 'base64')
    : null
}
