// What an import leaves out: nothing of a file is dropped without a word.
import { type Form, GEOMETRY_LOSSES, GeometryFault, type GeometryLoss } from './geometry.ts'

export type LossKind = GeometryLoss | 'spalten' | 'elemente'

/** One for each layer and kind. */
export interface ImportLoss {
  readonly schicht: string
  readonly art: LossKind
  /** Objects; of columns, how many. */
  readonly anzahl: number
  /** Names of the columns, or the kinds of the elements. */
  readonly spalten?: readonly string[]
}

export interface LossTally {
  count(geometry: Form | GeometryFault | null): void
  all(): ImportLoss[]
}

/**
 * @param columns all columns of the layer
 * @param used those that fields or the place are taken from
 * @param unread what of the layer is no object that could be taken over
 */
export function createLosses(
  layer: string,
  columns: readonly string[],
  used: readonly (string | undefined)[],
  unread: { readonly anzahl: number; readonly arten: readonly string[] } | null = null,
): LossTally {
  const counts = new Map<GeometryLoss, number>()
  const unused = columns.filter((name) => !used.includes(name))
  return {
    count(geometry) {
      if (geometry === null || geometry instanceof GeometryFault) return
      for (const loss of geometry.verloren ?? []) counts.set(loss, (counts.get(loss) ?? 0) + 1)
    },
    all: () => [
      ...(unused.length === 0
        ? []
        : [{ schicht: layer, art: 'spalten' as const, anzahl: unused.length, spalten: unused }]),
      ...(unread === null
        ? []
        : [{ schicht: layer, art: 'elemente' as const, anzahl: unread.anzahl, spalten: unread.arten }]),
      ...GEOMETRY_LOSSES.flatMap((art) => {
        const anzahl = counts.get(art) ?? 0
        return anzahl === 0 ? [] : [{ schicht: layer, art, anzahl }]
      }),
    ],
  }
}
