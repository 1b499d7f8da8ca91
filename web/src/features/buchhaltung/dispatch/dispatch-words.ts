// Texts for deliveries: what was sent, its state, and what to do about it.
import type { Dispatch } from '#contract/zahlung.ts'
import type { Tone } from '../../../ui/Display.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'

export function wayText(way: Dispatch['weg']): string {
  switch (way) {
    case 'mail':
      return t('E-Mail')
    case 'portal':
      return t('Portal')
    case 'post':
      return t('Post')
    case 'abruf':
      return t('Abruf')
  }
}

export function stateText({ zustand, grund, versuche }: Dispatch): string {
  if (zustand === 'gesendet') return t('Gesendet')
  if (zustand === 'wartet') return versuche > 1 ? t('Wird erneut versucht') : t('Wird gesendet')
  if (grund === 'ungewiss') return t('Ungewiss')
  return grund === 'zurueckgezogen' ? t('Zurückgezogen') : t('Nicht gesendet')
}
export function stateTone({ zustand, grund }: Dispatch): Tone {
  if (zustand === 'gesendet') return 'success'
  if (zustand === 'wartet') return 'info'
  if (grund === 'zurueckgezogen') return 'neutral'
  return grund === 'ungewiss' ? 'warning' : 'danger'
}

/** Why, and what helps; null if there is nothing to say. */
export function reasonText({ zustand, grund, fehler, naechster, versuche }: Dispatch): string | null {
  if (zustand === 'wartet')
    return fehler === '' || versuche === 0
      ? null
      : t('Der Mailserver hat sie noch nicht angenommen: „{fehler}“. Nächster Versuch: {zeit}.', {
          fehler,
          zeit: formatDateTime(naechster),
        })
  if (zustand === 'gesendet') return null
  switch (grund) {
    case 'abgelehnt':
      return t('Der Mailserver hat sie abgelehnt: „{fehler}“. Bitte die Adresse prüfen und erneut senden.', {
        fehler,
      })
    case 'aufgegeben':
      return t(
        'Nach sechs Versuchen aufgegeben: „{fehler}“. Bitte später erneut senden oder die Datei anders zustellen.',
        { fehler },
      )
    case 'ungewiss':
      return t(
        'Die Verbindung brach beim Übergeben ab. Ob die E-Mail angekommen ist, weiß niemand: Bitte beim ' +
          'Empfänger nachfragen, bevor Sie erneut senden.',
      )
    case 'dokument':
      return t('Zu diesem Beleg liegt kein PDF vor. Bitte die Vorschau öffnen und danach erneut senden.')
    case 'kein_mailserver':
      return t(
        'Auf diesem Server ist kein Mailversand eingerichtet. Bitte die Datei herunterladen und anders zustellen.',
      )
    default:
      return null
  }
}

/** Dispatch state of a document in lists. */
export type DispatchStatus = 'nicht' | 'wartet' | 'gesendet' | 'fehlgeschlagen'
export const DISPATCH_STATUSES: readonly DispatchStatus[] = ['nicht', 'wartet', 'gesendet', 'fehlgeschlagen']
export function dispatchStatusText(stand: DispatchStatus): string {
  switch (stand) {
    case 'nicht':
      return t('nicht versendet')
    case 'wartet':
      return t('wird gesendet')
    case 'gesendet':
      return t('versendet')
    case 'fehlgeschlagen':
      return t('Versand gescheitert')
  }
}
export const DISPATCH_TONES: Readonly<Record<DispatchStatus, Tone>> = {
  nicht: 'neutral',
  wartet: 'info',
  gesendet: 'success',
  fehlgeschlagen: 'danger',
}
