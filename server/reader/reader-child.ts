// The counterpart of run-reader.ts: how a reading process gets its task, and how it answers.
// Without the server it ends.
import { writeSync } from 'node:fs'
import { createLineSplitter } from '#server/split-lines.ts'
import { READER_OUTPUT } from './lines.ts'

export interface ReaderChild<Task, Message> {
  readonly task: Task
  tell(message: Message): void
  /** Resolves when the server has taken the last packet and wants the next one. */
  answer(): Promise<void>
}

export async function readerChild<Task, Message>(): Promise<ReaderChild<Task, Message>> {
  const lines: string[] = []
  const splitter = createLineSplitter()
  let wake: (() => void) | null = null
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (text: string) => {
    lines.push(...splitter.take(text))
    wake?.()
  })
  process.stdin.on('end', () => process.exit(1))
  const next = async (): Promise<string> => {
    for (let line = lines.shift(); ; line = lines.shift()) {
      if (line !== undefined) return line
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    task: JSON.parse(await next()) as Task,
    tell(message) {
      const bytes = Buffer.from(`${JSON.stringify(message)}\n`, 'utf8')
      for (let at = 0; at < bytes.length; ) at += writeSync(READER_OUTPUT, bytes, at)
    },
    answer: async () => void (await next()),
  }
}
