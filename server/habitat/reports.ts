// Makes reports of trees and evidences of KAWM: the data are read as the caller, photos fetched, and the
// documents typeset in the typesetter's own process.
import { createHash } from 'node:crypto'
import {
  REPORT_MOST_TREES,
  type ReportJob,
  type ReportStep,
  type EvidenceJob,
} from '#contract/habitat-report.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import type { Store as Files } from '#server/files/store.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Typeset, TypesetPicture } from '#server/typeset-job.ts'
import type { Store } from '../geodata/store.ts'
import { setPhotosIn } from './photo-places.ts'
import { PhotoSpool } from './photo-spool.ts'
import { fetchPhotos } from './report-photos.ts'
import { reportData, type ReportChoice } from './report-data.ts'
import { type Company, type Question, fetchMaterial, type Material } from './report-material.ts'
import { type EvidenceFile, evidenceGpkg, evidenceXlsx, evidenceZip } from './evidence.ts'

export interface MakingOptions {
  readonly database: Database
  /** The stored photos. */
  readonly storedFiles: Pick<Files, 'readFrom'>
  readonly typeset: Typeset
  /** For files that are being made. */
  readonly fileStore: Store
}

const TIMEOUT_MS = 60_000
const REMEMBER = {
  name: 'record_kawm_evidence',
  text: 'select forest.record_kawm_evidence($1, $2::date, $3, $4, $5, $6::jsonb)',
}

export type Tell = (step: ReportStep, done?: number, von?: number) => void
export interface Run {
  readonly caller: Caller
  readonly hq: string
  readonly notify: Tell
  readonly signal: AbortSignal
}
export interface Made {
  readonly inhalt: Buffer
  readonly typ: 'application/pdf' | 'application/zip'
  readonly ending: 'pdf' | 'zip'
  readonly art: string
  readonly betrieb: string
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Everything a document is made of. */
interface Content {
  readonly material: Material
  readonly pictures: readonly TypesetPicture[]
  /** Sets the photos into what was typeset. */
  readonly complete: (pdf: Buffer) => Promise<Buffer<ArrayBuffer>>
  readonly choice: Omit<ReportChoice, 'filter' | 'teil'>
}

export class Reports {
  readonly #options: MakingOptions

  constructor(options: MakingOptions) {
    this.#options = options
  }

  makeReport(run: Run, { ids, filter, fotos }: ReportJob): Promise<Made> {
    const question = { hq: run.hq, ids: ids === null ? null : ids.map(Number), fotos, tag: null }
    return this.#withSpool((spool) => this.#makeReport(run, { question, filter, spool }))
  }

  makeEvidence(run: Run, job: EvidenceJob): Promise<Made> {
    return this.#withSpool((spool) => this.#makeEvidence(run, { ...job, spool }))
  }

  async #withSpool(make: (spool: PhotoSpool) => Promise<Made>): Promise<Made> {
    const spool = await PhotoSpool.open(await this.#options.fileStore.zwischenort())
    try {
      return await make(spool)
    } finally {
      await spool.remove()
    }
  }

