// A group of the menu folded to icons: its list opens to the side, on hover after a delay, on click and key
// press at once.
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { openBeside } from './open-beside.ts'

export interface FlyingGroupProps {
  readonly title: string
  /** The page that is open; another one closes the list. */
  readonly active: string
  readonly holdsActive: boolean
  readonly inside: ReactNode
  readonly list: ReactNode
}

/** Delay before a group opens on hover, and before it closes again. */
const HOVER_MS = 300

/** Whether a group's list is shown; it closes when another page becomes active. */
function useSideList(active: string) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const [seen, setSeen] = useState(active)
  if (seen !== active) {
    setSeen(active)
    setOpen(false)
  }
  const show = useCallback((wanted: boolean) => {
    clearTimeout(timer.current)
    setOpen(wanted)
  }, [])
  const later = (wanted: boolean) => (event: PointerEvent) => {
    // Touch has no hover: only a tap opens.
    if (event.pointerType !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(wanted), HOVER_MS)
  }
  return { open, show, later }
}

export function FlyingGroup({ title, active, holdsActive, inside, list: entries }: FlyingGroupProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { open, show, later } = useSideList(active)
  useEffect(() => {
    if (!open || !list.current || !button.current) return
    openBeside(list.current, button.current, 0)
    const element = list.current
    const onPress = (event: Event) => {
      if (event.target instanceof Node && !element.parentElement?.contains(event.target)) show(false)
    }
    document.addEventListener('pointerdown', onPress, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      if (element.matches(':popover-open')) element.hidePopover()
    }
  }, [open, show])
  const onKeyDown = (event: KeyboardEvent) => {
    const inList = list.current?.contains(event.target as Node) ?? false
    if (event.key === 'ArrowRight' && !inList) {
      show(true)
      // After it has been rendered.
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-menu-item]')?.focus())
    } else if ((event.key === 'ArrowLeft' || event.key === 'Escape') && open) {
      button.current?.focus()
      show(false)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // Handles hover and keys for the button and the list together.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onPointerEnter={later(true)}
      onPointerLeave={later(false)}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) show(false)
      }}
    >
      <button
        ref={button}
        type="button"
        data-menu-item
        className="sidebar-link"
        data-holds-active={holdsActive || undefined}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => show(!open)}
      >
        {inside}
      </button>
      <div ref={list} id={id} popover="manual" className="sidebar-flyout">
        <p className="sidebar-flyout-title" aria-hidden="true">
          {title}
        </p>
        {entries}
      </div>
    </li>
  )
}
