// What a preview says about areas and stocks of a layer: in which unit they were read, and which areas do not fit the
// outline.
import type { FeLayerChoice } from '#contract/bestand-import.ts'
import { type AreaUnit, isOtherArea } from '#domain/bestand-area.ts'
import { stockOfHeading } from '#domain/bestand-stock.ts'
import type { FeObject } from '#domain/bestand-import.ts'
import type { ImportLoss, OtherArea } from '#domain/vermessung/losses.ts'

const SHOWN = 20
const NOTES = { m2: 'flaeche_m2', ar: 'flaeche_ar' } as const

export interface AreaNotes {
  /** Makes the stock of a hectare that of all. @param outline hectares; null of species */
  countStock(row: FeObject, outline: number | null): void
  count(row: FeObject): void
  /** @param outline hectares */
  compare(stand: FeObject, outline: number): void
  all(): ImportLoss[]
}

export function createAreaNotes({ name, felder }: FeLayerChoice, unit: AreaUnit): AreaNotes {
  let [rows, differ] = [0, 0]
  const shown: OtherArea[] = []
  const column = felder['vorrat'] ?? ''
  const { perHectare, harvested } = stockOfHeading(column)
  let stocks = 0
  return {
    countStock({ werte }, outline) {
      const stock = werte['vorrat']
      if (typeof stock !== 'number') return
      stocks += 1
      if (!perHectare) return
      const ha = werte['flaeche_ha'] ?? outline
      if (typeof ha === 'number') werte['vorrat'] = Number((stock * ha).toFixed(1))
      else delete werte['vorrat']
    },
    count({ werte }) {
      if (werte['flaeche_ha'] !== undefined) rows += 1
    },
    compare({ nr, werte }, outline) {
      const ha = werte['flaeche_ha']
      if (typeof ha !== 'number' || !isOtherArea(ha, outline)) return
      differ += 1
      if (shown.length < SHOWN) shown.push({ nr, stated: ha, outline: Number(outline.toFixed(4)) })
    },
    all: () => [
      ...(unit === 'ha' || rows === 0
        ? []
        : [{ schicht: name, art: NOTES[unit], anzahl: rows, spalten: [felder['flaeche_ha']!] }]),
      ...(differ === 0
        ? []
        : [{ schicht: name, art: 'flaeche_anders' as const, anzahl: differ, others: shown }]),
      ...(perHectare && stocks > 0
        ? [{ schicht: name, art: 'vorrat_je_ha' as const, anzahl: stocks, spalten: [column] }]
        : []),
      ...(harvested && stocks > 0
        ? [{ schicht: name, art: 'vorrat_efm' as const, anzahl: stocks, spalten: [column] }]
        : []),
    ],
  }
}
