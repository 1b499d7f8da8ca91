// HTML has no element for a list below a text field.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
// The only input of the grid, placed in the cell being edited. Suggests templates below a description, and units.
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
import { findUnits } from './unit-hits.ts'

interface Props {
  spalte: Column
  label: string
  text: string
  templates: readonly PositionTemplate[]
  faulty: string | undefined
  onText: (text: string) => void
  onLeave: () => void
  onTemplate: (template: PositionTemplate) => void
  onUnit: (unit: string) => void
}

export function CellInput(props: Props) {
  const { spalte, label, text, faulty, onText, onLeave } = props
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
  if (spalte === 'einheit') return <UnitInput {...props} common={common} />
  return (
    <input
      {...common}
      type="text"
      autoComplete="off"
      inputMode={isNumberField(spalte) ? 'decimal' : undefined}
    />
  )
}

interface Common extends Omit<React.ComponentProps<'input'>, 'ref'> {
  ref: React.RefObject<(HTMLInputElement & HTMLSelectElement) | null>
}
interface Hit {
  readonly key: string | number
  readonly text: string
  readonly beside: string
  readonly take: () => void
}

function DescriptionInput({ label, text, templates, onTemplate, common }: Props & { common: Common }) {
  const hitsOf = (asked: string): Hit[] =>
    findTemplates(templates, asked).map((template) => ({
      key: template.id,
      text: template.bez,
      beside: formatEuro(template.ep) + (template.einheit === '' ? '' : ` / ${template.einheit}`),
      take: () => onTemplate(template),
    }))
  return (
    <SuggestInput
      text={text}
      hitsOf={hitsOf}
      listLabel={t('Vorlagen für {label}', { label })}
      common={common}
    />
  )
}

/** An empty cell offers its units at once. */
function UnitInput({ label, text, onUnit, common }: Props & { common: Common }) {
  const hitsOf = (asked: string): Hit[] =>
    findUnits(asked).map((unit) => ({ key: unit, text: unit, beside: '', take: () => onUnit(unit) }))
  return (
    <SuggestInput
      text={text}
      hitsOf={hitsOf}
      isOpenAtOnce
      listLabel={t('Einheiten für {label}', { label })}
      common={common}
    />
  )
}

function SuggestInput({
  text,
  hitsOf,
  isOpenAtOnce = false,
  listLabel,
  common,
}: {
  text: string
  hitsOf: (asked: string) => Hit[]
  /** Otherwise from the first key on. */
  isOpenAtOnce?: boolean
  listLabel: string
  common: Common
}) {
  const listId = useId()
  const [at, setAt] = useState(-1)
  const [offers, setOffers] = useState(isOpenAtOnce)
  // Deferred, so that the letter appears before its matches.
  const asked = useDeferredValue(text)
  const hits = offers ? hitsOf(asked) : []
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
  useEffect(() => {
    // Newer browsers answer a promise, which an effect must not return.
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'ArrowDown') setAt((at + 1) % hits.length)
    else if (event.key === 'ArrowUp' && at >= 0) setAt(at - 1)
    else if (event.key === 'Escape') setOffers(false)
    else if (event.key === 'Enter' && hits[at]) hits[at].take()
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
          setOffers(true)
          setAt(-1)
          common.onChange?.(event)
        }}
        onKeyDown={onKeyDown}
      />
      <Hits ref={list} id={listId} label={listLabel} hits={hits} at={at} />
    </>
  )
}

/** The text field keeps the focus and references the active entry. */
function Hits({
  ref,
  id,
  label,
  hits,
  at,
}: {
  ref: React.Ref<HTMLDivElement>
  id: string
  label: string
  hits: readonly Hit[]
  /** The active entry; -1 for none. */
  at: number
}) {
  return (
    <div ref={ref} id={id} role="listbox" aria-label={label} popover="manual" className="pos-hits">
      {hits.map(({ key, text, beside, take }, nr) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={key}
          id={`${id}-${nr}`}
          role="option"
          aria-selected={nr === at}
          className="pos-hit"
          onMouseDown={(event) => event.preventDefault()}
          onClick={take}
        >
          <span>{text}</span>
          {beside !== '' && <span className="soft nums">{beside}</span>}
        </div>
      ))}
    </div>
  )
}
