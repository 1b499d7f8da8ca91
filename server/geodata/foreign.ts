// Foreign files are read beside the server, in a process that may be killed: relays what it says about the
// file, and interprets how it ended.
import { ReaderFault, type ReaderMessage, type RunOptions, runReader } from '#server/reader/run-reader.ts'
import type { FileReason } from '#contract/vermessung-import.ts'
import { FileFault } from './source.ts'

/** The reading was aborted: its result is no longer needed. */
export class ReaderEndedError extends Error {
  override readonly name = 'ReaderEndedError'
}

interface ReasonMessage extends ReaderMessage {
  readonly art: 'grund'
  readonly grund: FileReason
}

/** @throws FileFault, ReaderEndedError */
export async function* readForeign<Message extends ReaderMessage>(
  file: URL,
  jobSpec: unknown,
  { limits, signal }: RunOptions = {},
): AsyncGenerator<Message, void> {
  try {
    for await (const message of runReader<Message | ReasonMessage>(file, jobSpec, { limits, signal })) {
      if (isReason(message)) throw new FileFault(message.grund)
      yield message
    }
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) throw new ReaderEndedError()
    // The file is what brings a reader down: nested too deeply, not what it claims to be, or made
    // to exhaust memory or time.
    if (error instanceof ReaderFault)
      throw new FileFault(error.what === 'crash' ? 'datei_kaputt' : 'datei_aufwand')
    throw error
  }
}

/** What the process says about one matter. @throws FileFault when it ends without a word about it */
export async function firstOf<Message extends ReaderMessage, Kind extends Message['art']>(
  art: Kind,
  messages: AsyncIterable<Message>,
): Promise<Extract<Message, { art: Kind }>> {
  const isWanted = (message: Message): message is Extract<Message, { art: Kind }> => message.art === art
  for await (const message of messages) if (isWanted(message)) return message
  throw new FileFault('datei_kaputt')
}

const isReason = (message: ReaderMessage): message is ReasonMessage => message.art === 'grund'
