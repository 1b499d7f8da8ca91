// A text in which people are named: after an @ the list of those who may read the note opens below it. Arrow keys
// choose, Enter or Tab takes over, Escape closes; the focus stays in the text.
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select cannot open at a text */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { NOTE_TEXT_LENGTH, type NotePerson, type NoteRecord } from '#contract/note.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { useLongest } from '../../ui/longest.ts'
import { t } from '../../ui/text.ts'
import { notePeople } from './note.data.ts'
import { mentionAt, withMention } from './note-text.ts'

interface Props {
  record: NoteRecord
  label: string
  value: string
  onValue: (value: string) => void
  onPerson: (person: NotePerson) => void
  /** The customer's people are offered as well. */
  forKunde: boolean
  error: string | undefined
  onSubmit: () => void
  isFocused?: boolean
  /** Beside the button that names somebody. */
  children: ReactNode
}

export function MentionField(props: Props) {
  const { label, value, onValue, error, isFocused = false, children } = props
  const id = useId()
  const { fault, limits } = useLongest<HTMLTextAreaElement>(id, NOTE_TEXT_LENGTH, undefined)
  const picker = usePicker({ ...props, isTooLong: fault !== undefined })
  const { area, list, people, active, isLate } = picker
  useEffect(() => {
    if (isFocused) area.current?.focus()
  }, [isFocused, area])
  return (
    <div className="note-field">
      <Field label={label} error={error ?? fault} id={id}>
        {(tied) => (
          <textarea
            {...tied}
            {...limits}
            ref={area}
            className="input"
            rows={3}
            value={value}
            aria-autocomplete="list"
            aria-controls={people.length > 0 ? list : undefined}
            aria-activedescendant={people.length > 0 && !isLate ? `${list}-${active}` : undefined}
            onChange={({ target }) => {
              onValue(target.value)
              picker.look(target.value, target.selectionStart)
            }}
            onClick={({ currentTarget }) => picker.look(value, currentTarget.selectionStart)}
            onKeyDown={picker.onKeyDown}
            onBlur={picker.close}
          />
        )}
      </Field>
      {people.length > 0 && (
        <div id={list} role="listbox" tabIndex={-1} aria-label={t('Personen')} className="note-people">
          {people.map((person, at) => (
            // The keys are handled in the text, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={person.user_id}
              id={`${list}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              aria-disabled={isLate}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => isLate || picker.take(person)}
            >
              <span>{person.name}</span>
              {!person.anbieter && <span className="soft">{t('Kunde')}</span>}
            </div>
          ))}
        </div>
      )}
      <output className="visually-hidden">{picker.announced}</output>
      <div className="note-tools">
        <Button size="small" onClick={picker.begin}>
          {t('@ Person erwähnen')}
        </Button>
        {children}
      </div>
    </div>
  )
}

interface PickerOptions extends Props {
  isTooLong: boolean
}
function usePicker({ record, value, onValue, onPerson, forKunde, onSubmit, isTooLong }: PickerOptions) {
  const area = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const [typed, setTyped] = useState<ReturnType<typeof mentionAt>>(null)
  const [active, setActive] = useState(0)
  const caret = useRef<number | null>(null)
  const found = useQuery(notePeople(record, forKunde, typed?.search ?? null))
  const people = typed === null ? [] : (found.data ?? [])
  /** The people in sight are those of an earlier text: none of them is meant. */
  const isLate = found.isPlaceholderData
  const client = useQueryClient()
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  }, [value])
  useEffect(() => {
    // After the new text is shown; before, the browser would move it to the end.
    if (caret.current !== null) area.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [value])

  const look = (text: string, at: number) => {
    setTyped(mentionAt(text, at))
    setActive(0)
  }
  const replace = (text: string, at: number) => {
    caret.current = at
    onValue(text)
    setTyped(null)
  }
  const take = (person: NotePerson) => {
    if (typed === null) return
    const end = typed.start + 1 + typed.search.length
    const next = withMention(value, { start: typed.start, caret: end, name: person.name })
    replace(next.text, next.caret)
    onPerson(person)
  }
  /** Waits for the people of what is typed; if there are none, Enter is a line break after all. */
  const takeFirst = async (key: string) => {
    if (typed === null) return
    const wanted = notePeople(record, forKunde, typed.search)
    const [person] = await client.ensureQueryData(wanted).catch(() => [])
    if (latest.current !== value) return
    const end = typed.start + 1 + typed.search.length
    if (person !== undefined) take(person)
    else if (key === 'Enter') replace(`${value.slice(0, end)}\n${value.slice(end)}`, end + 1)
  }
  const begin = () => {
    const at = area.current?.selectionStart ?? value.length
    const before = value.slice(0, at)
    const start = before === '' || /[\s(]$/.test(before) ? `${before}@` : `${before} @`
    caret.current = start.length
    onValue(start + value.slice(at))
    setTyped({ start: start.length - 1, search: '' })
    setActive(0)
    area.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return isTooLong ? undefined : onSubmit()
    const person = people[active]
    if (person === undefined) return undefined
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && !['Enter', 'Tab', 'Escape'].includes(event.key)) return undefined
    event.preventDefault()
    // An Escape here closes the list and nothing around it.
    event.stopPropagation()
    if (event.key === 'Escape') setTyped(null)
    else if (isLate) void (step === undefined && takeFirst(event.key))
    else if (step !== undefined) setActive((active + step + people.length) % people.length)
    else take(person)
    return undefined
  }
  const announced =
    typed === null || found.data === undefined
      ? ''
      : people.length === 0
        ? t('Niemand gefunden, der diese Notiz lesen kann.')
        : people.length === 1
          ? t('1 Person. Mit Enter übernehmen.')
          : t('{n} Personen. Mit den Pfeiltasten wählen, mit Enter übernehmen.', { n: people.length })
  return {
    area,
    list,
    people,
    active,
    isLate,
    announced,
    look,
    take,
    begin,
    onKeyDown,
    close: () => setTyped(null),
  }
}
