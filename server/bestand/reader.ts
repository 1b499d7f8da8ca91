// Reads plans in a separate process.
import type { FeFileLayer, FePreview, FeValues } from '#contract/bestand-import.ts'
import type { VermessungFormat } from '#contract/vermessung-import.ts'
import type { RunOptions } from '#server/reader/run-reader.ts'
import { firstOf, readForeign } from '../geodata/foreign.ts'
import type { JobSpec, Message } from './work.ts'

type FileQuestion = Omit<JobSpec, 'werte' | 'readOut'>
export type ImportQuestion = FileQuestion & { readonly werte: FeValues }

const run = (jobSpec: JobSpec, options: RunOptions) =>
  readForeign<Message>(new URL('./reader-worker.ts', import.meta.url), jobSpec, options)

export const readLayers = (
  question: FileQuestion,
  options: RunOptions,
): Promise<{ format: VermessungFormat; schichten: FeFileLayer[] }> =>
  firstOf('lage', run({ ...question, werte: null, readOut: false }, options))

export const readPreview = async (question: ImportQuestion, options: RunOptions): Promise<FePreview> =>
  (await firstOf('vorschau', run({ ...question, readOut: false }, options))).vorschau

/** The next packet of rows is read when the last one is taken. */
export const readRows = (question: ImportQuestion, options: RunOptions) =>
  run({ ...question, readOut: true }, options)
