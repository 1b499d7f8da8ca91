// While the cells of a list are being changed: the line that says how, and the input in the open cell.
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { ApiError } from '../data/api-error.ts'
import { useSession } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { useLongest } from '../ui/longest.ts'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import type { CellOutcome, Cells, ListCells, OpenCell } from './cell-edit.ts'
import { besideCell, columnOf, focusCell, rowOf, watchCells } from './cell-grid.ts'
import './cells.css'

interface Opened {
  readonly cell: HTMLElement
  readonly open: OpenCell
}

const faultText = (error: unknown): string =>
  error instanceof ApiError
    ? error.message
    : t('Die Zelle konnte nicht geöffnet werden. Bitte noch einmal versuchen.')

/** `from`: the row where somebody pressed F2; its first cell is opened. */
export function CellMode({
  list: { load },
  card,
  from,
  onEnd,
}: {
  list: ListCells
  card: HTMLElement
  from: HTMLElement | null
  onEnd: () => void
}) {
  const client = useQueryClient()
  const { roles } = useSession()
  const [cells, setCells] = useState<Cells | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const fail = useEffectEvent((error: unknown) => toast.error(faultText(error)))
  const begin = useEffectEvent((cell: HTMLElement) => {
    if (!cells || opened) return
    cells.open(client, rowOf(cell), columnOf(cell)).then((open) => setOpened({ cell, open }), fail)
  })
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    load().then(setCells, fail)
  }, [load])
  useEffect(() => {
    if (!cells) return undefined
    const stop = watchCells(card, cells.columns(roles), { begin: (cell) => begin(cell), end: () => end() })
    const first = (from ?? card).querySelector<HTMLElement>('td[data-cell]')
    focusCell(card, first)
    if (from && first) begin(first)
    return stop
  }, [cells, card, roles, from])
  const close = (next?: HTMLElement) => {
    focusCell(card, next ?? opened?.cell)
    setOpened(null)
  }
  return (
    <>
      <p className="cell-hint">
        <span>
          {t(
            'Doppelklick, F2 oder Enter öffnet eine Zelle, Esc verwirft. Jede Änderung wird gleich gespeichert.',
          )}
        </span>
        <Button size="small" onClick={onEnd}>
          {t('Fertig')}
        </Button>
      </p>
      {opened?.cell.isConnected && createPortal(<CellInput {...opened} onClose={close} />, opened.cell)}
    </>
  )
}

/** Left while it was being saved. */
function useGone() {
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  return gone
}

function CellInput({ cell, open, onClose }: Opened & { onClose: (next?: HTMLElement) => void }) {
  const [text, setText] = useState(open.text)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const [dialog, setDialog] = useState<ReactNode>(null)
  const [id, faultId] = [useId(), useId()]
  const longest = useLongest<HTMLInputElement>(id, open.maxLength, undefined)
  const told = fault === '' ? (longest.fault ?? '') : fault
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null)
  useEffect(() => {
    field.current?.focus()
    if (field.current instanceof HTMLInputElement) field.current.select()
  }, [])
  /** The focus leaves the input when it is over too, which must not save once more. */
  const over = useRef(false)
  const close = (next?: HTMLElement) => {
    over.current = true
    onClose(next)
  }
  const gone = useGone()
  const settle = (outcome: CellOutcome, next?: HTMLElement) => {
    if (gone.current && (outcome.kind === 'refused' || outcome.kind === 'disputed')) {
      const why = outcome.kind === 'refused' ? outcome.fault : t('Jemand hat das Feld inzwischen geändert.')
      toast.error(t('{label} ist nicht gespeichert: {why}', { label: open.label, why }))
      return
    }
    setBusy(false)
    setDialog(null)
    if (outcome.kind === 'refused') {
      setFault(outcome.fault)
      field.current?.focus()
    } else if (outcome.kind === 'disputed')
      setDialog(
        outcome.dialog((decided) => {
          if (decided) void decided.then((last) => settle(last, next))
          else setDialog(null)
        }),
      )
    else {
      if (outcome.kind === 'saved') toast.undo(t('{label} geändert.', { label: open.label }), outcome.undo)
      close(next)
    }
  }
  const save = (next?: HTMLElement): void => {
    if (busy) return
    if (text === open.text) return close(next)
    if (longest.fault !== undefined) return field.current?.focus()
    setBusy(true)
    void open.save(text).then((outcome) => settle(outcome, next))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    // What is under way can no longer be given up, and may be refused.
    if (event.key === 'Escape') {
      if (!busy) close()
    } else if (event.key === 'Enter') save()
    else if (event.key === 'Tab') save(besideCell(cell, event.shiftKey ? 'ArrowLeft' : 'ArrowRight'))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const common = {
    ref: field,
    className: 'input',
    'aria-label': open.label,
    'aria-invalid': told !== '',
    'aria-describedby': told === '' ? undefined : faultId,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => {
      setText(target.value)
      setFault('')
    },
    onKeyDown,
    // A faulty value stays until it is right or given up.
    onBlur: () => !over.current && told === '' && dialog === null && save(),
  }
  return (
    <span className="cell-editor">
      {open.options ? (
        <select {...common}>
          {open.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input {...common} {...longest.limits} id={id} inputMode={open.inputMode} autoComplete="off" />
      )}
      <span id={faultId} role="alert" className="cell-fault">
        {told}
      </span>
      {dialog}
    </span>
  )
}
