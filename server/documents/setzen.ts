// One document, set by Typst as PDF/A-3a. Called in the process of the renderer.
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { Beleg } from '#domain/beleg.ts'
import { printed } from '#domain/druckbar.ts'
import { BREAKABLE_FROM, breakable } from '#domain/satztext.ts'
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

export function createSetzer(): Setzer {
  const compiler = NodeCompiler.create({
    workspace: VORLAGE,
    fontArgs: [{ fontBlobs: fontFiles() }],
  })
  const setOnce: Setzer = (beleg, { logo, xml }) => {
    const logoPath = logo === null ? null : `/logo.${ENDING[logo.typ]}`
    if (logo !== null) compiler.mapShadow(join(VORLAGE, logoPath!), Buffer.from(logo.bytes))
    try {
      const daten = JSON.stringify(druckdaten(beleg, { logo: logoPath, xml: xml !== null }), asSet)
      const compiled = compiler.compile({
        mainFilePath: join(VORLAGE, 'beleg.typ'),
        inputs: { daten, umbruch: daten.includes(BREAKABLE_FROM) ? 'ja' : '', xml: xml ?? '' },
      })
      if (compiled.result === null) throw new Satzfehler('satz', reason(compiler.fetchDiagnostics(compiled.takeError()!) as Diagnosis[]))
      const pdf = compiler.pdf(compiled.result, { pdfStandard: 'a-3a', creationTimestamp: Date.parse(`${beleg.datum}T00:00:00Z`) / 1000 })
      return xml === null ? pdf : markAsFacturX(pdf)
    } finally {
      compiler.resetShadow()
      // What is remembered is remembered as long as the process lives: 5 MB of each document, of which the next one has nothing.
      compiler.evictCache(0)
    }
  }
  return (beleg, beilagen) => {
    try {
      return setOnce(beleg, beilagen)
    } catch (error) {
      if (beilagen.logo !== null && isSound(beleg, beilagen)) throw new Satzfehler('logo', (error as Error).message)
      throw error
    }
  }

  /** Without its logo the document can be set: then the logo it is. */
  function isSound(beleg: Beleg, beilagen: Beilagen): boolean {
    try {
      return setOnce(beleg, { ...beilagen, logo: null }).length > 0
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
