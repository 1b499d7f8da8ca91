// Keys of the georeferencer: save, take back and do again everywhere; the others where nothing is being typed.
import { useEffect, useEffectEvent } from 'react'
import { useView } from '../../ui/view.tsx'

export interface Tasten {
  readonly speichern: () => void
  readonly zurueck: () => void
  readonly wieder: () => void
  readonly abbrechen: () => void
  readonly setzen: () => void
  /** Enter, space and delete on one of the panes; false: there is nothing to do it to. */
  readonly aufFlaeche: (taste: 'enter' | ' ' | 'delete', wo: 'scan' | 'karte') => boolean
}

export function useTasten(tasten: Tasten): void {
  const view = useView()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (view.isHidden() || event.defaultPrevented || document.querySelector('dialog[open]')) return
    const target = event.target as HTMLElement
    const key = event.key.toLowerCase()
    const typing = target.matches('input:not([type="checkbox"], [type="range"], [type="radio"]), textarea, select')
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const act =
        key === 's'
          ? tasten.speichern
          : typing
            ? undefined
            : key === 'z'
              ? event.shiftKey
                ? tasten.wieder
                : tasten.zurueck
              : key === 'y'
                ? tasten.wieder
                : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
      return
    }
    if (typing || event.altKey) return
    const pane = target.closest<HTMLElement>('[data-flaeche]')
    const onPane = pane !== null && target.classList.contains('flaeche-bild')
    if (key === 'escape') tasten.abbrechen()
    else if (key === 'n') tasten.setzen()
    else if (onPane && (key === 'enter' || key === ' ' || key === 'delete')) {
      if (!tasten.aufFlaeche(key, pane.dataset['flaeche'] === 'scan' ? 'scan' : 'karte')) return
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
