import type { PrognoseKind, PrognoseFault } from '#domain/prognose.ts'
import { t } from '../../../ui/text.ts'
import { numberFault } from '../number-words.ts'

export function kindText(art: PrognoseKind): string {
  switch (art) {
    case 'Einnahme':
      return t('Einnahme')
    case 'Ausgabe':
      return t('Ausgabe')
  }
}

export function prognoseFault(fault: PrognoseFault, longest: number): string {
  switch (fault) {
    case 'datum':
      return t('Bitte ein Datum wie 31.12.2026.')
    case 'datum_bereich':
      return t('Bitte ein Datum zwischen 2000 und 2100.')
    case 'null':
      return t('Der Betrag muss größer als null sein.')
    case 'art':
      return t('Bitte wählen Sie Einnahme oder Ausgabe.')
    case 'zu_lang':
      return t('Höchstens {n} Zeichen.', { n: longest })
    case 'negativ':
      return t('Bitte ohne Minus eingeben. Für eine Ausgabe wählen Sie diese bei „Art“.')
    default:
      return numberFault(fault, 2)
  }
}
