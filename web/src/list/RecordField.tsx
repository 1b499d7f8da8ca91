// Picks a record by typing its name: a text field with the matches below it. Arrow keys move, Enter selects,
// Escape closes. HTML has no combobox element whose options come from a server.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react'
import { Button, IconButton } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import type { RecordFilter } from './filter-kinds.ts'
import { useRecordNameQuery } from './record-name.ts'
import type { How } from './use-list-state.ts'

export interface RecordFieldProps {
  filter: RecordFilter<never>
  label: string
  value: string
  apply: (value: string, how?: How) => void
}

/** What is typed, and the records that match. */
function usePick(filter: RecordFilter<never>, apply: (value: string) => void) {
  /** Null while not typing: the field then shows the chosen record. */
  const [text, setText] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const typed = (text ?? '').trim()
  const asked = useDeferredValue(typed)
  const search = (word: string) =>
    queryOptions({
      queryKey: ['list', 'record', filter.key, word],
      queryFn: ({ signal }) => filter.find(word, signal),
    })
  const client = useQueryClient()
  const hits = useQuery({ ...search(asked), enabled: asked !== '', placeholderData: keepPreviousData })
  /** The hits in sight are those of an earlier text: none of them is meant. */
  const late = asked !== typed || hits.isPlaceholderData || hits.data === undefined
  const options = asked === '' ? [] : (hits.data ?? [])
  const isOpen = text !== null && asked !== ''
  const take = (id: string) => {
    latest.current = null
    setText(null)
    apply(id)
  }
  const latest = useRef<string | null>(null)
  const takeFirst = async () => {
    const found = await client.ensureQueryData(search(typed)).catch(() => [])
    if (latest.current?.trim() === typed && found[0]) take(found[0].value)
  }
  const move = (step: number) => {
    if (!late) setAt((at + step + options.length) % Math.max(1, options.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text !== null) type(null)
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && isOpen && late) void takeFirst()
    else if (event.key === 'Enter' && isOpen && options[at]) take(options[at].value)
    else return
    event.preventDefault()
  }
  const type = (given: string | null) => {
    latest.current = given
    setText(given)
    if (given !== null) setAt(0)
  }
  return { text, type, at, hits, options, isOpen, late, take, onKeyDown }
}

export function RecordField({ filter, label, value, apply }: RecordFieldProps) {
  const listId = useId()
  const named = useRecordNameQuery(filter, value)
  const name = named.data ?? null
  const pick = usePick(filter, apply)
  const { text, type, at, options, isOpen, late, onKeyDown } = pick
  return (
    <div className="list-record">
      <div className="list-record-input">
        <TextField
          label={label}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && !late && options[at] ? `${listId}-${at}` : undefined}
          autoComplete="off"
          placeholder={t('Name eingeben')}
          value={text ?? (value === '' ? '' : (name ?? value))}
          onChange={({ target }) => {
            type(target.value)
            if (target.value === '' && value !== '') apply('')
          }}
          onBlur={() => type(null)}
          onKeyDown={onKeyDown}
        />
        {value !== '' && text === null && (
          <IconButton
            icon="close"
            size="small"
            className="list-record-clear"
            label={t('{label} leeren', { label })}
            onClick={({ currentTarget }) => {
              apply('')
              // The next name is typed; this button is gone.
              currentTarget.closest('.list-record')?.querySelector('input')?.focus()
            }}
          />
        )}
        <Hits id={listId} label={label} pick={pick} />
      </div>
      {named.isLoadingError && text === null && (
        <NameFault busy={named.isFetching} onRetry={() => void named.refetch()} />
      )}
    </div>
  )
}

/** Options never take focus: the text field keeps it and refers to the active one. */
function Hits({
  id: listId,
  label,
  pick: { at, hits, options, isOpen, late, take },
}: {
  id: string
  label: string
  pick: ReturnType<typeof usePick>
}) {
  return (
    <div id={listId} role="listbox" aria-label={label} className="list-record-hits" hidden={!isOpen}>
      {options.map((option, nr) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={option.value}
          id={`${listId}-${nr}`}
          role="option"
          aria-selected={nr === at}
          aria-disabled={late}
          className="list-record-hit"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => late || take(option.value)}
        >
          {option.label}
        </div>
      ))}
      {isOpen && options.length === 0 && (
        <div className="list-record-none" role="presentation">
          {hits.isError
            ? t('Die Suche hat nicht geklappt.')
            : hits.isFetching
              ? t('Wird gesucht …')
              : t('Kein Treffer')}
        </div>
      )}
    </div>
  )
}

function NameFault({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <div className="list-record-fault" role="alert">
      {t('Der Name konnte nicht geladen werden.')}
      <Button variant="quiet" size="small" icon="refresh" busy={busy} onClick={onRetry}>
        {t('Erneut versuchen')}
      </Button>
    </div>
  )
}
