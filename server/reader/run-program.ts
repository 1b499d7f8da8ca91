// Runs a program of somebody else on a foreign file, within limits, and gives what it writes on its standard output.
import type { Readable } from 'node:stream'
import { type Exceeded, killGroup, type Limits, startProgram, watchUsage } from './confined.ts'
import { createClock, endOf, ReaderFault } from './run-reader.ts'

/** It could not be started at all, or says that something it needs is not there. */
export class ProgramMissingError extends Error {
  override readonly name = 'ProgramMissingError'
}

const MOST_OUTPUT = 4 * 2 ** 20
/** How util-linux and shells end when there is nothing to start (POSIX, 2.8.2). */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127])

/** @throws ProgramMissingError, ReaderFault, or the signal's reason */
export async function runProgram(
  command: readonly string[],
  { limits, signal, env = {} }: { limits: Limits; signal: AbortSignal; env?: NodeJS.ProcessEnv },
): Promise<string> {
  signal.throwIfAborted()
  const child = startProgram(command, { ...limits, env })
  const ended = endOf(child)
  const missing = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(true))
    child.once('exit', (code) => resolve(NOT_STARTED.has(code)))
  })
  const output = child.stdout as Readable
  let fault: unknown
  const stop = (reason: unknown): void => {
    fault ??= reason
    killGroup(child)
    output.destroy()
  }
  const exceeded = (what: Exceeded): void => stop(new ReaderFault(what))
  const endWatch = watchUsage(child, limits, exceeded)
  const clock = createClock(limits.wallMs, () => exceeded('wall'))
  const onAbort = (): void => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  clock.go()
  try {
    const parts: Buffer[] = []
    let size = 0
    for await (const chunk of output as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MOST_OUTPUT) throw new ReaderFault('memory')
      parts.push(chunk)
    }
    const why = await ended
    if (await missing) throw new ProgramMissingError()
    if (why !== null) throw new ReaderFault(why)
    return Buffer.concat(parts).toString('utf8')
  } catch (error) {
    // A destroyed stream only says that it was destroyed; `fault` says why.
    throw fault ?? error
  } finally {
    clock.pause()
    endWatch()
    signal.removeEventListener('abort', onAbort)
    killGroup(child)
    output.destroy()
    await ended
  }
}
