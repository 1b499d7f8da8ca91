// Mails are read beside the server, in a process that may be killed (docs/decisions/foreign-files.md).
import type { EingangMailRule } from '#contract/eingang.ts'
import type { Limits } from '#server/reader/confined.ts'
import { ReaderFault, runReader } from '#server/reader/run-reader.ts'
import type { MailHead } from './read-mail.ts'

export interface MailTask {
  readonly path: string
}
export type MailMessage =
  | { readonly art: 'kopf'; readonly head: MailHead; readonly rule: EingangMailRule | null }
  /** Without its bytes: too large. */
  | { readonly art: 'datei'; readonly name: string; readonly base64: string | null }
  | { readonly art: 'ende' }
  | { readonly art: 'kaputt' }

const SHARE: Limits = { memoryBytes: 512 * 2 ** 20, cpuMs: 30_000, wallMs: 60_000 }
const WORKER = new URL('./mail-worker.ts', import.meta.url)

export interface SeenMail {
  readonly head: MailHead
  readonly rule: EingangMailRule | null
}

/** Hands out its files one by one. A mail that nobody can read, or that brings the reader down, is refused as such. */
export async function seeMail(
  path: string,
  { limits, signal }: { readonly limits: Limits; readonly signal: AbortSignal },
  onFile: (name: string, bytes: Buffer | null) => Promise<void>,
): Promise<SeenMail> {
  const least = {
    memoryBytes: Math.min(limits.memoryBytes, SHARE.memoryBytes),
    cpuMs: Math.min(limits.cpuMs, SHARE.cpuMs),
    wallMs: Math.min(limits.wallMs, SHARE.wallMs),
  }
  let head: MailHead = { from: '', subject: '', sentAt: null }
  try {
    for await (const message of runReader<MailMessage>(WORKER, { path }, { limits: least, signal })) {
      if (message.art === 'ende') return { head, rule: null }
      if (message.art === 'kaputt') return { head, rule: 'mail_kaputt' }
      if (message.art === 'datei')
        await onFile(message.name, message.base64 === null ? null : Buffer.from(message.base64, 'base64'))
      else {
        head = message.head
        if (message.rule !== null) return { head, rule: message.rule }
      }
    }
  } catch (error) {
    if (!(error instanceof ReaderFault)) throw error
  }
  return { head, rule: 'mail_kaputt' }
}
