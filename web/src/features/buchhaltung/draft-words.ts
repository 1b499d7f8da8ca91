// Texts for the state of a document, and for the form of a draft.
import type { Beleg } from '#domain/beleg.ts'
import { t } from '../../ui/text.ts'
import type { AngebotState, RechnungState } from './beleg.data.ts'
import type { Tone } from '../../ui/Display.tsx'

/** The document fields that the form holds. */
export interface DraftValues {
  readonly beleg: Partial<Beleg>
  /** Null means the customer's. */
  readonly bestellnummer: string | null
  readonly anzahlung: string
}

export function rechnungStateText(stand: RechnungState): string {
  switch (stand) {
    case 'entwurf':
      return t('Entwurf')
    case 'offen':
      return t('Ausgestellt')
    case 'teilbezahlt':
      return t('Teilbezahlt')
    case 'bezahlt':
      return t('Bezahlt')
    case 'ueberfaellig':
      return t('Überfällig')
    case 'storniert':
      return t('Storniert')
    case 'storno':
      return t('Stornorechnung')
  }
}
export const RECHNUNG_TONES: Readonly<Record<RechnungState, Tone>> = {
  entwurf: 'neutral',
  offen: 'info',
  teilbezahlt: 'warning',
  bezahlt: 'success',
  ueberfaellig: 'danger',
  storniert: 'neutral',
  storno: 'neutral',
}
export const RECHNUNG_STATES: readonly RechnungState[] = [
  'entwurf',
  'offen',
  'teilbezahlt',
  'bezahlt',
  'ueberfaellig',
  'storniert',
  'storno',
]

export function angebotStateText(stand: AngebotState): string {
  switch (stand) {
    case 'entwurf':
      return t('Entwurf')
    case 'versendet':
      return t('Ausgestellt')
    case 'abgelaufen':
      return t('Abgelaufen')
    case 'angenommen':
      return t('Angenommen')
    case 'teilabgerechnet':
      return t('Teilweise abgerechnet')
    case 'abgerechnet':
      return t('Abgerechnet')
    case 'abgelehnt':
      return t('Abgelehnt')
    case 'ersetzt':
      return t('Ersetzt')
  }
}
export const ANGEBOT_TONES: Readonly<Record<AngebotState, Tone>> = {
  entwurf: 'neutral',
  versendet: 'info',
  abgelaufen: 'warning',
  angenommen: 'success',
  teilabgerechnet: 'warning',
  abgerechnet: 'success',
  abgelehnt: 'danger',
  ersetzt: 'neutral',
}
export const ANGEBOT_STATES: readonly AngebotState[] = [
  'entwurf',
  'versendet',
  'abgelaufen',
  'angenommen',
  'teilabgerechnet',
  'abgerechnet',
  'abgelehnt',
  'ersetzt',
]

export function formatText(format: string): string {
  switch (format) {
    case 'xrechnung':
      return t('XRechnung (nur XML)')
    case 'zugferd':
      return t('ZUGFeRD (PDF mit XML)')
    default:
      return t('PDF ohne E-Rechnung')
  }
}
