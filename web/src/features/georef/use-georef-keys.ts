// Keyboard shortcuts of the georeferencer: save, undo and redo everywhere; the others only where no text is
// being typed.
import { useEffect, useEffectEvent } from 'react'
import { useView } from '../../ui/view.tsx'
import type { GeorefContext } from './georef-context.ts'
import { cancel, chosenPoint, perform, redoNext, undo } from './georef-store.ts'

type SurfaceKey = 'enter' | ' ' | 'delete'

export function useGeorefKeys(georef: GeorefContext): void {
  const view = useView()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (view.isHidden() || event.defaultPrevented || document.querySelector('dialog[open]')) return
    if (takeKey(georef, event)) event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** False if the key means nothing here. */
function takeKey(georef: GeorefContext, event: KeyboardEvent): boolean {
  const { store } = georef
  const target = event.target as HTMLElement
  const key = event.key.toLowerCase()
  const typing = target.matches(
    'input:not([type="checkbox"], [type="range"], [type="radio"]), textarea, select',
  )
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    const act = withControl(georef, key, event.shiftKey, typing)
    act?.()
    return act !== undefined
  }
  if (typing || event.altKey) return false
  if (key === 'escape') {
    store.change(cancel)
    return true
  }
  if (key === 'n') {
    store.change((now) => ({ ...now, placing: !now.placing }))
    return true
  }
  const pane = target.closest<HTMLElement>('[data-flaeche]')
  const onPane = pane !== null && target.classList.contains('flaeche-bild')
  if (!onPane || (key !== 'enter' && key !== ' ' && key !== 'delete')) return false
  return keyOnSurface(georef, key, pane.dataset['flaeche'] === 'scan' ? 'scan' : 'karte')
}

function withControl(
  { store, saver }: GeorefContext,
  key: string,
  shift: boolean,
  typing: boolean,
): (() => void) | undefined {
  if (key === 's')
    return () => {
      if (saver.dirty) void saver.save()
    }
  if (typing) return undefined
  if (key === 'y' || (key === 'z' && shift)) return () => store.change(redoNext)
  return key === 'z' ? () => store.change(undo) : undefined
}

/** Enter sets a point in the middle, space switches the selected point, delete deletes it. */
function keyOnSurface(
  { store, surfaces, handlers }: GeorefContext,
  key: SurfaceKey,
  where: 'scan' | 'karte',
): boolean {
  const state = store.get()
  if (key === 'enter') {
    const ort = (where === 'scan' ? surfaces.scanLayer : surfaces.karteLayer)?.center()
    if (!state.placing || !ort) return false
    if (where === 'scan') handlers.current?.placeOnScan(ort)
    else handlers.current?.placeOnKarte(ort)
    return true
  }
  const point = chosenPoint(state)
  if (point === null) return false
  const { id, enable } = point
  if (key === ' ') store.change((now) => perform(now, { art: 'benutzen', ids: [id], enable: !enable }))
  else handlers.current?.remove([id])
  return true
}
