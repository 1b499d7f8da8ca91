import { t } from '../../../ui/text.ts'

export function gegenstandText(gegenstand: string): string {
  switch (gegenstand) {
    case 'rechnung':
      return t('Rechnung')
    case 'angebot':
      return t('Angebot')
    case 'bank':
      return t('Bankumsatz')
    case 'datev':
      return t('DATEV-Export')
    case 'pruefung':
      return t('Archiv für die Prüfung')
    case 'lieferant':
      return t('Unternehmen')
    case 'kunde_rechnung':
      return t('Rechnungsdaten eines Kunden')
    case 'nummernkreis':
      return t('Nummernkreis')
    case 'verweigert':
      return t('Abgewiesener Zugriff')
    default:
      return gegenstand.replaceAll('_', ' ')
  }
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
/** What a row holds, in one line; of a change before and after. */
export const inhaltText = (inhalt: Readonly<Record<string, unknown>>): string =>
  Object.entries(inhalt)
    .map(
      ([key, value]) => `${key}: ${Array.isArray(value) && value.length === 2 ? `${shown(value[0])} → ${shown(value[1])}` : shown(value)}`,
    )
    .join('; ')
