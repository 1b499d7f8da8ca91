// Reports of habitat trees and evidences of KAWM, typeset by the server. They take a while, so the response
// is a sequence of JSON lines that report progress, the last with the size of the file, followed by its
// bytes. A request with `accept: application/pdf` (or application/zip) gets the bare file.

type Id = number | string

export const REPORT_PHOTOS = ['keine', 'titel', 'alle'] as const
export type ReportPhotos = (typeof REPORT_PHOTOS)[number]

/** Maximum number of trees in one list and of photos in one file. */
export const REPORT_MOST_TREES = 2_000
export const REPORT_MOST_IMAGES = 500
/** Maximum number of trees in an evidence; its lists are split into files of REPORT_MOST_TREES. */
export const EVIDENCE_MOST_TREES = 20_000

export interface ReportJob {
  /** null: all trees of the headquarters. */
  ids: Id[] | null
  /** The filter that was applied, in words. */
  filter: string[]
  fotos: ReportPhotos
}
export interface EvidenceJob {
  /** YYYY-MM-DD, not after today. */
  tag: string
  fotos: Exclude<ReportPhotos, 'alle'>
}

export type ReportStep = 'warten' | 'lesen' | 'fotos' | 'setzen' | 'packen'
export type ReportLine =
  | { readonly art: 'schritt'; readonly schritt: ReportStep; readonly fertig: number; readonly von: number }
  /** The bytes follow after the end of the line. */
  | {
      readonly art: 'datei'
      readonly name: string
      readonly typ: string
      readonly groesse: number
      readonly sha256: string
    }
  | { readonly art: 'fehler'; readonly code: string; readonly message: string }
export const REPORT_STREAM = 'application/vnd.forstkontor.bericht'

/** Under the base path of the general API; every request carries the bearer token. */
export const reportPaths = {
  /** POST ReportJob. */
  bericht: (hq: Id) => `/habitat/${hq}/bericht`,
  /** POST EvidenceJob. */
  nachweis: (hq: Id) => `/habitat/${hq}/nachweis`,
} as const
