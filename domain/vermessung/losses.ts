// What an import leaves out: nothing of a file is dropped without a word.
import {
  type Form,
  GEOMETRY_LOSSES,
  GeometryFault,
  type GeometryLoss,
  isHeight,
  isStated,
  knownEnds,
} from './geometry.ts'

export type LossKind = GeometryLoss | 'spalten' | 'elemente' | LeftOut | ValueNote
/**
 * Layers that are not read: views of a database, and tables that it computes or describes incompletely. Cells behind
 * the last heading. Files of an archive that could be read alone.
 */
export type LeftOut = 'sicht' | 'tabelle' | 'zellen' | 'dateien'
/**
 * Not lost, but to be looked at: lengths, areas and stocks that are converted, stands whose area is another than that
 * of their outline, and stocks (Efm) that are not converted, and trees of whose species a file names the genus.
 */
export type ValueNote =
  | 'einheit'
  | 'einheit_fraglich'
  | 'flaeche_m2'
  | 'flaeche_ar'
  | 'flaeche_anders'
  | 'vorrat_je_ha'
  | 'vorrat_efm'
  | 'art_enger'

/** Of columns whose headings name another unit than the field has, or whose values look like another one. */
export const unitNotes = (
  layer: string,
  converted: readonly string[],
  unusual: readonly string[],
): ImportLoss[] =>
  [
    { art: 'einheit' as const, spalten: converted },
    { art: 'einheit_fraglich' as const, spalten: unusual },
  ].flatMap(({ art, spalten }) =>
    spalten.length === 0 ? [] : [{ schicht: layer, art, anzahl: spalten.length, spalten }],
  )

/** One for each layer and kind. */
export interface ImportLoss {
  readonly schicht: string
  readonly art: LossKind
  /** Objects; of columns, how many. */
  readonly anzahl: number
  /** Names of the columns, the kinds of the elements, or the numbers of the rows. */
  readonly spalten?: readonly string[]
  /** The first rows of `flaeche_anders`, in hectares. */
  readonly others?: readonly OtherArea[]
}
export interface OtherArea {
  readonly nr: number
  readonly stated: number
  readonly outline: number
}

export interface LossTally {
  count(geometry: Form | GeometryFault | null): void
  all(): ImportLoss[]
}

/** Whether the heights of a point, and those of both ends of a line, have a place where they go. */
export interface KeptHeights {
  readonly punkt: boolean
  readonly linie: boolean
}
/** Of the survey; a height in a column goes before that of the geometry. @param fields field → column */
export const keptHeights = (fields: Readonly<Record<string, string>>): KeptHeights => ({
  punkt: fields['hoehe'] === undefined,
  linie: fields['sohlhoehe'] === undefined && fields['gefaelle'] === undefined,
})
export const NO_HEIGHTS: KeptHeights = { punkt: false, linie: false }

function losesHeights(geometry: Form, keeps: KeptHeights): boolean {
  if (geometry.art === 'flaeche') return false
  if (geometry.art === 'punkt')
    return isStated(geometry.z ?? 0) && !(keeps.punkt && isHeight(geometry.z ?? 0))
  if (geometry.ends?.some(isStated) !== true) return false
  return !(keeps.linie && knownEnds(geometry)?.every(isHeight) === true)
}

interface LayerLosses {
  /** What of the layer is no object that could be taken over. */
  readonly unread?: { readonly anzahl: number; readonly arten: readonly string[] } | null | undefined
  /** Default: all that our fields have. */
  readonly keeps?: KeptHeights | undefined
}

/**
 * @param columns all columns of the layer
 * @param used those that fields or the place are taken from
 */
export function createLosses(
  layer: string,
  columns: readonly string[],
  used: readonly (string | undefined)[],
  { unread = null, keeps = keptHeights({}) }: LayerLosses = {},
): LossTally {
  const counts = new Map<GeometryLoss, number>()
  const unused = columns.filter((name) => !used.includes(name))
  return {
    count(geometry) {
      if (geometry === null || geometry instanceof GeometryFault) return
      const lost = new Set(geometry.verloren)
      if (losesHeights(geometry, keeps)) lost.add('hoehen')
      for (const loss of lost) counts.set(loss, (counts.get(loss) ?? 0) + 1)
    },
    all: () => [
      ...(unused.length === 0
        ? []
        : [{ schicht: layer, art: 'spalten' as const, anzahl: unused.length, spalten: unused }]),
      ...(unread === null
        ? []
        : [{ schicht: layer, art: 'elemente' as const, anzahl: unread.anzahl, spalten: unread.arten }]),
      ...GEOMETRY_LOSSES.flatMap((art) => {
        const count = counts.get(art) ?? 0
        return count === 0 ? [] : [{ schicht: layer, art, anzahl: count }]
      }),
    ],
  }
}
