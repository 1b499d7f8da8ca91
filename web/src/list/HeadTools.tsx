// Moves and widens columns at the head of the table: by dragging (head-drag.ts) and by keys on its buttons.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { keyOfEntry } from '../ui/column-choice.ts'
import { t } from '../ui/text.ts'
import { type Entries, moveColumn, setWidth, WIDTH_STEP } from './arrange-columns.ts'
import { headsOf, watchHead } from './head-drag.ts'
import type { ListColumn } from './list.ts'

interface HeadToolsProps<Row> {
  columns: readonly ListColumn<Row>[]
  entries: Entries
  onChange: (entries: Entries) => void
}

/** Keeps the focus on a column that is drawn at another place. */
function focusWhenMoved(card: HTMLElement, key: string, at: number, tries = 30) {
  const head = headsOf(card)[at]
  if (head?.dataset['key'] === key) head.querySelector('button')?.focus()
  else if (tries > 0) requestAnimationFrame(() => focusWhenMoved(card, key, at, tries - 1))
}

export function HeadTools<Row>({ columns, entries, onChange }: HeadToolsProps<Row>) {
  const place = useRef<HTMLOutputElement>(null)
  const [said, setSaid] = useState('')
  const titleOf = (key: string) => columns.find((column) => column.key === key)?.title ?? ''
  /** The columns in sight, which may be fewer than were chosen where room is scarce. */
  const inSight = (card: HTMLElement): Entries =>
    headsOf(card)
      .map((head) => head.dataset['key'] ?? '')
      .map((key) => entries.find((entry) => keyOfEntry(entry) === key) ?? key)
  const move = useEffectEvent((card: HTMLElement, key: string, to: number) => {
    const present = inSight(card)
    const next = moveColumn(present, key, to)
    if (next === present) return
    const at = next.findIndex((entry) => keyOfEntry(entry) === key)
    onChange(next)
    setSaid(t('{title}: Spalte {n} von {all}', { title: titleOf(key), n: at + 1, all: next.length }))
    if (card.contains(document.activeElement)) focusWhenMoved(card, key, at)
  })
  const widen = useEffectEvent((card: HTMLElement, key: string, width: number | undefined) => {
    onChange(setWidth(inSight(card), key, width))
    setSaid(
      width === undefined
        ? t('{title}: Breite nach Inhalt', { title: titleOf(key) })
        : t('{title}: {n} Pixel breit', { title: titleOf(key), n: Math.round(width) }),
    )
  })
  const onKey = useEffectEvent((card: HTMLElement, event: KeyboardEvent) => {
    const head =
      event.target instanceof Element ? event.target.closest<HTMLElement>('thead th[data-key]') : null
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!head || step === undefined || !event.shiftKey || event.altKey || event.metaKey) return
    event.preventDefault()
    const key = head.dataset['key'] ?? ''
    if (event.ctrlKey) move(card, key, headsOf(card).indexOf(head) + step)
    else widen(card, key, head.offsetWidth + step * WIDTH_STEP)
  })
  useEffect(() => {
    const card = place.current?.closest<HTMLElement>('.card-body')
    if (!card) return undefined
    const stop = watchHead(card, {
      move: (key, to) => move(card, key, to),
      width: (key, width) => widen(card, key, width),
    })
    const listener = (event: KeyboardEvent) => onKey(card, event)
    card.addEventListener('keydown', listener)
    return () => {
      stop()
      card.removeEventListener('keydown', listener)
    }
  }, [])
  return (
    <output ref={place} className="visually-hidden">
      {said}
    </output>
  )
}
