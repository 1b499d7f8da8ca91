// What the georeferencer begins with: points and settings as they are saved, or as a draft kept them.
import type { Karte } from '#contract/karte.ts'
import type { GeorefTyp } from '#domain/georef/abbildung.ts'
import { type NeuerPunkt, type Stand, standOf, type Werte } from '#domain/georef/sitzung.ts'
import { type GeorefRecord, vonTabelle } from './georef.data.ts'

export const werteOf = ({ georef_typ, epsg, res, georef_label }: Karte): Werte => ({
  typ: georef_typ ?? 'polynom1',
  epsg,
  res,
  label: georef_label,
})
export const startOf = ({ karte, punkte }: GeorefRecord): Stand => standOf(werteOf(karte), punkte.map(vonTabelle))

/** Everything of a draft as one text: points make no sense by halves. */
export interface Entwurf {
  readonly stand: string
}
export function standOfEntwurf(text: string): { punkte: NeuerPunkt[]; werte: Werte } | null {
  try {
    const [punkte, typ, epsg, res, label] = JSON.parse(text) as [
      [number, number, number, number, boolean][],
      GeorefTyp,
      number,
      number | null,
      string | null,
    ]
    return {
      punkte: punkte.map(([ost, nord, spalte, zeile, enable]) => ({ ost, nord, spalte, zeile, enable })),
      werte: { typ, epsg, res, label },
    }
  } catch {
    return null
  }
}
