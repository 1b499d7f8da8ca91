// The layer of a tree map: created as soon as the map is ready, by code loaded with it, and removed with it.
import { useEffect, useEffectEvent, useState } from 'react'
import type OlMap from 'ol/Map.js'
import type { SurfaceHandle } from '../../karte/Surface.tsx'

type Ol = typeof import('./ol-habitat.ts')

/**
 * @param onChoose called with what a click on the map, or the Enter key, selects
 * @param art creates a new layer whenever it changes
 */
export function useHabitatLayer<Ebene extends { dispose: () => void }, Choice>(
  area: SurfaceHandle | null,
  onChoose: (choice: Choice) => void,
  make: (ol: Ol, map: OlMap, choice: (choice: Choice) => void) => Ebene,
  art = '',
): Ebene | null {
  const [level, setLayer] = useState<Ebene | null>(null)
  const chosen = useEffectEvent(onChoose)
  const begin = useEffectEvent(make)
  useEffect(() => {
    if (area === null) return
    let gone = false
    let made: Ebene | null = null
    void import('./ol-habitat.ts').then((ol) => {
      if (gone) return
      made = begin(ol, area.map, (choice) => chosen(choice))
      setLayer(made)
    })
    return () => {
      gone = true
      made?.dispose()
      setLayer(null)
    }
  }, [area, art])
  return level
}
