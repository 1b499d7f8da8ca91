// Files of others are read beside the server, in a process that may be killed: what it says of the file, and what its end means.
import { ReaderFault, type ReaderMessage, type RunOptions, runReader } from '#server/reader/run-reader.ts'
import type { DateiGrund } from '#contract/vermessung-import.ts'
import { DateiFault } from './quelle.ts'

/** Nobody waits for it any more. */
export class LeserEnde extends Error {
  override readonly name = 'LeserEnde'
}

interface Grund extends ReaderMessage {
  readonly art: 'grund'
  readonly grund: DateiGrund
}

/** @throws DateiFault, LeserEnde */
export async function* readForeign<Nachricht extends ReaderMessage>(
  datei: URL,
  auftrag: unknown,
  { limits, signal }: RunOptions = {},
): AsyncGenerator<Nachricht, void> {
  try {
    for await (const message of runReader<Nachricht | Grund>(datei, auftrag, { limits, signal })) {
      if (isGrund(message)) throw new DateiFault(message.grund)
      yield message
    }
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) throw new LeserEnde()
    // What brings a reader down lies in the file: too deep, not what it says it is, or made to take more than there is.
    if (error instanceof ReaderFault) throw new DateiFault(error.what === 'crash' ? 'datei_kaputt' : 'datei_aufwand')
    throw error
  }
}

const isGrund = (message: ReaderMessage): message is Grund => message.art === 'grund'
