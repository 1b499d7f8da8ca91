// How far a plan is, in words for staff and for its owner.
import type { KarteStatus } from '#contract/karte.ts'
import type { Tone } from '../ui/Display.tsx'
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

export function statusName(status: KarteStatus): string {
  switch (status) {
    case 'neu':
      return t('Neu')
    case 'gescannt':
      return t('Gescannt')
    case 'georeferenziert':
      return t('Georeferenziert')
    case 'digitalisiert':
      return t('Digitalisiert')
    case 'geprueft':
      return t('Geprüft')
    case 'abgeschlossen':
      return t('Abgeschlossen')
  }
}
export function statusTone(status: KarteStatus): Tone {
  if (status === 'abgeschlossen') return 'success'
  return status === 'neu' ? 'neutral' : 'info'
}
