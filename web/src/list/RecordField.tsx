// Picks a record by typing its name: a text field with the matches below it. Arrow keys move, Enter selects,
// Escape closes. HTML has no combobox element whose options come from a server.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
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

export function RecordField({ filter, label, value, apply }: RecordFieldProps) {
  const listId = useId()
  const named = useRecordNameQuery(filter, value)
  const name = named.data ?? null
  /** Null while not typing: the field then shows the chosen record. */
  const [text, setText] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const asked = useDeferredValue((text ?? '').trim())
  const hits = useQuery({
    queryKey: ['list', 'record', filter.key, asked],
    queryFn: ({ signal }) => filter.find(asked, signal),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  const options = asked === '' ? [] : (hits.data ?? [])
  const isOpen = text !== null && asked !== ''
  const take = (id: string) => {
    setText(null)
    apply(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text !== null) setText(null)
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, options.length))
    else if (event.key === 'ArrowUp') setAt((at - 1 + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter' && isOpen && options[at]) take(options[at].value)
    else return
    event.preventDefault()
  }
  return (
    <div className="list-record">
      <div className="list-record-input">
        <TextField
          label={label}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && options[at] ? `${listId}-${at}` : undefined}
          autoComplete="off"
          placeholder={t('Name eingeben')}
          value={text ?? (value === '' ? '' : (name ?? value))}
          onChange={({ target }) => {
            setText(target.value)
            setAt(0)
            if (target.value === '' && value !== '') apply('')
          }}
          onBlur={() => setText(null)}
          onKeyDown={onKeyDown}
        />
        {value !== '' && text === null && (
          <IconButton
            icon="close"
            size="small"
            className="list-record-clear"
            label={t('{label} leeren', { label })}
            onClick={() => apply('')}
          />
        )}
        {/* Options never take focus: the text field keeps it and refers to the active one. */}
        <div id={listId} role="listbox" aria-label={label} className="list-record-hits" hidden={!isOpen}>
          {options.map((option, nr) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={option.value}
              id={`${listId}-${nr}`}
              role="option"
              aria-selected={nr === at}
              className="list-record-hit"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option.value)}
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
      </div>
      {named.isLoadingError && text === null && (
        <div className="list-record-fault" role="alert">
          {t('Der Name konnte nicht geladen werden.')}
          <Button
            variant="quiet"
            size="small"
            icon="refresh"
            busy={named.isFetching}
            onClick={() => void named.refetch()}
          >
            {t('Erneut versuchen')}
          </Button>
        </div>
      )}
    </div>
  )
}
