// Keyboard shortcuts of the georeferencer: save, undo and redo everywhere; the others only where no text is
// being typed.
import { useEffect, useEffectEvent } from 'react'
import { useView } from '../../ui/view.tsx'

export interface KeyActions {
  readonly save: () => void
  readonly zurueck: () => void
  readonly redo: () => void
  readonly cancel: () => void
  readonly setPoint: () => void
  /** Enter, space and delete on one of the panes; false if there is nothing to act on. */
  readonly keyOnSurface: (pressedKey: 'enter' | ' ' | 'delete', where: 'scan' | 'karte') => boolean
}

export function useGeorefKeys(keyActions: KeyActions): void {
  const view = useView()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (view.isHidden() || event.defaultPrevented || document.querySelector('dialog[open]')) return
    const target = event.target as HTMLElement
    const key = event.key.toLowerCase()
    const typing = target.matches(
      'input:not([type="checkbox"], [type="range"], [type="radio"]), textarea, select',
    )
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const act =
        key === 's'
          ? keyActions.save
          : typing
            ? undefined
            : key === 'z'
              ? event.shiftKey
                ? keyActions.redo
                : keyActions.zurueck
              : key === 'y'
                ? keyActions.redo
                : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
      return
    }
    if (typing || event.altKey) return
    const pane = target.closest<HTMLElement>('[data-flaeche]')
    const onPane = pane !== null && target.classList.contains('flaeche-bild')
    if (key === 'escape') keyActions.cancel()
    else if (key === 'n') keyActions.setPoint()
    else if (onPane && (key === 'enter' || key === ' ' || key === 'delete')) {
      if (!keyActions.keyOnSurface(key, pane.dataset['flaeche'] === 'scan' ? 'scan' : 'karte')) return
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
