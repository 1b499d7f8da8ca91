// What every reader of survey files offers. Readers run in a separate process (foreign.ts): a crash
// there affects nothing else.
import type { FileReason, FileLayer, PlaceColumns, VermessungFormat } from '#contract/vermessung-import.ts'
import type { TextEncoding } from '#domain/text-encoding.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'

/** The file cannot be accepted; the browser has the sentence for the code. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly code: FileReason
  constructor(code: FileReason) {
    super(code)
    this.code = code
  }
}

export type { TextChoice } from '#contract/vermessung-import.ts'
export type RawLayer = Omit<FileLayer, 'vorschlag'>

/** What a person has said about a layer. */
export interface LayerChoice {
  readonly ort?: PlaceColumns | undefined
  readonly zeichensatz?: TextEncoding | undefined
}

/** What is in a layer and no object that could be taken over, such as the hatches of a drawing. */
export interface Unread {
  readonly anzahl: number
  /** The names that the format has for them. */
  readonly arten: readonly string[]
}

/** Of layers that are not offered, because nothing in them is an object. */
export const unreadLayers = (layers: Iterable<readonly [name: string, unread: Unread]>): ImportLoss[] =>
  [...layers].flatMap(([layerName, { anzahl, arten }]) =>
    anzahl === 0 ? [] : [{ schicht: layerName, art: 'elemente' as const, anzahl, spalten: arten }],
  )

export interface Source {
  readonly format: VermessungFormat
  readonly schichten: readonly RawLayer[]
  /** The objects of a layer, in file order. @throws FileFault */
  readFrom(name: string, choice?: LayerChoice): Iterable<RawObject> | AsyncIterable<RawObject>
  /** Null if there is none; formats without such things have no method. */
  unreadOf?(name: string): Unread | null
  /** What else of the file is not read: whole layers, or parts of one. */
  readonly leftOut?: readonly ImportLoss[]
  close(): void
}

export const MOST_COLUMNS = 500

/** Examples of a column's content: a few different, short values. */
export function createExamples(columns: readonly string[]) {
  const found = new Map(columns.map((name) => [name, [] as string[]]))
  return {
    add(values: Readonly<Record<string, unknown>>): void {
      for (const [name, list] of found) {
        if (list.length >= 3) continue
        const value = values[name]
        if (value === null || value === undefined || typeof value === 'object') {
          if (!(value instanceof Date)) continue
        }
        const text =
          value instanceof Date ? value.toISOString().slice(0, 10) : String(value as string | number)
        const short = text.length > 40 ? `${text.slice(0, 39)}…` : text
        if (short.trim() !== '' && !list.includes(short)) list.push(short)
      }
    },
    all: () => [...found].map(([name, examples]) => ({ name, beispiele: examples })),
  }
}

/** Names of the columns of a layer; empty for a layer that does not exist. */
export const columnsOf = ({ schichten }: Source, layer: string): string[] =>
  schichten.find(({ name }) => name === layer)?.spalten.map(({ name }) => name) ?? []

/** What is not read of these layers, and the layers that are not read at all. */
export const leftOutOf = ({ schichten, leftOut = [] }: Source, layers: readonly string[]): ImportLoss[] =>
  leftOut.filter(({ schicht }) => layers.includes(schicht) || !schichten.some(({ name }) => name === schicht))
