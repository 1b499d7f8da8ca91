// Texts for jobs: what they do, their state, and failures of the next step.
import type { KarteJob } from '#contract/karte-files.ts'
import type { Tone } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'

export function kindName(art: KarteJob['art']): string {
  switch (art) {
    case 'kacheln':
      return t('Scan für die Ansicht aufbereiten')
    case 'entzerren':
      return t('Scan in die Karte entzerren')
    case 'mosaik':
      return t('Blätter zusammenführen')
  }
}
export function stateName(stand: KarteJob['stand']): string {
  switch (stand) {
    case 'wartet':
      return t('wartet')
    case 'laeuft':
      return t('läuft')
    case 'fertig':
      return t('fertig')
    case 'fehlgeschlagen':
      return t('fehlgeschlagen')
    case 'abgebrochen':
      return t('abgebrochen')
  }
}
export function stateTone(stand: KarteJob['stand']): Tone {
  switch (stand) {
    case 'fertig':
      return 'success'
    case 'fehlgeschlagen':
      return 'danger'
    case 'laeuft':
      return 'info'
    default:
      return 'neutral'
  }
}
