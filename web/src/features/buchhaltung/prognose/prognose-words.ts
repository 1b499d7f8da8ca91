import type { EingabeFault } from '#domain/geld.ts'
import type { PrognoseArt, PrognoseFault } from '#domain/prognose.ts'
import { t } from '../../../ui/text.ts'

export function artText(art: PrognoseArt): string {
  switch (art) {
    case 'Einnahme':
      return t('Einnahme')
    case 'Ausgabe':
      return t('Ausgabe')
  }
}

/** Of an amount as it is typed; places behind the comma as the field has them. */
export function zahlFault(fault: EingabeFault, stellen: number): string {
  switch (fault) {
    case 'fehlt':
      return t('Diese Angabe fehlt.')
    case 'zahl':
      return t('Bitte eine Zahl eingeben, zum Beispiel 1.234,50.')
    case 'punkt':
      return t('Der Punkt trennt nur Tausender. Bitte für Nachkommastellen ein Komma eingeben, zum Beispiel 12,50.')
    case 'stellen':
      return t('Höchstens {n} Stellen nach dem Komma.', { n: stellen })
    case 'gross':
      return t('Diese Zahl ist zu groß.')
    case 'negativ':
      return t('Bitte ohne Minus eingeben.')
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
      return t('Bitte ohne Minus eingeben. Ob es eine Ausgabe ist, sagt die Art.')
    default:
      return zahlFault(fault, 2)
  }
}
