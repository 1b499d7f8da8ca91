import type { AboModule, AboState } from '#contract/abo.ts'
import { formatEuro, parseHundredths } from '#domain/geld.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { PeriodKey } from './period.ts'

export function moduleName(feature: AboModule): string {
  switch (feature) {
    case 'fe':
      return t('Forsteinrichtung (FE)')
    case 'basis_fe':
      return t('Basis-FE')
    case 'kawm':
      return t('KAWM')
  }
}
export function stateText(state: AboState): string {
  switch (state) {
    case 'aktiv':
      return t('läuft')
    case 'gekuendigt':
      return t('gekündigt')
    case 'beendet':
      return t('beendet')
  }
}
export const STATE_TONES: Record<AboState, Tone> = {
  aktiv: 'success',
  gekuendigt: 'warning',
  beendet: 'neutral',
}
export function periodText(key: PeriodKey): string {
  switch (key) {
    case '12m':
      return t('Letzte 12 Monate')
    case 'jahr':
      return t('Dieses Jahr')
    case 'vorjahr':
      return t('Letztes Jahr')
    case '36m':
      return t('Letzte 3 Jahre')
    case 'voraus':
      return t('Nächste 12 Monate (bereits vereinbart)')
  }
}
export const euro = (value: number | string): string => formatEuro(parseHundredths(value))
export const months = (count: number): string =>
  count === 1 ? t('1 Monat') : t('{n} Monate', { n: formatNumber(count) }).replace(' ', '\u00a0')
