// Files of others are read beside the server, in a process that may be killed: what it says of the file, and what its end means.
import { ReaderFault, type ReaderMessage, type RunOptions, runReader } from '#server/reader/run-reader.ts'
import type { FileReason } from '#contract/vermessung-import.ts'
import { FileFault } from './source.ts'

/** Nobody waits for it any more. */
export class ReaderEndedError extends Error {
  override readonly name = 'ReaderEndedError'
}

interface ReasonMessage extends ReaderMessage {
  readonly art: 'grund'
  readonly grund: FileReason
}

/** @throws FileFault, ReaderEndedError */
export async function* readForeign<Message extends ReaderMessage>(
  datei: URL,
  jobSpec: unknown,
  { limits, signal }: RunOptions = {},
): AsyncGenerator<Message, void> {
  try {
    for await (const message of runReader<Message | ReasonMessage>(datei, jobSpec, { limits, signal })) {
      if (isReason(message)) throw new FileFault(message.grund)
      yield message
    }
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) throw new ReaderEndedError()
    // What brings a reader down lies in the file: too deep, not what it says it is, or made to take more than there is.
    if (error instanceof ReaderFault)
      throw new FileFault(error.what === 'crash' ? 'datei_kaputt' : 'datei_aufwand')
    throw error
  }
}

const isReason = (message: ReaderMessage): message is ReasonMessage => message.art === 'grund'
