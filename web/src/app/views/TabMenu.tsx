// Context menu of a tab: opens at the pointer; a click elsewhere, scrolling or Escape closes it. Another
// right click reopens it at the new place.
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { t } from '../../ui/text.ts'
import { placeMenu } from './pane.ts'
import type { TabEvent } from './use-views.ts'

interface TabMenuProps {
  bar: RefObject<HTMLElement | null>
  at: { x: number; y: number }
  label: string
  pinned: boolean
  onAct: (kind: TabEvent['kind']) => void
  onClose: () => void
}

export function TabMenu({ bar, at, label, pinned, onAct, onClose }: TabMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const closing = useRef(onClose)
  useEffect(() => {
    closing.current = onClose
  })
  useLayoutEffect(() => {
    const element = menu.current
    if (!element || !bar.current) return
    element.showPopover()
    const { left, width } = bar.current.getBoundingClientRect()
    const place = placeMenu(
      at,
      { left, width },
      { width: element.offsetWidth, height: element.offsetHeight },
      { width: window.innerWidth, height: window.innerHeight },
    )
    element.style.left = `${place.left}px`
    element.style.top = `${place.top}px`
  }, [bar, at])
  useEffect(() => {
    const before = document.activeElement
    itemsOf(menu.current)[0]?.focus({ preventScroll: true })
    const close = () => closing.current()
    const onPress = (event: Event) => {
      if (!(event.target instanceof Node) || !menu.current?.contains(event.target)) close()
    }
    // In the capture phase, to see every click and scroll even if its target stops propagation.
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('scroll', close, true)
    window.addEventListener('blur', close)
    window.addEventListener('resize', close)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('scroll', close, true)
      window.removeEventListener('blur', close)
      window.removeEventListener('resize', close)
      if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body)
        before.focus({ preventScroll: true })
    }
  }, [])
  const items: readonly (readonly [kind: TabEvent['kind'], text: string])[] = [
    ['refresh', t('Aktualisieren')],
    ...(pinned ? [] : [['close', t('Schließen')] as const]),
    ['closeOthers', t('Andere schließen')],
    ['closeAll', t('Alle schließen')],
  ]
  return (
    <div
      ref={menu}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="tab-menu"
      onKeyDown={(event) => onKey(event, menu.current, onClose)}
      onContextMenu={(event) => event.preventDefault()}
    >
      {items.map(([kind, text]) => (
        <button
          key={kind}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose()
            onAct(kind)
          }}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

const itemsOf = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
]

/** The Tab key wraps around: only choosing an entry or Escape leaves the menu. */
function onKey(event: KeyboardEvent, menu: HTMLElement | null, onClose: () => void) {
  const items = itemsOf(menu)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const step = event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const to =
    step === undefined
      ? { Home: 0, End: items.length - 1 }[event.key]
      : (at + step + items.length) % items.length
  if (event.key !== 'Escape' && to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (to === undefined) onClose()
  else items[to]?.focus()
}
