// Texts for the state of a document, and for the form of a draft.
import type { Beleg } from '#domain/beleg.ts'
import { t } from '../../ui/text.ts'
import type { TypedReferences } from './place-fields.ts'
import type { AngebotState, RechnungState } from './beleg.data.ts'

export {
  ANGEBOT_TONES,
  angebotStateText,
  invoiceKindText,
  RECHNUNG_TONES,
  rechnungStateText,
} from '../../record/beleg/beleg-states.ts'

/** The document fields that the form holds. */
export interface DraftValues {
  readonly beleg: Partial<Beleg>
  /** Null means the customer's. */
  readonly bestellnummer: string | null
  readonly anzahlung: string
  readonly verweise: TypedReferences
  /** Days until it is due; null means the saved draft's. */
  readonly zahlungsziel: number | null
}

export const RECHNUNG_STATES: readonly RechnungState[] = [
  'entwurf',
  'offen',
  'teilbezahlt',
  'bezahlt',
  'verrechnet',
  'ueberfaellig',
  'storniert',
  'storno',
  'korrigiert',
  'korrektur',
]
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
