// Texts for a customer's documents, written for people who visit twice a year.
import { formatEuro } from '#domain/geld.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { invoiceKindText, stateForCustomer } from '../../record/beleg/beleg-states.ts'
import type { CustomerDocument } from './documents.data.ts'

/** State as one word, for filters. */
export const stateWord = (stand: CustomerDocument['stand']): string => stateForCustomer(stand)

export function kindText(art: CustomerDocument['art']): string {
  switch (art) {
    case 'angebot':
      return t('Angebot')
    default:
      return invoiceKindText(art)
  }
}
export const nameOf = ({ art, nummer }: Pick<CustomerDocument, 'art' | 'nummer'>): string =>
  `${kindText(art)} ${nummer}`

export const STATES: readonly CustomerDocument['stand'][] = [
  'versendet',
  'offen',
  'teilbezahlt',
  'ueberfaellig',
  'bezahlt',
  'verrechnet',
  'storniert',
  'storno',
  'korrigiert',
  'korrektur',
  'angenommen',
  'abgelehnt',
  'abgelaufen',
  'ersetzt',
]
export const TONES: Readonly<Record<CustomerDocument['stand'], Tone>> = {
  offen: 'info',
  teilbezahlt: 'warning',
  ueberfaellig: 'danger',
  bezahlt: 'success',
  verrechnet: 'success',
  storniert: 'neutral',
  storno: 'neutral',
  korrigiert: 'neutral',
  korrektur: 'neutral',
  versendet: 'info',
  abgelaufen: 'neutral',
  angenommen: 'success',
  abgelehnt: 'neutral',
  ersetzt: 'neutral',
}

export const toneOf = ({ stand, einzug }: Pick<CustomerDocument, 'stand' | 'einzug'>): Tone =>
  einzug === null ? TONES[stand] : 'info'

/** State as a phrase, with the date that matters. */
export function stateText(
  customerDocument: Pick<CustomerDocument, 'stand' | 'faellig' | 'bezug' | 'entschieden_am' | 'einzug'>,
): string {
  const { stand, bezug } = customerDocument
  const tag = formatDate(customerDocument.faellig)
  const am = formatDate(customerDocument.entschieden_am)
  if (customerDocument.einzug !== null)
    return t('wird am {tag} eingezogen', { tag: formatDate(customerDocument.einzug.tag) })
  switch (stand) {
    case 'offen':
      return customerDocument.faellig === null ? t('offen') : t('offen, fällig am {tag}', { tag })
    case 'teilbezahlt':
      return customerDocument.faellig === null
        ? t('teilweise bezahlt')
        : t('teilweise bezahlt, Rest fällig am {tag}', { tag })
    case 'ueberfaellig':
      return t('überfällig seit {tag}', { tag })
    case 'bezahlt':
      return t('bezahlt')
    case 'verrechnet':
      return t('mit der Schlussrechnung verrechnet')
    case 'storniert':
      return bezug === null ? t('storniert') : t('storniert durch {nummer}', { nummer: bezug })
    case 'storno':
      return bezug === null ? t('hebt eine Rechnung auf') : t('hebt {nummer} auf', { nummer: bezug })
    case 'korrigiert':
      return t('korrigiert, nichts zu zahlen')
    case 'korrektur':
      return bezug === null ? t('mindert eine Rechnung') : t('mindert {nummer}', { nummer: bezug })
    case 'versendet':
      return customerDocument.faellig === null
        ? t('wartet auf Ihre Antwort')
        : t('wartet auf Ihre Antwort, gültig bis {tag}', { tag })
    case 'abgelaufen':
      return t('abgelaufen am {tag}', { tag })
    case 'angenommen':
      return customerDocument.entschieden_am === null
        ? t('angenommen')
        : t('angenommen am {tag}', { tag: am })
    case 'abgelehnt':
      return customerDocument.entschieden_am === null ? t('abgelehnt') : t('abgelehnt am {tag}', { tag: am })
    case 'ersetzt':
      return t('durch eine neue Fassung ersetzt')
  }
}

/** What the customer is asked to do. */
export const todoOf = ({
  stand,
  entscheidbar,
}: Pick<CustomerDocument, 'stand' | 'entscheidbar'>): 'antworten' | 'zahlen' | 'nichts' =>
  entscheidbar
    ? 'antworten'
    : stand === 'offen' || stand === 'teilbezahlt' || stand === 'ueberfaellig'
      ? 'zahlen'
      : 'nichts'

export const totalText = ({ brutto, netto }: { brutto: string; netto: string }): string =>
  t('{brutto} brutto ({netto} netto)', { brutto: formatEuro(brutto), netto: formatEuro(netto) })
