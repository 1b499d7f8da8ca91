// What every reader of survey files offers. Readers run in a process of their own (foreign.ts): what brings them down brings down nothing else.
import type { FileReason, FileLayer, PlaceColumns, VermessungFormat } from '#contract/vermessung-import.ts'
import type { RawObject } from '#domain/vermessung/check.ts'

/** The file cannot be taken; the code's sentence stands in the browser. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly code: FileReason
  constructor(code: FileReason) {
    super(code)
    this.code = code
  }
}

export type RawLayer = Omit<FileLayer, 'vorschlag'>

export interface Source {
  readonly format: VermessungFormat
  readonly schichten: readonly RawLayer[]
  /** The objects of a layer, in their order. @throws FileFault */
  readFrom(name: string, ort: PlaceColumns | undefined): Iterable<RawObject> | AsyncIterable<RawObject>
  close(): void
}

export const MOST_COLUMNS = 500

/** For a look at what a column holds: a few different values, short. */
export function createExamples(spalten: readonly string[]) {
  const found = new Map(spalten.map((name) => [name, [] as string[]]))
  return {
    add(werte: Readonly<Record<string, unknown>>): void {
      for (const [name, list] of found) {
        if (list.length >= 3) continue
        const value = werte[name]
        if (value === null || value === undefined || typeof value === 'object') {
          if (!(value instanceof Date)) continue
        }
        const text =
          value instanceof Date ? value.toISOString().slice(0, 10) : String(value as string | number)
        const short = text.length > 40 ? `${text.slice(0, 39)}…` : text
        if (short.trim() !== '' && !list.includes(short)) list.push(short)
      }
    },
    all: () => [...found].map(([name, beispiele]) => ({ name, beispiele })),
  }
}
