// HTML has no element for a list below a text field.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
// The only input of the grid, placed in the cell being edited. Suggests templates below a description.
import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { formatEuro } from '#domain/geld.ts'
import { placeBeside } from '../../../ui/place.ts'
import { t } from '../../../ui/text.ts'
import type { Column } from './grid.ts'
import { isNumberField, KINDS } from './line.ts'
import { positionKindText } from './position-words.ts'
import { findTemplates } from './templates.ts'

interface Props {
  spalte: Column
  label: string
  text: string
  units: string
  templates: readonly PositionTemplate[]
  faulty: string | undefined
  onText: (text: string) => void
  onLeave: () => void
  onTemplate: (template: PositionTemplate) => void
}

export function CellInput(props: Props) {
  const { spalte, label, text, units, faulty, onText, onLeave } = props
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  useLayoutEffect(() => {
    const field = input.current
    field?.focus({ preventScroll: true })
    if (field instanceof HTMLInputElement) field.setSelectionRange(field.value.length, field.value.length)
  }, [])
  const common = {
    ref: input,
    className: 'pos-input',
    'aria-label': label,
    'aria-invalid': faulty !== undefined || undefined,
    'aria-describedby': faulty,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => onText(target.value),
    onBlur: onLeave,
  } as const
  if (spalte === 'art')
    return (
      <select {...common}>
        {KINDS.map((art) => (
          <option key={art} value={art}>
            {positionKindText(art)}
          </option>
        ))}
      </select>
    )
  if (spalte === 'bez') return <DescriptionInput {...props} common={common} />
  return (
    <input
      {...common}
      type="text"
      autoComplete="off"
      inputMode={isNumberField(spalte) ? 'decimal' : undefined}
      list={spalte === 'einheit' ? units : undefined}
    />
  )
}

function DescriptionInput({
  label,
  text,
  templates,
  onTemplate,
  common,
}: Props & {
  common: Omit<React.ComponentProps<'input'>, 'ref'> & {
    ref: React.RefObject<(HTMLInputElement & HTMLSelectElement) | null>
  }
}) {
  const listId = useId()
  const [at, setAt] = useState(-1)
  const [typed, setTyped] = useState(false)
  // Deferred, so that the letter appears before its matches.
  const asked = useDeferredValue(text)
  const hits = typed ? findTemplates(templates, asked) : []
  const isOpen = hits.length > 0
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = list.current
    if (!box || !isOpen || !common.ref.current) return
    box.showPopover()
    placeBeside(box, common.ref.current)
    return () => {
      if (box.matches(':popover-open')) box.hidePopover()
    }
  }, [isOpen, hits.length, common.ref])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'ArrowDown') setAt((at + 1) % hits.length)
    else if (event.key === 'ArrowUp' && at >= 0) setAt(at - 1)
    else if (event.key === 'Escape') setTyped(false)
    else if (event.key === 'Enter' && hits[at]) onTemplate(hits[at])
    else return
    // Otherwise the grid would move to the next line.
    event.stopPropagation()
    event.preventDefault()
  }
  return (
    <>
      <input
        {...common}
        type="text"
        autoComplete="off"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && hits[at] ? `${listId}-${at}` : undefined}
        onChange={(event) => {
          setTyped(true)
          setAt(-1)
          common.onChange?.(event)
        }}
        onKeyDown={onKeyDown}
      />
      <TemplateHits ref={list} id={listId} label={label} hits={hits} at={at} onTake={onTemplate} />
    </>
  )
}

/** The text field keeps the focus and references the active entry. */
function TemplateHits({
  ref,
  id,
  label,
  hits,
  at,
  onTake,
}: {
  ref: React.Ref<HTMLDivElement>
  id: string
  label: string
  hits: readonly PositionTemplate[]
  /** The active entry; -1 for none. */
  at: number
  onTake: (template: PositionTemplate) => void
}) {
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label={t('Vorlagen für {label}', { label })}
      popover="manual"
      className="pos-hits"
    >
      {hits.map((template, nr) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={template.id}
          id={`${id}-${nr}`}
          role="option"
          aria-selected={nr === at}
          className="pos-hit"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(template)}
        >
          <span>{template.bez}</span>
          <span className="soft nums">
            {formatEuro(template.ep)}
            {template.einheit === '' ? '' : ` / ${template.einheit}`}
          </span>
        </div>
      ))}
    </div>
  )
}
