// What the start page says about changes.
import type { DeskNews } from '#contract/desk.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

/** Beside the record's name: "geändert", "12 Habitatbäume geändert". */
export function newsText({ art, was, anzahl }: Pick<DeskNews, 'art' | 'was' | 'anzahl'>): string {
  const n = formatNumber(anzahl)
  switch (was) {
    case 'neu':
      return t('angelegt')
    case 'geaendert':
      return t('geändert')
    case 'personen':
      return t('Personen geändert')
    case 'baeume':
      return anzahl === 1 ? t('1 Habitatbaum geändert') : t('{n} Habitatbäume geändert', { n })
    case 'kataster':
      return anzahl === 1 ? t('1 Objekt im Kataster geändert') : t('{n} Objekte im Kataster geändert', { n })
    case 'ausgestellt':
      return t('ausgestellt')
    case 'angenommen':
      return t('angenommen')
    case 'abgelehnt':
      return t('abgelehnt')
    case 'freigegeben':
      return art === 'karte' ? t('für Sie freigegeben') : t('freigegeben')
    case 'zahlung':
      return t('Zahlung eingetragen')
    case 'gemahnt':
      return t('gemahnt')
    case 'storniert':
      return t('storniert')
  }
}
