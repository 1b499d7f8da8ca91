// How far an invoice, an offer or a reminder is, in words and colours.
import type { AngebotState, RechnungState } from '#contract/buchhaltung.ts'
import type { InvoiceKind } from '#domain/beleg.ts'
import type { Tone } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'

export function invoiceKindText(art: InvoiceKind): string {
  switch (art) {
    case 'rechnung':
      return t('Rechnung')
    case 'abschlag':
      return t('Abschlagsrechnung')
    case 'schluss':
      return t('Schlussrechnung')
    case 'storno':
      return t('Stornorechnung')
    case 'korrektur':
      return t('Rechnungskorrektur')
  }
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
    case 'verrechnet':
      return t('Verrechnet')
    case 'ueberfaellig':
      return t('Überfällig')
    case 'storniert':
      return t('Storniert')
    case 'storno':
      return t('Stornorechnung')
    case 'korrigiert':
      return t('Korrigiert')
    case 'korrektur':
      return t('Rechnungskorrektur')
  }
}
export const RECHNUNG_TONES: Readonly<Record<RechnungState, Tone>> = {
  entwurf: 'neutral',
  offen: 'info',
  teilbezahlt: 'warning',
  bezahlt: 'success',
  verrechnet: 'success',
  ueberfaellig: 'danger',
  storniert: 'neutral',
  storno: 'neutral',
  korrigiert: 'neutral',
  korrektur: 'neutral',
}

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

/** The same for the customer, who gets what was issued. */
export function stateForCustomer(stand: RechnungState | AngebotState): string {
  switch (stand) {
    case 'offen':
      return t('Offen')
    case 'teilbezahlt':
      return t('Teilweise bezahlt')
    case 'ueberfaellig':
      return t('Überfällig')
    case 'bezahlt':
      return t('Bezahlt')
    case 'verrechnet':
      return t('Verrechnet')
    case 'storniert':
      return t('Storniert')
    case 'storno':
      return t('Storno')
    case 'korrigiert':
      return t('Korrigiert')
    case 'korrektur':
      return t('Korrektur')
    case 'versendet':
      return t('Wartet auf Antwort')
    case 'abgelaufen':
      return t('Abgelaufen')
    case 'angenommen':
      return t('Angenommen')
    case 'abgelehnt':
      return t('Abgelehnt')
    case 'ersetzt':
      return t('Ersetzt')
    case 'entwurf':
      return t('Entwurf')
    case 'teilabgerechnet':
    case 'abgerechnet':
      return t('Angenommen')
  }
}

/** Levels are counted from 1. */
export const mahnLevelText = (level: number): string =>
  level === 1 ? t('Zahlungserinnerung') : level === 2 ? t('Mahnung') : t('Letzte Mahnung')
