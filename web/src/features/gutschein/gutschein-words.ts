// Texts for vouchers: states and faults.
import type { GutscheinFault, GutscheinState } from '#domain/gutschein.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { dayExpected } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'

export function faultText(fault: GutscheinFault): string {
  switch (fault) {
    case 'fehlt':
      return t('Diese Angabe fehlt.')
    case 'prozent':
      return t('Bitte einen Rabatt von 0 bis 100 % eingeben, zum Beispiel 12,5.')
    case 'stellen':
      return t('Höchstens zwei Stellen nach dem Komma.')
    case 'datum':
      return dayExpected()
    case 'zukunft':
      return t('Das Datum muss in der Zukunft liegen.')
    case 'monate':
      return t('Bitte volle Monate von 1 bis 1200 eingeben.')
    case 'kein_rabatt':
      return t('Mindestens einer der beiden Rabatte muss größer als 0 sein.')
  }
}

export function stateText(zustand: GutscheinState): string {
  switch (zustand) {
    case 'offen':
      return t('einlösbar')
    case 'ohne_code':
      return t('ohne Code')
    case 'eingeloest':
      return t('eingelöst')
    case 'abgelaufen':
      return t('abgelaufen')
  }
}
export const STATE_TONES: Record<GutscheinState, Tone> = {
  offen: 'success',
  ohne_code: 'warning',
  eingeloest: 'info',
  abgelaufen: 'neutral',
}

export const gutscheinName = (id: number): string => t('Gutschein {id}', { id }).replace(' ', '\u00a0')
export const monthsText = (months: number): string =>
  months === 1 ? t('1 Monat') : t('{n} Monate', { n: formatNumber(months) }).replace(' ', '\u00a0')
export const percentText = (value: number): string => `${formatNumber(value)}\u00a0%`
