// Words for mandates.
import type { Mandat } from '#contract/sepa.ts'
import { t } from '../../../ui/text.ts'

export const TONES = {
  aktiv: 'success',
  widerrufen: 'neutral',
  verbraucht: 'neutral',
  abgelaufen: 'warning',
} as const
export function stateText(state: Mandat['stand']): string {
  switch (state) {
    case 'aktiv':
      return t('aktiv')
    case 'widerrufen':
      return t('widerrufen')
    case 'verbraucht':
      return t('verbraucht')
    case 'abgelaufen':
      return t('abgelaufen')
  }
}
export const kindText = ({ art, einmalig }: Mandat): string =>
  [art === 'b2b' ? t('Firmenlastschrift') : t('Basislastschrift'), einmalig ? t('nur ein Einzug') : '']
    .filter(Boolean)
    .join(', ')
