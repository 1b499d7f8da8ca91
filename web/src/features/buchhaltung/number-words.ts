import { formatCents, type NumberInputFault, parseNumberInput } from '#domain/geld.ts'
import { t } from '../../ui/text.ts'

/** What is wrong with an amount as typed; `decimals`: those the field allows. */
export function numberFault(fault: NumberInputFault, decimals: number): string {
  switch (fault) {
    case 'fehlt':
      return t('Diese Angabe fehlt.')
    case 'zahl':
      return t('Bitte eine Zahl eingeben, zum Beispiel 1.234,50.')
    case 'punkt':
      return t(
        'Der Punkt trennt nur Tausender. Bitte für Nachkommastellen ein Komma eingeben, zum Beispiel 12,50.',
      )
    case 'stellen':
      return t('Höchstens {n} Stellen nach dem Komma.', { n: decimals })
    case 'gross':
      return t('Diese Zahl ist zu groß.')
    case 'negativ':
      return t('Bitte ohne Minus eingeben.')
  }
}

/** An amount as typed, with two decimals; 0.00 for what is none. */
export function typedCents(text: string): string {
  const value = parseNumberInput(text, { decimals: 2, integerDigits: 6 })
  return typeof value === 'string' ? '0.00' : formatCents(value)
}
