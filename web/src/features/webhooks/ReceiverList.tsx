// Receivers as a list: where, what of, how it goes there, and what can be done with each.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Webhook, WebhookTest } from '#contract/webhook.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Notice } from '../../ui/Display.tsx'
import { formatDate, formatDateTime } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { kindName, receiverState, resultText, troubleText } from './webhook-words.ts'
import './webhooks.css'
import {
  messageOf,
  receiversQuery,
  useDeleteReceiver,
  usePauseReceiver,
  useRenewSecret,
  useTestReceiver,
} from './webhooks.data.ts'

interface Props {
  action: ReactNode
  /** The user administers both halves. */
  namesHalf: boolean
  onEdit: (row: Webhook) => void
  onSecret: (made: { name: string; geheimnis: string }) => void
}
type Asked = { readonly act: 'delete' | 'renew'; readonly row: Webhook }

export function ReceiverList({ action, namesHalf, onEdit, onSecret }: Props) {
  const query = useQuery(receiversQuery)
  const [asked, setAsked] = useState<Asked | null>(null)
  if (query.isPending) return <Skeleton lines={4} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data.length === 0)
    return (
      <EmptyState icon="bell" title={t('Noch kein Empfänger')} action={action}>
        {t(
          'Legen Sie für jedes Programm einen an. Es erfährt dann sofort von den Ereignissen, die Sie auswählen.',
        )}
      </EmptyState>
    )
  return (
    <div className="stack">
      <ul className="webhooks" aria-label={t('Empfänger')}>
        {query.data.map((row) => (
          <Receiver
            key={row.id}
            row={row}
            namesHalf={namesHalf}
            onEdit={() => onEdit(row)}
            onAsk={(act) => setAsked({ act, row })}
          />
        ))}
      </ul>
      <div>{action}</div>
      {asked !== null && <Ask {...asked} onSecret={onSecret} onClose={() => setAsked(null)} />}
    </div>
  )
}

function Receiver({
  row,
  namesHalf,
  onEdit,
  onAsk,
}: {
  row: Webhook
  namesHalf: boolean
  onEdit: () => void
  onAsk: (act: Asked['act']) => void
}) {
  const test = useTestReceiver()
  const pause = usePauseReceiver()
  const [result, setResult] = useState<WebhookTest | null>(null)
  const { tone, text } = receiverState(row)
  const trouble = troubleText(row)
  const { id, name } = row
  const isPaused = row.pause !== null
  const fault = (error: unknown) => toast.error(messageOf(error))
  return (
    <li>
      <div className="webhook-head">
        <strong>{name}</strong>
        <Badge tone={tone}>{text}</Badge>
        {namesHalf && <Badge>{row.haelfte === 'forst' ? t('Forst') : t('Entwässerung')}</Badge>}
      </div>
      <p>
        <code>{row.url}</code>
      </p>
      <p>
        {row.arten.map(kindName).join(', ')}
        {row.client_id !== null && ` · ${t('nur {kunde}', { kunde: row.kunde ?? row.client_id })}`}
      </p>
      <p className="soft">{factsOf(row).join(' · ')}</p>
      {trouble !== null && <Notice tone="warning">{trouble}</Notice>}
      <Actions>
        <Button
          icon="bell"
          busy={test.isPending}
          onClick={() => test.mutate(id, { onSuccess: setResult, onError: fault })}
          aria-label={t('Test senden an {name}', { name })}
        >
          {t('Test senden')}
        </Button>
        <Button icon="edit" onClick={onEdit} aria-label={t('{name} ändern', { name })}>
          {t('Ändern')}
        </Button>
        <Button
          icon={isPaused ? 'refresh' : 'clock'}
          busy={pause.isPending}
          onClick={() => pause.mutate({ id, pause: !isPaused }, { onError: fault })}
          aria-label={isPaused ? t('{name} fortsetzen', { name }) : t('{name} anhalten', { name })}
        >
          {isPaused ? t('Fortsetzen') : t('Anhalten')}
        </Button>
        <Button
          icon="lock"
          onClick={() => onAsk('renew')}
          aria-label={t('Neues Geheimnis für {name}', { name })}
        >
          {t('Neues Geheimnis')}
        </Button>
        <Button icon="trash" onClick={() => onAsk('delete')} aria-label={t('{name} löschen', { name })}>
          {t('Löschen')}
        </Button>
      </Actions>
      <div aria-live="polite">
        {result !== null && !test.isPending && (
          <Notice
            tone={result.grund === null ? 'success' : 'danger'}
            title={result.grund === null ? t('Der Test ist angekommen') : t('Der Test ist nicht angekommen')}
          >
            <p>{resultText(result)}</p>
            {result.antwort !== '' && <pre className="webhook-answer">{result.antwort}</pre>}
          </Notice>
        )}
      </div>
    </li>
  )
}

const factsOf = ({ zuletzt_am, wartend, zeichen, alt_bis, angelegt_von, angelegt_am }: Webhook): string[] => [
  zuletzt_am === null
    ? t('noch nichts zugestellt')
    : t('zuletzt zugestellt {time}', { time: formatDateTime(zuletzt_am) }),
  ...(Number(wartend) > 0 ? [t('{n} warten', { n: Number(wartend) })] : []),
  t('Geheimnis …{signs}', { signs: zeichen }),
  ...(alt_bis === null ? [] : [t('das bisherige gilt noch bis {time}', { time: formatDateTime(alt_bis) })]),
  angelegt_von === null
    ? t('angelegt am {day}', { day: formatDate(angelegt_am) })
    : t('angelegt am {day} von {who}', { day: formatDate(angelegt_am), who: angelegt_von }),
]

function Ask({
  act,
  row: { id, name },
  onSecret,
  onClose,
}: Asked & { onSecret: Props['onSecret']; onClose: () => void }) {
  const remove = useDeleteReceiver()
  const renew = useRenewSecret()
  const isDelete = act === 'delete'
  const confirm = () =>
    isDelete
      ? remove.mutateAsync(id).then(() => {
          toast.success(t('Der Empfänger „{name}“ ist gelöscht.', { name }))
          onClose()
        })
      : renew.mutateAsync(id).then(({ geheimnis }) => {
          onSecret({ name, geheimnis })
          onClose()
        })
  return (
    <ConfirmDialog
      open
      title={isDelete ? t('Empfänger löschen?') : t('Neues Geheimnis anlegen?')}
      record={name}
      confirmLabel={isDelete ? t('Löschen') : t('Anlegen und anzeigen')}
      danger={isDelete}
      busy={remove.isPending || renew.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>
        {isDelete
          ? t(
              'Das Programm wird dann nicht mehr benachrichtigt. Auch das Protokoll seiner Zustellungen wird ' +
                'gelöscht.',
            )
          : t('Das bisherige gilt noch einen Tag. Tragen Sie das neue bis dahin im Programm ein.')}
      </p>
    </ConfirmDialog>
  )
}
