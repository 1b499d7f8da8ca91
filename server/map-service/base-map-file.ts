// The operator's own base map in one file (BASEMAP_FILE): what it is, whether it can be used, and its bytes.
// Looked at again while the server runs, so that a file may be put in its place or replaced.
import type { BaseMap, BaseMapFile } from '#contract/base-map.ts'
import type { BetriebBaseMap } from '#contract/betrieb.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import type { FileFacts, FileSource } from './file-source.ts'
import {
  FIRST_BYTES,
  KNOWN_LAYERS,
  METADATA_BYTES,
  type PmtilesFacts,
  PmtilesFault,
  readHead,
  readMetadata,
} from './pmtiles-head.ts'

/** No service can have this id, which no address may begin with. */
export const FILE_ID = '_datei'
const AGAIN_MS = 10_000

export type FileMap = BaseMap & { readonly datei: BaseMapFile }

export interface BaseMapFileOptions {
  readonly source: FileSource
  /** Instead of what the file says. */
  readonly title?: string | undefined
  readonly attribution?: string | undefined
  readonly log: Log
  readonly now: () => number
}

type State = { readonly map: FileMap; readonly facts: FileFacts } | { readonly fault: string }

export interface OpenedFile {
  readonly map: FileMap
  readonly size: number
}

export class BaseMapFileStore {
  readonly #options: BaseMapFileOptions
  #state: Promise<State> | null = null
  #lookedAt = 0
  #version: string | null = null
  #told: string | null = null

  constructor(options: BaseMapFileOptions) {
    this.#options = options
  }

  /** Null if it cannot be used. */
  async open(): Promise<OpenedFile | null> {
    const state = await this.#current()
    return 'fault' in state ? null : { map: state.map, size: state.facts.size }
  }

  /** For the operations page. */
  async report(): Promise<BetriebBaseMap> {
    const state = await this.#current()
    const { name } = this.#options.source
    return 'fault' in state
      ? { datei: name, fehler: state.fault, groesse: null }
      : { datei: name, fehler: null, groesse: state.facts.size }
  }

  /** Null if the file is gone or another one. */
  async read(start: number, length: number, version: string): Promise<Buffer | null> {
    const bytes = await this.#options.source.read(start, length, version)
    if (bytes === null) this.#lookedAt = Number.NEGATIVE_INFINITY
    return bytes
  }

  #current(): Promise<State> {
    const { now } = this.#options
    if (this.#state === null || now() - this.#lookedAt >= AGAIN_MS) {
      this.#lookedAt = now()
      this.#state = this.#look(this.#state)
    }
    return this.#state
  }

  async #look(before: Promise<State> | null): Promise<State> {
    const { source, log } = this.#options
    try {
      const facts = await source.look()
      if (facts === null) throw new PmtilesFault('fehlt')
      if (before !== null && facts.version === this.#version) return await before
      const map = await this.#read(facts)
      this.#version = facts.version
      this.#told = null
      return { map, facts }
    } catch (error) {
      this.#version = null
      const fault =
        error instanceof PmtilesFault
          ? `Die Hintergrundkarte ${source.name} ${error.message} (BASEMAP_FILE).`
          : `Die Hintergrundkarte ${source.name} lässt sich nicht lesen: ${reasonForLog(error)} (BASEMAP_FILE).`
      if (fault !== this.#told) log.warn('base map file', { reason: fault })
      this.#told = fault
      return { fault }
    }
  }

  async #read(facts: FileFacts): Promise<FileMap> {
    const piece = async (start: number, length: number): Promise<Buffer> => {
      const bytes = await this.#options.source.read(start, length, facts.version)
      return bytes ?? Buffer.alloc(0)
    }
    const first = await piece(0, FIRST_BYTES)
    const { form, min, max, metadata } = readHead(first, facts.size)
    const said = await this.#metadata(metadata, first[97]!, piece)
    if (form === 'vektor' && !said.ebenen.some((layer) => KNOWN_LAYERS.includes(layer)))
      throw new PmtilesFault(
        'hat keine der Ebenen von Protomaps oder OpenMapTiles, die gezeichnet werden können',
      )
    const { title, attribution } = this.#options
    const credit = attribution ?? said.namensnennung
    // As with services: no licence allows showing the map without it.
    if (credit === null) throw new PmtilesFault('nennt ihre Quellen nicht; bitte BASEMAP_ATTRIBUTION setzen')
    return {
      id: FILE_ID,
      titel: title ?? said.titel ?? 'Hintergrundkarte',
      art: 'karte',
      namensnennung: credit,
      min,
      max,
      laender: [],
      // The operator's own copy.
      mitnehmen: true,
      datei: { fassung: facts.version, form },
    }
  }

  async #metadata(
    { offset, length }: { readonly offset: number; readonly length: number },
    packer: number,
    piece: (start: number, length: number) => Promise<Buffer>,
  ): Promise<PmtilesFacts> {
    if (length > METADATA_BYTES) throw new PmtilesFault('hat Metadaten von mehr als einem Megabyte')
    return readMetadata(length === 0 ? Buffer.alloc(0) : await piece(offset, length), packer)
  }
}
