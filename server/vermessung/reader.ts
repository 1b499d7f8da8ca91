// Reads survey files in a separate process.
import type { FileLayer, VermessungFormat } from '#contract/vermessung-import.ts'
import type { RunOptions } from '#server/reader/run-reader.ts'
import { firstOf, readForeign } from '../geodata/foreign.ts'
import { FileFault } from '../geodata/source.ts'
import type { KeyedObjects } from './moved-objects.ts'
import type { FilePreview, JobSpec, Message } from './work.ts'

type FileQuestion = Omit<JobSpec, 'werte' | 'readOut'>
export type ImportQuestion = FileQuestion & { readonly werte: NonNullable<JobSpec['werte']> }
type Rows = Extract<Message, { art: 'zeilen' }>

const run = (jobSpec: JobSpec, options: RunOptions) =>
  readForeign<Message>(new URL('./reader-worker.ts', import.meta.url), jobSpec, options)

export async function readLayers(
  jobSpec: FileQuestion,
  options: RunOptions = {},
): Promise<{ format: VermessungFormat; schichten: FileLayer[] }> {
  return firstOf('lage', run({ ...jobSpec, werte: null, readOut: false }, options))
}
/** @param look is given the objects that have a key */
export async function readPreview(
  jobSpec: ImportQuestion,
  options: RunOptions = {},
  look: (objects: KeyedObjects) => Promise<void> = async () => {},
): Promise<FilePreview> {
  for await (const message of run({ ...jobSpec, readOut: false }, options)) {
    if (message.art === 'zeilen') await look(message)
    if (message.art === 'vorschau') return message.vorschau
  }
  throw new FileFault('datei_kaputt')
}

/** The next packet of objects is read when the last one is taken. */
export const readObjects = (jobSpec: ImportQuestion, options: RunOptions = {}): AsyncIterable<Message> =>
  run({ ...jobSpec, readOut: true }, options)

/** Hands over the objects. Returns the faults. */
export async function takeObjects(
  messages: AsyncIterable<Message>,
  take: (rows: Rows) => Promise<void>,
): Promise<Extract<Message, { art: 'fertig' }>> {
  for await (const message of messages) {
    if (message.art === 'zeilen') await take(message)
    if (message.art === 'fertig') return message
  }
  throw new FileFault('datei_kaputt')
}
