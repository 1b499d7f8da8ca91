// Typesets one document or report with Typst as PDF/A-3a. Runs in the process of the renderer.
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { Beleg } from '#domain/beleg.ts'
import { printed } from '#domain/printable.ts'
import { BREAKABLE_FROM, breakable } from '#domain/typeset-text.ts'
import type { TypesetJob } from '#server/typeset-job.ts'
import { printData } from './print-data.ts'
import { markAsFacturX } from './facturx.ts'
import { fontFiles } from './font.ts'

export interface Logo {
  readonly bytes: Uint8Array
  readonly typ: 'image/png' | 'image/jpeg' | 'image/svg+xml'
}

export interface Enclosures {
  readonly logo: Logo | null
  /** The CII invoice; attached byte for byte. */
  readonly xml: string | null
  /** Files of the document, attached to the PDF beside the invoice. */
  readonly anlagen?: readonly AttachedFile[]
}
export interface AttachedFile {
  readonly dateiname: string
  readonly name: string
  readonly mime: string
  readonly bytes: Uint8Array
}

const TEMPLATE = join(import.meta.dirname, 'template')
const attachedPath = (index: number): string => `/anlage-${index}`
const ENDING = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' } as const

/** In Typst's words: for the log, never for a reader. */
export class TypesetError extends Error {
  override readonly name = 'TypesetError'
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

export type Typesetter = (beleg: Beleg, enclosures: Enclosures) => Uint8Array
export interface Workbench {
  readonly beleg: Typesetter
  readonly bericht: (jobSpec: TypesetJob) => Uint8Array
}

interface TypesetPiece extends Pick<TypesetJob, 'bilder' | 'tag' | 'daten'> {
  readonly template: 'beleg' | TypesetJob['template']
  readonly xml: string
  readonly anlagen?: readonly AttachedFile[]
}

export function createWorkbench(): Workbench {
  const compiler = NodeCompiler.create({
    workspace: TEMPLATE,
    fontArgs: [{ fontBlobs: fontFiles() }],
  })
  function typeset({ template, bilder, tag, daten, xml, anlagen = [] }: TypesetPiece): Uint8Array {
    try {
      for (const [index, { bytes }] of anlagen.entries())
        compiler.mapShadow(join(TEMPLATE, attachedPath(index)), Buffer.from(bytes))
      for (const { filePath, bytes } of bilder)
        compiler.mapShadow(join(TEMPLATE, filePath), Buffer.from(bytes))
      const text = JSON.stringify(daten, asSet)
      const compiled = compiler.compile({
        mainFilePath: join(TEMPLATE, `${template}.typ`),
        inputs: {
          daten: text,
          umbruch: text.includes(BREAKABLE_FROM) ? 'ja' : '',
          xml,
          anlagen: JSON.stringify(
            anlagen.map(({ dateiname, name, mime }, index) => ({
              dateiname,
              name: printed(name),
              mime,
              pfad: attachedPath(index),
            })),
          ),
        },
      })
      if (compiled.result === null)
        throw new TypesetError(
          'satz',
          reason(compiler.fetchDiagnostics(compiled.takeError()!) as Diagnosis[]),
        )
      return compiler.pdf(compiled.result, {
        pdfStandard: 'a-3a',
        creationTimestamp: Date.parse(`${tag}T00:00:00Z`) / 1000,
      })
    } finally {
      compiler.resetShadow()
      // The compiler's cache lives as long as the process: 5 MB per document, of no use to the next one.
      compiler.evictCache(0)
    }
  }
  const setOnce: Typesetter = (beleg, { logo, xml, anlagen = [] }) => {
    const filePath = logo === null ? null : `/logo.${ENDING[logo.typ]}`
    const pdf = typeset({
      template: 'beleg',
      bilder: logo === null ? [] : [{ filePath: filePath!, bytes: logo.bytes }],
      tag: beleg.datum,
      daten: printData(beleg, { logo: filePath, xml: xml !== null }),
      xml: xml ?? '',
      anlagen,
    })
    return xml === null ? pdf : markAsFacturX(pdf)
  }
  const beleg: Typesetter = (one, enclosures) => {
    try {
      return setOnce(one, enclosures)
    } catch (error) {
      if (enclosures.logo !== null && isSound(one, enclosures))
        throw new TypesetError('logo', (error as Error).message)
      throw error
    }
  }
  return { beleg, bericht: (jobSpec) => typeset({ ...jobSpec, xml: '' }) }

  /** Whether the document can be typeset without its logo: then the logo is to blame. */
  function isSound(one: Beleg, enclosures: Enclosures): boolean {
    try {
      return setOnce(one, { ...enclosures, logo: null }).length > 0
    } catch {
      return false
    }
  }
}

/** Drawings, and what becomes metadata of the file, get no break opportunities. */
const NOT_SET: ReadonlySet<string> = new Set([
  'svg',
  'alt',
  'logo',
  'autor',
  'pdf_titel',
  'beschreibung',
  'anhang',
])
const asSet = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string' || key === 'svg') return value
  return NOT_SET.has(key) ? printed(value) : breakable(printed(value))
}

const reason = (diagnoses: readonly Diagnosis[]): string =>
  diagnoses.map(({ message }) => message ?? '').join('; ') || 'unknown'
