// One document or report, set by Typst as PDF/A-3a. Called in the process of the renderer.
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { Beleg } from '#domain/beleg.ts'
import { printed } from '#domain/druckbar.ts'
import { BREAKABLE_FROM, breakable } from '#domain/satztext.ts'
import type { Satzauftrag } from '#server/satzauftrag.ts'
import { druckdaten } from './druckdaten.ts'
import { markAsFacturX } from './facturx.ts'
import { fontFiles } from './schrift.ts'

export interface Logo {
  readonly bytes: Uint8Array
  readonly typ: 'image/png' | 'image/jpeg' | 'image/svg+xml'
}

export interface Beilagen {
  readonly logo: Logo | null
  /** The CII invoice; attached byte for byte. */
  readonly xml: string | null
}

const VORLAGE = join(import.meta.dirname, 'vorlage')
const ENDING = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' } as const

/** In Typst's words: for the log, never for a reader. */
export class Satzfehler extends Error {
  override readonly name = 'Satzfehler'
  readonly code: 'logo' | 'satz'
  constructor(code: 'logo' | 'satz', message: string) {
    super(message)
    this.code = code
  }
}

interface Diagnosis {
  readonly severity?: number | string
  readonly message?: string
}

export type Setzer = (beleg: Beleg, beilagen: Beilagen) => Uint8Array
export interface Werkbank {
  readonly beleg: Setzer
  readonly bericht: (auftrag: Satzauftrag) => Uint8Array
}

interface Satzstueck extends Pick<Satzauftrag, 'bilder' | 'tag' | 'daten'> {
  readonly vorlage: 'beleg' | Satzauftrag['vorlage']
  readonly xml: string
}

export const createSetzer = (): Setzer => createWerkbank().beleg

export function createWerkbank(): Werkbank {
  const compiler = NodeCompiler.create({
    workspace: VORLAGE,
    fontArgs: [{ fontBlobs: fontFiles() }],
  })
  function setze({ vorlage, bilder, tag, daten, xml }: Satzstueck): Uint8Array {
    try {
      for (const { pfad, bytes } of bilder) compiler.mapShadow(join(VORLAGE, pfad), Buffer.from(bytes))
      const text = JSON.stringify(daten, asSet)
      const compiled = compiler.compile({
        mainFilePath: join(VORLAGE, `${vorlage}.typ`),
        inputs: { daten: text, umbruch: text.includes(BREAKABLE_FROM) ? 'ja' : '', xml },
      })
      if (compiled.result === null) throw new Satzfehler('satz', reason(compiler.fetchDiagnostics(compiled.takeError()!) as Diagnosis[]))
      return compiler.pdf(compiled.result, { pdfStandard: 'a-3a', creationTimestamp: Date.parse(`${tag}T00:00:00Z`) / 1000 })
    } finally {
      compiler.resetShadow()
      // What is remembered is remembered as long as the process lives: 5 MB of each document, of which the next one has nothing.
      compiler.evictCache(0)
    }
  }
  const setOnce: Setzer = (beleg, { logo, xml }) => {
    const pfad = logo === null ? null : `/logo.${ENDING[logo.typ]}`
    const pdf = setze({
      vorlage: 'beleg',
      bilder: logo === null ? [] : [{ pfad: pfad!, bytes: logo.bytes }],
      tag: beleg.datum,
      daten: druckdaten(beleg, { logo: pfad, xml: xml !== null }),
      xml: xml ?? '',
    })
    return xml === null ? pdf : markAsFacturX(pdf)
  }
  const beleg: Setzer = (one, beilagen) => {
    try {
      return setOnce(one, beilagen)
    } catch (error) {
      if (beilagen.logo !== null && isSound(one, beilagen)) throw new Satzfehler('logo', (error as Error).message)
      throw error
    }
  }
  return { beleg, bericht: (auftrag) => setze({ ...auftrag, xml: '' }) }

  /** Without its logo the document can be set: then the logo it is. */
  function isSound(one: Beleg, beilagen: Beilagen): boolean {
    try {
      return setOnce(one, { ...beilagen, logo: null }).length > 0
    } catch {
      return false
    }
  }
}

/** Drawings, and what becomes metadata of the file, are no words to be parted. */
const NOT_SET: ReadonlySet<string> = new Set(['svg', 'alt', 'logo', 'autor', 'pdf_titel', 'beschreibung', 'anhang'])
const asSet = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string' || key === 'svg') return value
  return NOT_SET.has(key) ? printed(value) : breakable(printed(value))
}

const reason = (diagnoses: readonly Diagnosis[]): string => diagnoses.map(({ message }) => message ?? '').join('; ') || 'unknown'
