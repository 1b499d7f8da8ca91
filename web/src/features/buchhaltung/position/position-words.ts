import type { PositionArt } from '#domain/beleg.ts'
import { t } from '../../../ui/text.ts'
import { zahlFault } from '../zahl-words.ts'
import type { Spalte } from './grid.ts'
import { type Feld, isZahlFeld, LAENGEN, ZAHLEN, type ZellFault } from './zeile.ts'

export function spalteText(spalte: Spalte): string {
  switch (spalte) {
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

export function positionArtText(art: PositionArt): string {
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

export function zellFaultText(fault: ZellFault, field: Feld): string {
  switch (fault) {
    case 'prozent':
      return t('Zwischen 0 und 100 %.')
    case 'art':
      return t('Position, Optional, Alternativ oder Überschrift.')
    case 'tag':
      return t('Bitte ein Datum wie 31.12.2026.')
    case 'tag_reihenfolge':
      return t('Das Ende liegt vor dem Anfang.')
    case 'zu_lang':
      return t('Höchstens {n} Zeichen.', { n: LAENGEN[field] ?? 0 })
    default:
      return zahlFault(fault, isZahlFeld(field) ? ZAHLEN[field].stellen : 2)
  }
}
