// What a process writes: lines for people at a terminal, or one JSON object a line whatever writes, libraries and
// Node itself included.
import { createLog, type Level, type Log } from './log.ts'
import type { Config } from './config.ts'

export interface Outputs {
  readonly log: Log
  /** Nothing but JSON is written. */
  readonly isJson: boolean
  /** To the operator, in the language of operators; not where everything is JSON. */
  say(text: string): void
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>

interface Streams {
  readonly stdout: Stream
  readonly stderr: Stream
}

export function openOutputs(
  { LOG_FORMAT, LOG_LEVEL }: Pick<Config, 'LOG_FORMAT' | 'LOG_LEVEL'>,
  streams: Streams = process,
): Outputs {
  const format = LOG_FORMAT ?? (streams.stdout.isTTY ? 'text' : 'json')
  const write = streams.stdout.write.bind(streams.stdout)
  const log = createLog(
    (line) => write(`${line}\n`),
    () => new Date(),
    { format, level: LOG_LEVEL },
  )
  if (LOG_FORMAT !== 'json') return { log, isJson: false, say: (text) => console.log(text) }
  takeOver(streams.stdout, log, 'info')
  takeOver(streams.stderr, log, 'warn')
  // Node writes its warnings past the stream.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn('warning of Node', { name, reason: message }))
  process.on('uncaughtException', (error: unknown) => {
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined }
    log.error('unexpected fault, the server ends', { name, stack })
    process.exit(1)
  })
  return { log, isJson: true, say: () => undefined }
}

/** Whatever is written to the stream becomes entries of the log, one for each line. */
function takeOver(stream: Stream, log: Log, level: Level): void {
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    for (const line of text.split('\n')) if (line.trim() !== '') log[level](line.trim())
    const done = rest.findLast((one) => typeof one === 'function')
    if (done !== undefined) process.nextTick(done as () => void)
    return true
  }
}
