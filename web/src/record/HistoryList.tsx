// Who changed what and when, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { HistoryEntry } from '#contract/history.ts'
import { Button } from '../ui/Button.tsx'
import { Card, DateText } from '../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import './record.css'
import type { historyQuery } from './history.data.ts'
import { actionName, linesOf, type HistoryWords } from './history-lines.ts'

interface Props {
  query: ReturnType<typeof historyQuery>
  /** The words for an entry; a history of several tables chooses by `entry.tabelle`. */
  words: (entry: HistoryEntry) => HistoryWords
  /** The action in one or two words; by default "Angelegt", "Geändert" or "Gelöscht". */
  heading?: ((entry: HistoryEntry) => string) | undefined
}

export function HistoryList({ query, words, heading = ({ aktion }) => actionName(aktion) }: Props) {
  const changes = useInfiniteQuery(query)
  if (changes.isPending)
    return (
      <Card>
        <Skeleton lines={6} />
      </Card>
    )
  if (changes.isError && changes.data === undefined)
    return (
      <Card>
        <ErrorState error={changes.error} onRetry={() => void changes.refetch()} />
      </Card>
    )
  const entries = changes.data?.pages.flatMap(({ rows }) => rows) ?? []
  if (entries.length === 0)
    return (
      <Card>
        <EmptyState icon="history" title={t('Noch keine Änderungen')}>
          {t('Hier steht künftig, wer wann welches Feld geändert hat.')}
        </EmptyState>
      </Card>
    )
  return (
    <Card>
      <ol className="record-verlauf">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} words={words(entry)} heading={heading(entry)} />
        ))}
      </ol>
      {changes.hasNextPage && (
        <div className="record-more">
          <Button busy={changes.isFetchingNextPage} onClick={() => void changes.fetchNextPage()}>
            {t('Ältere Änderungen anzeigen')}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Entry({ entry, words, heading }: { entry: HistoryEntry; words: HistoryWords; heading: string }) {
  return (
    <li>
      <p className="record-verlauf-head">
        <strong>{heading}</strong> {t('von {who}', { who: entry.wer ?? t('System') })}
        <DateText value={entry.zeit} time />
      </p>
      <dl>
        {linesOf(entry, words).map(({ label, before, after }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {entry.aktion !== 'neu' && <del>{before === '' ? t('leer') : before}</del>}
              {entry.aktion === 'geaendert' && (
                <span aria-hidden="true" className="soft">
                  →
                </span>
              )}
              {entry.aktion !== 'geloescht' && <ins>{after === '' ? t('leer') : after}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
