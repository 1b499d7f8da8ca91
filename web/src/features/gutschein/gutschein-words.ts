// Texts for vouchers: states and faults.
import type { GutscheinFault, GutscheinState } from '#domain/gutschein.ts'
import { GUTSCHEIN_TEXTS } from '../../data/gutschein-texts.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { dayExpected } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'

export const faultText = (fault: GutscheinFault): string =>
  fault === 'datum' ? dayExpected() : t(GUTSCHEIN_TEXTS[fault])

export function stateText(state: GutscheinState): string {
  switch (state) {
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
