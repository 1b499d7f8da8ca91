// How far a plan is, in words for its owner.
import type { KarteStatus } from '#contract/karte.ts'
import { t } from '../ui/text.ts'

/** In the sequence of the work. */
export const STATUS: readonly KarteStatus[] = [
  'neu',
  'gescannt',
  'georeferenziert',
  'digitalisiert',
  'geprueft',
  'abgeschlossen',
]
export function statusForCustomer(status: KarteStatus): string {
  switch (status) {
    case 'neu':
      return t('Aufgenommen')
    case 'gescannt':
      return t('Eingescannt')
    case 'georeferenziert':
      return t('In die Karte eingepasst')
    case 'digitalisiert':
      return t('Leitungen abgezeichnet')
    case 'geprueft':
      return t('Von uns geprüft')
    case 'abgeschlossen':
      return t('Fertig')
  }
}
