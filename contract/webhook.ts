// Webhooks: rows of app.a_get_webhooks and their log, and the server's routes that make, change and test them.
import type { EventKind } from '#domain/ereignis.ts'
import type { Half } from '#domain/zugang.ts'

export interface WebhookLimits {
  readonly name: string
  readonly url: string
  readonly arten: readonly EventKind[]
  /** Null: of every customer. */
  readonly client_id: number | null
}

/** Why nothing is delivered. */
export type WebhookPause = 'von_hand' | 'aufgegeben' | 'abgemeldet' | 'geheimnis'

export interface Webhook extends WebhookLimits {
  readonly id: number
  readonly haelfte: Half
  readonly kunde: string | null
  /** The last characters of the secret. */
  readonly zeichen: string
  /** Until when the former secret is also used. */
  readonly alt_bis: string | null
  readonly pause: WebhookPause | null
  readonly pause_am: string | null
  /** Failures since the last success, and when it is tried again. */
  readonly fehler_folge: number
  readonly naechster: string | null
  readonly wartend: number
  readonly zuletzt_am: string | null
  /** What happened during the pause is in part no longer kept. */
  readonly verpasst: boolean
  readonly angelegt_am: string
  readonly angelegt_von: string | null
  readonly geaendert_am: string
  readonly version: number
}

export type DeliveryState = 'wartet' | 'zugestellt' | 'aufgegeben'
export type DeliveryFault =
  | 'status'
  | 'umgeleitet'
  | 'zu_langsam'
  | 'nicht_erreichbar'
  | 'eigenes_netz'
  | 'zertifikat'
  | 'unverschluesselt'
  | 'geheimnis'
  | 'abgemeldet'
  | 'abgebrochen'

export interface WebhookDelivery {
  readonly id: number
  readonly kennung: string
  readonly webhook_id: number
  readonly webhook_name: string
  readonly ereignis_id: number | null
  readonly art: EventKind | 'test'
  readonly kunde: string | null
  readonly koerper: string
  readonly zustand: DeliveryState
  readonly versuche: number
  readonly naechster: string
  readonly status: number | null
  readonly grund: DeliveryFault | null
  readonly antwort: string | null
  readonly dauer_ms: number | null
  readonly versucht_am: string | null
  readonly angelegt_am: string
}

/** POST webhooks; PUT webhooks/:id has no half and the version that it is based on. */
export interface NewWebhook extends WebhookLimits {
  readonly haelfte: Half
}
export interface ChangedWebhook extends WebhookLimits {
  readonly version: number
}
/** The secret itself, this one time. */
export interface MadeWebhook {
  readonly id: number
  readonly geheimnis: string
}

/** POST webhooks/:id/test: what became of it. */
export interface WebhookTest {
  /** Null: delivered. */
  readonly grund: DeliveryFault | null
  readonly status: number | null
  readonly antwort: string
  readonly dauer_ms: number
}

export interface WebhookRpc {
  a_get_webhooks: { takes: Record<string, never>; answers: Webhook[] }
  a_delete_webhook: { takes: { id: number }; answers: null }
  a_pause_webhook: { takes: { id: number; pause: boolean }; answers: null }
  /** A hundred, newest first: those before the number `vor`. */
  a_get_zustellungen: {
    takes: { webhook?: number; nur?: DeliveryState; vor?: number }
    answers: WebhookDelivery[]
  }
  a_repeat_zustellung: { takes: { id: number }; answers: null }
}

/** GET /changes: an event as programs read it, the same as the body of a webhook. */
export interface Change {
  readonly type: EventKind
  readonly timestamp: string
  readonly data: {
    readonly position: number
    readonly client_id: number
    readonly table: 'rechnung' | 'angebot' | 'mahnung' | 'karte' | 'habitatbaeume'
    readonly id: number
    readonly details: Record<string, unknown>
  }
}
export interface Changes {
  readonly changes: readonly Change[]
  /** The next `after`. */
  readonly next: number
  /** There are more already. */
  readonly more: boolean
}
