// One document, set by Typst as PDF/A-3a. Runs in a worker thread, because the compiler keeps about 1.4 MB of each document for as long as its thread lives.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { Beleg } from '#domain/beleg.ts'
import { druckdaten } from './druckdaten.ts'
import { markAsFacturX } from './facturx.ts'

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
const SCHRIFT = join(import.meta.dirname, 'schrift')
const ENDING = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' } as const

/** What the template did not swallow, in Typst's words: for the log, never for a reader. */
export class Satzfehler extends Error {
  override readonly name = 'Satzfehler'
}

interface Diagnosis {
  readonly severity?: number | string
  readonly message?: string
}

export type Setzer = (beleg: Beleg, beilagen: Beilagen) => Uint8Array

export function createSetzer(): Setzer {
  const fonts = readdirSync(SCHRIFT)
    .filter((file) => file.endsWith('.ttf'))
    .sort()
  const compiler = NodeCompiler.create({
    workspace: VORLAGE,
    fontArgs: [{ fontBlobs: fonts.map((file) => readFileSync(join(SCHRIFT, file))) }],
  })
  return (beleg, { logo, xml }) => {
    const logoPath = logo === null ? null : `/logo.${ENDING[logo.typ]}`
    if (logo !== null) compiler.mapShadow(join(VORLAGE, logoPath!), Buffer.from(logo.bytes))
    try {
      const daten = JSON.stringify(druckdaten(beleg, { logo: logoPath, xml: xml !== null }))
      const compiled = compiler.compile({ mainFilePath: join(VORLAGE, 'beleg.typ'), inputs: { daten, xml: xml ?? '' } })
      if (compiled.result === null) throw new Satzfehler(reason(compiler.fetchDiagnostics(compiled.takeError()!) as Diagnosis[]))
      const pdf = compiler.pdf(compiled.result, { pdfStandard: 'a-3a', creationTimestamp: Date.parse(`${beleg.datum}T00:00:00Z`) / 1000 })
      return xml === null ? pdf : markAsFacturX(pdf)
    } finally {
      compiler.resetShadow()
    }
  }
}

const reason = (diagnoses: readonly Diagnosis[]): string => diagnoses.map(({ message }) => message ?? '').join('; ') || 'unknown'
