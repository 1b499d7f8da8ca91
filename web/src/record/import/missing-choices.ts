// What a person still has to choose for a layer of a file, in the words of its fields.
import type { PlaceColumns } from '#contract/vermessung-import.ts'
import { t } from '../../ui/text.ts'

export const missingSystem = (layer: string, epsg: number | null | undefined): string[] =>
  epsg === null || epsg === undefined ? [t('Koordinatensystem ({schicht})', { schicht: layer })] : []

/** Only tables have columns of the place. */
export function missingPlace(layer: string, ort: PlaceColumns | undefined): string[] {
  if (ort === undefined || ort.wkt !== '') return []
  if (ort.x === '' && ort.y === '')
    return [t('Spalten mit Ost- und Nordwert oder mit WKT ({schicht})', { schicht: layer })]
  if (ort.x === '') return [t('Spalte mit dem Ostwert ({schicht})', { schicht: layer })]
  if (ort.y === '') return [t('Spalte mit dem Nordwert ({schicht})', { schicht: layer })]
  return ort.x === ort.y
    ? [t('zwei verschiedene Spalten für Ost- und Nordwert ({schicht})', { schicht: layer })]
    : []
}