  async #makeReport(
    run: Run,
    {
      question,
      filter,
      spool,
    }: { readonly question: Question; readonly filter: readonly string[]; readonly spool: PhotoSpool },
  ): Promise<Made> {
    const { material, pictures, choice, complete } = await this.#read(run, question, spool)
    run.notify('setzen')
    return {
      inhalt: await complete(await this.#typeset({ ...choice, filter, teil: { nr: 1, von: 1 } }, pictures)),
      typ: 'application/pdf',
      ending: 'pdf',
      art: 'Habitatbaeume',
      betrieb: material.kopf.sHQ,
    }
  }

  async #makeEvidence(
    run: Run,
    { tag, fotos, spool }: EvidenceJob & { readonly spool: PhotoSpool },
  ): Promise<Made> {
    const { notify, signal, caller, hq } = run
    const content = await this.#read(run, { hq, ids: null, fotos, tag }, spool)
    const { material } = content
    const { kawm } = material
    if (kawm === null) throw new Refusal('not_found')
    const documents = await this.#typesetEvidence(run, content)
    notify('packen')
    const tables: EvidenceFile[] = [
      {
        name: 'Nachweis.xlsx',
        inhalt: await evidenceXlsx(material, kawm, tag),
        was: 'Kennzahlen, Bäume und Bestände als Tabellen',
      },
      {
        name: 'Nachweis.gpkg',
        inhalt: await evidenceGpkg(this.#options.fileStore, material, tag),
        was: `Bäume und Bestände als GeoPackage für QGIS, EPSG:${material.epsg}`,
      },
    ]
    const body = await evidenceZip([...documents, ...tables], material, tag)
    signal.throwIfAborted()
    const figures = { soll: kawm.soll, erfasst: kawm.erfasst, markiert: kawm.markiert }
    await this.#options.database.once(asNutzer(caller), {
      ...REMEMBER,
      values: [hq, tag, `KAWM-Nachweis_${tag}.zip`, body.length, sha256(body), JSON.stringify(figures)],
    })
    return {
      inhalt: body,
      typ: 'application/zip',
      ending: 'zip',
      art: 'KAWM-Nachweis',
      betrieb: material.kopf.sHQ,
    }
  }

  async #read({ caller, notify, signal }: Run, question: Question, spool: PhotoSpool): Promise<Content> {
    const { database, storedFiles } = this.#options
    notify('lesen')
    const material = await database.transaction(
      asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }),
      (tx) => fetchMaterial(tx, question),
    )
    signal.throwIfAborted()
    const total = material.bilder.length
    if (total > 0) notify('fotos', 0, total)
    const photos = await fetchPhotos(storedFiles, material.bilder, {
      spool,
      signal,
      onDone: (done) => notify('fotos', done, total),
    })
    const logo = logoOf(material.kopf.firma)
    return {
      material,
      pictures: [...logo, ...photos.typesetPictures],
      complete: (pdf) => setPhotosIn(pdf, photos, spool),
      choice: {
        material,
        bilder: photos.bilder,
        gefragt: question.fotos === 'keine' ? null : total,
        logo: logo[0]?.filePath ?? null,
        stichtag: question.tag,
      },
    }
  }

  async #typeset(choice: ReportChoice, pictures: readonly TypesetPicture[]): Promise<NonSharedBuffer> {
    const tag = choice.material.kopf.heute
    return Buffer.from(
      await this.#options.typeset({ template: 'report', tag, daten: reportData(choice), bilder: pictures }),
    )
  }

  /** In parts, because a document of very many trees takes too much memory. */
  async #typesetEvidence(
    { notify, signal }: Run,
    { material, pictures, choice, complete }: Content,
  ): Promise<EvidenceFile[]> {
    const partCount = Math.max(1, Math.ceil(material.baeume.length / REPORT_MOST_TREES))
    const parts: EvidenceFile[] = []
    for (let nr = 1; nr <= partCount; nr++) {
      signal.throwIfAborted()
      notify('setzen', nr - 1, partCount)
      const part = { ...choice, filter: [], teil: { nr, von: partCount } }
      // Photos come after the last part of the list.
      const [shown, images] =
        nr === partCount
          ? [part, pictures]
          : [
              { ...part, bilder: [], gefragt: null },
              pictures.filter(({ filePath }) => filePath === choice.logo),
            ]
      parts.push({
        name: partCount === 1 ? 'Nachweis.pdf' : `Nachweis_Teil-${nr}-von-${partCount}.pdf`,
        // oxlint-disable-next-line no-await-in-loop -- the typesetter does one document at a time
        inhalt: await complete(await this.#typeset(shown, images)),
        was:
          nr === 1
            ? 'Deckblatt mit den Kennzahlen, Karte und Liste der Bäume (PDF/A)'
            : 'Fortsetzung der Liste (PDF/A)',
      })
    }
    return parts
  }
}

const LOGO_ENDINGS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' } as const

/** None if the company has no logo. */
function logoOf(company: Company | null): TypesetPicture[] {
  if (!company?.logo || !company.logo_typ) return []
  const filePath = `/logo.${LOGO_ENDINGS[company.logo_typ]}`
  return [{ filePath, bytes: Buffer.from(company.logo, 'base64') }]
}
