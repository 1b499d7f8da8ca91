// What was delivered and what was not, newest first, with the answers of the programs.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryState, WebhookDelivery } from '#contract/webhook.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Toolbar } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { attemptsText, kindName, resultText, stateName, stateTone } from './webhook-words.ts'
import './webhooks.css'
import { type LogFilter, logQuery, messageOf, receiversQuery, useRepeat } from './webhooks.data.ts'

const STATES: readonly DeliveryState[] = ['wartet', 'zugestellt', 'aufgegeben']

export function DeliveryLog() {
  const [filter, setFilter] = useState<LogFilter>({ webhook: null, nur: '' })
  const { data: receivers = [] } = useQuery(receiversQuery)
  return (
    <div className="stack">
      <Toolbar label={t('Zustellungen eingrenzen')}>
        <SelectField
          label={t('Empfänger')}
          emptyOption={t('alle')}
          options={receivers.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={filter.webhook === null ? '' : String(filter.webhook)}
          onChange={({ target }) =>
            setFilter({ ...filter, webhook: target.value === '' ? null : Number(target.value) })
          }
        />
        <SelectField
          label={t('Status')}
          emptyOption={t('alle')}
          options={STATES.map((state) => ({ value: state, label: stateName(state) }))}
          value={filter.nur}
          onChange={({ target }) => setFilter({ ...filter, nur: target.value as LogFilter['nur'] })}
        />
      </Toolbar>
      <Entries filter={filter} />
    </div>
  )
}

function Entries({ filter }: { filter: LogFilter }) {
  const query = useInfiniteQuery(logQuery(filter))
  if (query.isPending) return <Skeleton lines={5} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const entries = query.data.pages.flat()
  if (entries.length === 0)
    return (
      <EmptyState icon="inbox" title={t('Keine Zustellungen')}>
        {filter.webhook === null && filter.nur === ''
          ? t('Sobald es ein Ereignis für einen Empfänger gibt, steht es hier.')
          : t('Zu dieser Auswahl gibt es keine. Wählen Sie „alle“, um wieder alle zu sehen.')}
      </EmptyState>
    )
  return (
    <>
      <ul className="webhooks" aria-label={t('Zustellungen')}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('Ältere anzeigen')}
          </Button>
        </div>
      )}
    </>
  )
}

function Entry({ entry }: { entry: WebhookDelivery }) {
  const repeat = useRepeat()
  const { id, art, kunde, webhook_name, zustand, versuche, antwort, koerper, angelegt_am } = entry
  const again = () =>
    repeat.mutate(id, {
      onSuccess: () => toast.success(t('Wird noch einmal zugestellt.')),
      onError: (error) => toast.error(messageOf(error)),
    })
  return (
    <li>
      <div className="webhook-head">
        <strong>{kindName(art)}</strong>
        <Badge tone={stateTone(zustand)}>{stateName(zustand)}</Badge>
        <span className="soft">{formatDateTime(angelegt_am)}</span>
      </div>
      <p>
        {t('an {name}', { name: webhook_name })}
        {kunde !== null && ` · ${kunde}`}
      </p>
      <p className="soft">
        {attemptsText(entry)}
        {versuche > 0 && entry.versucht_am !== null && ` · ${resultText(entry)}`}
      </p>
      <details>
        <summary>{t('Inhalt und Antwort')}</summary>
        <p className="soft">{t('Gesendet (webhook-id msg_{id}):', { id: entry.kennung })}</p>
        <pre className="webhook-answer">{koerper}</pre>
        {antwort !== null && antwort !== '' && (
          <>
            <p className="soft">{t('Anfang der Antwort:')}</p>
            <pre className="webhook-answer">{antwort}</pre>
          </>
        )}
      </details>
      {art !== 'test' && (
        <Button
          icon="refresh"
          busy={repeat.isPending}
          onClick={again}
          aria-label={t('{art} an {name} noch einmal zustellen', { art: kindName(art), name: webhook_name })}
        >
          {t('Noch einmal')}
        </Button>
      )}
    </li>
  )
}
