// Reads one foreign file in a separate process that ends with it. The process reports line by line, and sends
// the next packet when the last one was taken.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { MOST_LINE_BYTES } from './lines.ts'
import {
  type Exceeded,
  killGroup,
  type Limits,
  READER_LIMITS,
  startConfined,
  watchUsage,
} from './confined.ts'

/** `crash`: it ended by itself, because of what is in the file. */
export class ReaderFault extends Error {
  override readonly name = 'ReaderFault'
  readonly what: Exceeded | 'crash'
  constructor(what: Exceeded | 'crash') {
    super(`the reader ended: ${what}`)
    this.what = what
  }
}

export interface ReaderMessage {
  readonly art: string
}
export interface RunOptions {
  readonly limits?: Limits | undefined
  readonly signal?: AbortSignal | undefined
}

/** It may only read files: it can start no program, write nothing and load no native code. */
const READS_ONLY = [
  '--permission',
  '--allow-fs-read=*',
  '--disable-warning=SecurityWarning',
  '--disable-warning=ExperimentalWarning',
]

/**
 * Messages of a reader; after each one of the kind `zeilen` the reader waits until the next is asked for.
 * @throws ReaderFault, or the signal's reason
 */
export async function* runReader<M extends ReaderMessage>(
  file: URL,
  task: unknown,
  { limits = READER_LIMITS, signal }: RunOptions = {},
): AsyncGenerator<M, void> {
  signal?.throwIfAborted()
  const child = startConfined(file, { ...limits, talk: 'lines', nodeArgs: READS_ONLY })
  const ended = endOf(child)
  const [input, output] = [child.stdio[0] as Writable, child.stdio[3] as Readable]
  // It may exit before it has read its input.
  input.on('error', () => undefined)
  let fault: unknown
  const stop = (reason: unknown): void => {
    fault ??= reason
    killGroup(child)
    output.destroy()
  }
  const exceeded = (what: Exceeded): void => stop(new ReaderFault(what))
  const endWatch = watchUsage(child, limits, exceeded)
  const clock = createClock(limits.wallMs, () => exceeded('wall'))
  const onAbort = (): void => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    input.write(`${JSON.stringify(task)}\n`)
    clock.go()
    for await (const line of linesOf(output)) {
      const message = JSON.parse(line) as M
      clock.pause()
      yield message
      clock.go()
      if (message.art === 'zeilen') input.write('\n')
    }
    const why = await ended
    if (why !== null) throw new ReaderFault(why)
  } catch (error) {
    // A destroyed stream only says that it was destroyed; `fault` says why.
    throw fault ?? error
  } finally {
    clock.pause()
    endWatch()
    signal?.removeEventListener('abort', onAbort)
    killGroup(child)
    output.destroy()
    await ended
  }
}

/** Counts only while the reader works. */
export function createClock(milliseconds: number, onEnd: () => void) {
  let left = milliseconds
  let begun = 0
  let timer: NodeJS.Timeout | undefined
  return {
    go(): void {
      begun = performance.now()
      timer = setTimeout(onEnd, Math.max(1, left))
    },
    pause(): void {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      left -= performance.now() - begun
    },
  }
}

/** By line feeds alone: texts in JSON may have other line separators. */
export async function* linesOf(output: Readable): AsyncGenerator<string, void> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of output as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at))
      yield Buffer.concat(parts).toString('utf8')
      parts = []
      length = 0
      from = at + 1
    }
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > MOST_LINE_BYTES) throw new ReaderFault('memory')
  }
}

/**
 * Null: ended normally. The heap limit ends it with SIGABRT, the kernel with SIGXCPU or, if the machine
 * is out of memory, SIGKILL.
 */
export async function endOf(child: ChildProcess): Promise<Exceeded | 'crash' | null> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (code === 0) return null
    if (signal === 'SIGXCPU') return 'cpu'
    return signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP' ? 'memory' : 'crash'
  } catch {
    return 'crash'
  }
}
