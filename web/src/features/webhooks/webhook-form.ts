// What the form of a receiver holds, and what of it can be sent. Pure.
import { EVENT_KINDS, type EventKind } from '#domain/ereignis.ts'
import type { Half } from '#domain/zugang.ts'
import type { NewWebhook, Webhook } from '#contract/webhook.ts'
import { type Checked, unlessFaulty } from '../../record/dialog-form.ts'
import { t } from '../../ui/text.ts'

export interface ReceiverInput {
  readonly haelfte: Half
  readonly name: string
  readonly url: string
  readonly arten: readonly EventKind[]
  readonly kunde: string
}

export const startOf = (half: Half, row: Webhook | null): ReceiverInput => ({
  haelfte: row?.haelfte ?? half,
  name: row?.name ?? '',
  url: row?.url ?? '',
  arten: row?.arten ?? EVENT_KINDS[half],
  kunde: row?.client_id == null ? '' : String(row.client_id),
})

const LONGEST_NAME = 60

export function checkReceiver(input: ReceiverInput): Checked<NewWebhook> {
  const { haelfte, kunde } = input
  const [name, url] = [input.name.trim(), input.url.trim()]
  const kinds = EVENT_KINDS[haelfte].filter((kind: EventKind) => input.arten.includes(kind))
  return unlessFaulty(
    { haelfte, name, url, arten: kinds, client_id: kunde === '' ? null : Number(kunde) },
    {
      name:
        name === ''
          ? t('Bitte nennen Sie das Programm, zum Beispiel „Warenwirtschaft“.')
          : name.length > LONGEST_NAME
            ? t('Bitte höchstens {n} Zeichen.', { n: LONGEST_NAME })
            : undefined,
      // Whether it may be called is checked by the server.
      url: /^https?:\/\/[^\s/]+/i.test(url)
        ? undefined
        : t(
            'Bitte geben Sie die vollständige Adresse an, zum Beispiel https://programm.example/forstkontor.',
          ),
      arten: kinds.length === 0 ? t('Bitte wählen Sie mindestens ein Ereignis.') : undefined,
    },
  )
}
