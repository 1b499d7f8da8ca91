import type { PositionKind } from '#domain/beleg.ts'
import { t } from '../../../ui/text.ts'
import { numberFault } from '../number-words.ts'
import type { Column } from './grid.ts'
import { type DataField, isNumberField, LENGTHS, NUMBERS, type CellFault } from './line.ts'

export function columnText(column: Column): string {
  switch (column) {
    case 'nr':
      return t('Nr.')
    case 'art':
      return t('Art')
    case 'bez':
      return t('Bezeichnung')
    case 'anzahl':
      return t('Menge')
    case 'einheit':
      return t('Einheit')
    case 'ep':
      return t('Einzelpreis')
    case 'rabatt_prozent':
      return t('Rabatt %')
    case 'ust_satz':
      return t('USt %')
    case 'betrag':
      return t('Betrag')
  }
}

export function positionKindText(art: PositionKind): string {
  switch (art) {
    case 'position':
      return t('Position')
    case 'optional':
      return t('Optional')
    case 'alternativ':
      return t('Alternativ')
    case 'ueberschrift':
      return t('Überschrift')
  }
}

export function cellFaultText(fault: CellFault, field: DataField): string {
  switch (fault) {
    case 'prozent':
      return t('Zwischen −100 und 100 %; mit Minus ein Zuschlag.')
    case 'art':
      return t('Position, Optional, Alternativ oder Überschrift.')
    case 'tag':
      return t('Bitte ein Datum wie 31.12.2026.')
    case 'tag_reihenfolge':
      return t('Das Ende liegt vor dem Anfang.')
    case 'zu_lang':
      return t('Höchstens {n} Zeichen.', { n: LENGTHS[field] ?? 0 })
    default:
      return numberFault(fault, isNumberField(field) ? NUMBERS[field].decimals : 2)
  }
}
