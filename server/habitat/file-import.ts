// The habitat trees of a file become captures, accepted like those of a device, in one transaction: all of
// them or none. The preview does the same and rolls back.
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  HABITAT_FILE_MOST_BYTES,
  type HabitatFileContent,
  type HabitatImportResult,
} from '#contract/habitat-file.ts'
import type { Caller } from '#server/caller.ts'
import type { Statement, Transaction } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { RunOptions } from '#server/reader/run-reader.ts'
import type { WorkKind } from '#server/work-queue.ts'
import { fetchRow, IMPORT_TIMEOUT_MS, type ImportOptions } from '../geodata/imports.ts'
import type { FileLayer } from '#contract/vermessung-import.ts'
import { firstOf, readForeign } from '../geodata/foreign.ts'
import { readAhead } from '../geodata/read-ahead.ts'
import { whereaboutsOfHq } from '../geodata/whereabouts.ts'
import { type RowsOrigin, takeRows, Tally } from './file-rows.ts'
import { fieldValuesOf } from './file-values.ts'
import type { FileJob, FileMessage } from './file-work.ts'

const MAY = {
  name: 'habitat_datei_darf',
  text: `select "idHQ" from forest.import_target($1, 'habitat')`,
}

export type FileImportOptions = Pick<ImportOptions<FileLayer>, 'database' | 'fileStore' | 'limits' | 'work'>

const run = (jobSpec: FileJob, options: RunOptions) =>
  readForeign<FileMessage>(new URL('./file-reader.ts', import.meta.url), jobSpec, options)

async function fetchContent(
  jobSpec: Omit<FileJob, 'werte'>,
  options: RunOptions,
): Promise<HabitatFileContent> {
  const { format, schichten } = await firstOf('lage', run({ ...jobSpec, werte: null }, options))
  return { format, schichten }
}

class RollbackError extends Error {}

export interface Sent {
  readonly body: Readable
  /** Aborts when the sender goes away. */
  readonly signal: AbortSignal
}
export interface Said {
  readonly name: string
  /** HabitatImportValues as JSON. */
  readonly werte: string
  /** False: a preview that is rolled back. */
  readonly isKept: boolean
  /** Runs in the transaction of the import. */
  keep?(result: HabitatImportResult): Statement
}
interface Arrived {
  readonly filePath: string
  readonly sha256: string
}

export class FileImports {
  readonly #options: FileImportOptions

  constructor(options: FileImportOptions) {
    this.#options = options
  }

  /** @throws Refusal */
  async may(caller: Caller, hq: string): Promise<void> {
    await fetchRow(this.#options.database, caller, MAY, hq)
  }

  readContent(caller: Caller, hq: string, name: string, sent: Sent): Promise<HabitatFileContent> {
    const { limits } = this.#options
    return this.#withFile(caller, hq, { ...sent, kind: 'short' }, ({ filePath }) =>
      fetchContent({ datei: filePath, name }, { limits, signal: sent.signal }),
    )
  }

  takeIn(caller: Caller, hq: string, said: Said, sent: Sent): Promise<HabitatImportResult> {
    return this.#withFile(caller, hq, { ...sent, kind: 'long' }, async ({ filePath, sha256 }) => {
      const file = { datei: filePath, name: said.name }
      const { schichten } = await fetchContent(file, { limits: this.#options.limits })
      const values = fieldValuesOf(said.werte, schichten)
      const wo = await whereaboutsOfHq(this.#options.database, caller, hq, 'habitat')
      const tally = new Tally(!said.isKept)
      const path = await this.#options.fileStore.zwischenort()
      const messages = run({ ...file, wo, werte: values }, { limits: this.#options.limits })
      const origin = { hq, sha256, schicht: values.schicht }
      const take = (read: AsyncIterable<FileMessage>) => async (tx: Transaction) => {
        await this.#takeAll(tx, read, origin, tally)
        const isUnconfirmed = tally.isFar && values.ort_bestaetigt !== true
        if (!said.isKept || tally.hasFaults || isUnconfirmed) throw new RollbackError()
        if (said.keep !== undefined) await tx.query(said.keep(tally.result(true)))
      }
      const isDone = await readAhead(messages, { path }, (read) => this.#unlessRolledBack(caller, take(read)))
      return tally.result(isDone)
    })
  }

  /** Keeps the file for as long as the work on it takes. */
  async #withFile<T>(
    caller: Caller,
    hq: string,
    { body, signal, kind }: Sent & { readonly kind: WorkKind },
    act: (file: Arrived) => Promise<T>,
  ): Promise<T> {
    const { fileStore, work } = this.#options
    await this.may(caller, hq)
    const arrived = await fileStore.take(body, HABITAT_FILE_MOST_BYTES)
    try {
      return await work.run(kind, { person: caller.person, signal }, () => act(arrived))
    } finally {
      await rm(arrived.filePath, { force: true })
    }
  }

  async #unlessRolledBack(caller: Caller, act: (tx: Transaction) => Promise<void>): Promise<boolean> {
    try {
      await this.#options.database.transaction(asNutzer(caller, { timeoutMs: IMPORT_TIMEOUT_MS }), act)
      return true
    } catch (error) {
      if (error instanceof RollbackError) return false
      throw error
    }
  }

  async #takeAll(
    tx: Transaction,
    messages: AsyncIterable<FileMessage>,
    origin: RowsOrigin,
    tally: Tally,
  ): Promise<void> {
    for await (const message of messages) {
      if (message.art === 'zeilen') await takeRows(tx, origin, message.zeilen, tally)
      if (message.art === 'fertig') {
        tally.addFaults(message.fehler, message.fehlerzahl)
        tally.end(message)
      }
    }
  }
}
