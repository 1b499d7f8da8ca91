// Reports of habitat trees and evidences of KAWM, set by the server. They take a while: the answer is a row of lines of JSON that say how far it is, the last of them with the size of the file, and then its
// bytes. Who asks with `accept: application/pdf` (or application/zip) gets the bare file.

type Id = number | string

export const BERICHT_FOTOS = ['keine', 'titel', 'alle'] as const
export type BerichtFotos = (typeof BERICHT_FOTOS)[number]

/** Trees in one list, and photos in one file. */
export const BERICHT_BAEUME = 2_000
export const BERICHT_BILDER = 500
/** Trees in an evidence; its lists are parted into files of BERICHT_BAEUME. */
export const NACHWEIS_BAEUME = 20_000

export interface BerichtAuftrag {
  /** null: all trees of the headquarters. */
  ids: Id[] | null
  /** What narrowed the choice, in words. */
  filter: string[]
  fotos: BerichtFotos
}
export interface NachweisAuftrag {
  /** YYYY-MM-DD, not after today. */
  tag: string
  fotos: Exclude<BerichtFotos, 'alle'>
}

export type BerichtSchritt = 'warten' | 'lesen' | 'fotos' | 'setzen' | 'packen'
export type BerichtZeile =
  | { readonly art: 'schritt'; readonly schritt: BerichtSchritt; readonly fertig: number; readonly von: number }
  /** The bytes follow behind the line's end. */
  | { readonly art: 'datei'; readonly name: string; readonly typ: string; readonly groesse: number; readonly sha256: string }
  | { readonly art: 'fehler'; readonly code: string; readonly message: string }
export const BERICHT_STROM = 'application/vnd.forstkontor.bericht'

/** Under the base path of the general API; every request carries the bearer token. */
export const berichtWege = {
  /** POST BerichtAuftrag. */
  bericht: (hq: Id) => `/habitat/${hq}/bericht`,
  /** POST NachweisAuftrag. */
  nachweis: (hq: Id) => `/habitat/${hq}/nachweis`,
} as const
