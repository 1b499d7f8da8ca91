// The initial state of the georeferencer: points and settings as saved, or from a draft.
import type { Karte } from '#contract/karte.ts'
import type { GeorefType } from '#domain/georef/transform.ts'
import { type NewPoint, type State, stateOf, type Values } from '#domain/georef/session.ts'
import { type GeorefRecord, fromTable } from './georef.data.ts'

export const fieldValuesOf = ({ georef_typ, epsg, res, georef_label }: Karte): Values => ({
  typ: georef_typ ?? 'polynom1',
  epsg,
  res,
  label: georef_label,
})
export const startOf = ({ karte, punkte }: GeorefRecord): State =>
  stateOf(fieldValuesOf(karte), punkte.map(fromTable))

/** The whole draft as one string, because half the points are of no use. */
export interface Draft {
  readonly stand: string
}
export function stateOfDraft(text: string): { punkte: NewPoint[]; werte: Values } | null {
  try {
    const [points, kind, epsg, res, label] = JSON.parse(text) as [
      [number, number, number, number, boolean][],
      GeorefType,
      number,
      number | null,
      string | null,
    ]
    return {
      punkte: points.map(([east, north, column, row, enable]) => ({
        ost: east,
        nord: north,
        spalte: column,
        zeile: row,
        enable,
      })),
      werte: { typ: kind, epsg, res, label },
    }
  } catch {
    return null
  }
}
