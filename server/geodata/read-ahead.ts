// What a reader says of a file, all of it before the transaction that takes it: the embedded engine has one session,
// and holding it while a file is read would make everybody wait.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { linesOf } from '#server/reader/run-reader.ts'
import { ReaderEndedError } from './foreign.ts'
import { FileFault } from './source.ts'

export interface AheadOptions {
  /** A path that is free; the file there lasts as long as the work. Memory would not do: files may be large. */
  readonly path: string
  readonly signal?: AbortSignal | undefined
  readonly mostBytes?: number
}

/** A drawing of a few kilobytes may repeat a block until this is more than the disk has. */
const MOST_BYTES = 2 ** 30

/** Does the work when all messages are there. */
export async function readAhead<Message, T>(
  messages: AsyncIterable<Message>,
  { path, signal, mostBytes = MOST_BYTES }: AheadOptions,
  work: (messages: AsyncIterable<Message>) => Promise<T>,
): Promise<T> {
  try {
    await pipeline(written(messages, mostBytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return await work(readAgain<Message>(path, signal))
  } finally {
    await rm(path, { force: true })
  }
}

/** @throws FileFault */
async function* written(messages: AsyncIterable<unknown>, mostBytes: number): AsyncGenerator<string> {
  let bytes = 0
  for await (const message of messages) {
    const line = `${JSON.stringify(message)}\n`
    bytes += Buffer.byteLength(line)
    if (bytes > mostBytes) throw new FileFault('datei_aufwand')
    yield line
  }
}

async function* readAgain<Message>(path: string, signal?: AbortSignal): AsyncGenerator<Message> {
  const file = createReadStream(path)
  try {
    for await (const line of linesOf(file)) {
      if (signal?.aborted === true) throw new ReaderEndedError()
      yield JSON.parse(line) as Message
    }
  } finally {
    file.destroy()
  }
}
