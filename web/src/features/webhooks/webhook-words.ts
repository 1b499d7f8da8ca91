// Events, deliveries and receivers in words.
import type { EventKind } from '#domain/ereignis.ts'
import type {
  DeliveryFault,
  DeliveryState,
  Webhook,
  WebhookDelivery,
  WebhookTest,
} from '#contract/webhook.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export function kindName(kind: EventKind | 'test'): string {
  switch (kind) {
    case 'document.issued':
      return t('Beleg ausgestellt')
    case 'offer.decided':
      return t('Angebot angenommen oder abgelehnt')
    case 'plan.published':
      return t('Plan freigegeben')
    case 'tree.lost':
      return t('Habitatbaum verloren')
    case 'test':
      return t('Test')
  }
}

export function stateName(state: DeliveryState): string {
  switch (state) {
    case 'wartet':
      return t('wartet')
    case 'zugestellt':
      return t('zugestellt')
    case 'aufgegeben':
      return t('aufgegeben')
  }
}
export const stateTone = (state: DeliveryState): Tone =>
  state === 'zugestellt' ? 'success' : state === 'wartet' ? 'info' : 'danger'

function faultText(reason: DeliveryFault, status: number | null): string {
  switch (reason) {
    case 'status':
      return t('Das Programm hat mit dem Status {status} geantwortet.', { status: status ?? '–' })
    case 'umgeleitet':
      return t('Das Programm leitet weiter (Status {status}). Bitte tragen Sie die endgültige Adresse ein.', {
        status: status ?? '–',
      })
    case 'zu_langsam':
      return t('Das Programm hat nicht innerhalb von zehn Sekunden geantwortet.')
    case 'nicht_erreichbar':
      return t('Unter dieser Adresse ist nichts erreichbar. Bitte prüfen Sie die Adresse und das Programm.')
    case 'eigenes_netz':
      return t(
        'Die Adresse führt in ein eigenes Netz. Das muss der Betreiber erst erlauben (WEBHOOK_PRIVATE).',
      )
    case 'zertifikat':
      return t('Das Zertifikat der Adresse ist ungültig oder unbekannt.')
    case 'unverschluesselt':
      return t('Die Adresse beginnt nicht mit https://. Bitte ändern Sie sie.')
    case 'geheimnis':
      return t('Das Geheimnis ist nicht mehr lesbar. Bitte legen Sie ein neues an.')
    case 'abgemeldet':
      return t('Das Programm hat sich abgemeldet (Status 410).')
    case 'abgebrochen':
      return t('Der Versuch wurde abgebrochen.')
  }
}

/** What became of an attempt, in a sentence. */
export const resultText = ({
  grund,
  status,
  dauer_ms,
}: Pick<WebhookTest, 'grund' | 'status'> & { dauer_ms: number | null }): string =>
  grund === null
    ? t('Angekommen: Status {status} nach {ms} ms.', { status: status ?? '–', ms: dauer_ms ?? 0 })
    : faultText(grund, status)

export function attemptsText({ versuche, zustand, naechster, versucht_am }: WebhookDelivery): string {
  if (versuche === 0) return t('noch nicht versucht')
  const tries = versuche === 1 ? t('1 Versuch') : t('{n} Versuche', { n: versuche })
  if (zustand === 'wartet')
    return t('{tries}, der nächste ab {time}', { tries, time: formatDateTime(naechster) })
  return t('{tries}, zuletzt {time}', { tries, time: formatDateTime(versucht_am) })
}

export function receiverState(row: Webhook): { readonly tone: Tone; readonly text: string } {
  if (row.pause === 'von_hand') return { tone: 'neutral', text: t('angehalten') }
  if (row.pause !== null) return { tone: 'danger', text: t('angehalten nach Fehlern') }
  if (row.fehler_folge > 0) return { tone: 'warning', text: t('antwortet nicht richtig') }
  return { tone: 'success', text: t('aktiv') }
}

/** Why nothing arrives there, and what to do about it; null: all is well. */
export function troubleText(row: Webhook): string | null {
  switch (row.pause) {
    case 'aufgegeben':
      return t(
        'Das Programm hat zweieinhalb Tage lang nichts angenommen. Prüfen Sie es mit „Test senden“, und ' +
          'setzen Sie den Empfänger dann fort: Was inzwischen geschehen ist, wird nachgeliefert.',
      )
    case 'abgemeldet':
      return t(
        'Das Programm hat sich abgemeldet (Status 410). Wenn Sie es nicht mehr brauchen, löschen Sie den ' +
          'Empfänger.',
      )
    case 'geheimnis':
      return t(
        'Das Geheimnis ist nicht mehr lesbar. Legen Sie ein neues an, tragen Sie es im Programm ein, und ' +
          'setzen Sie den Empfänger dann fort.',
      )
    case 'von_hand':
    case null:
      break
  }
  if (row.verpasst)
    return t('Einige ältere Ereignisse sind nicht mehr vorhanden und werden nicht nachgeliefert.')
  if (row.pause === null && row.fehler_folge > 0)
    return t('Fehlgeschlagene Versuche in Folge: {n}. Nächster Versuch ab {time}.', {
      n: row.fehler_folge,
      time: formatDateTime(row.naechster),
    })
  return null
}
