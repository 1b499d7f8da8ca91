// Files of programs are read beside the server, in a process that may be killed (docs/decisions/foreign-files.md).
import type { CamtBuchung, CamtHint } from '#domain/camt/statement.ts'
import type { Duplicates, KnownKunde, UploadRow } from '#domain/import.ts'
import type { Fault } from '#domain/import-faults.ts'
import { ImportRefusal } from '#server/program-import.ts'
import { ReaderFault, type ReaderMessage, type RunOptions, runReader } from '#server/reader/run-reader.ts'
import { sayIn } from './words.ts'

export type Task =
  | {
      readonly kind: 'kunden'
      readonly path: string
      readonly doppelte: Duplicates
      readonly vorhanden: readonly (readonly [string, KnownKunde])[]
      readonly now: number
    }
  | { readonly kind: 'auszug'; readonly path: string }

export interface ReadKunden {
  readonly art: 'kunden'
  readonly zeilen: number
  readonly uebersprungen: number
  readonly fehlerzahl: number
  readonly fehler: readonly Fault[]
  readonly schluessel: readonly { readonly schluessel: string; readonly name: string; readonly plz: string }[]
  readonly rows: readonly UploadRow[]
}
export interface ReadStatement {
  readonly art: 'auszug'
  readonly accounts: readonly string[]
  readonly buchungen: readonly CamtBuchung[]
  readonly hinweise: readonly CamtHint[]
}
export type Message =
  | ReadKunden
  | ReadStatement
  | {
      readonly art: 'grund'
      readonly words: 'tabelle' | 'auszug'
      readonly code: string
      readonly angaben: Readonly<Record<string, string | number>>
    }

const WORKER = new URL('./reader-worker.ts', import.meta.url)

async function read<Art extends 'kunden' | 'auszug'>(
  art: Art,
  task: Task,
  options: RunOptions,
): Promise<Extract<Message, { art: Art }>> {
  try {
    for await (const message of runReader<Message & ReaderMessage>(WORKER, task, options)) {
      if (message.art === 'grund') {
        const { words, code, angaben } = message
        throw new ImportRefusal('bad_value', code, sayIn('de', words, code, angaben), angaben)
      }
      return message as Extract<Message, { art: Art }>
    }
  } catch (error) {
    // The file is what brings a reader down.
    if (!(error instanceof ReaderFault)) throw error
  }
  throw new ImportRefusal('bad_value', 'datei_aufwand', sayIn('de', 'datei', 'datei_aufwand', {}))
}

export const readKunden = (task: Omit<Extract<Task, { kind: 'kunden' }>, 'kind'>, options: RunOptions) =>
  read('kunden', { ...task, kind: 'kunden' }, options)
export const readStatement = (path: string, options: RunOptions) =>
  read('auszug', { kind: 'auszug', path }, options)
