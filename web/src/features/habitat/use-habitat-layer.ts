// What a map of trees draws on: made as soon as the map stands, by code that is loaded with it, and taken away with it.
import { useEffect, useEffectEvent, useState } from 'react'
import type OlMap from 'ol/Map.js'
import type { SurfaceHandle } from '../../karte/Surface.tsx'

type Ol = typeof import('./ol-habitat.ts')

/**
 * @param onChoose what a press on the map, or the Enter key, chooses
 * @param art another one is made where this changes
 */
export function useHabitatLayer<Ebene extends { dispose: () => void }, Choice>(
  flaeche: SurfaceHandle | null,
  onChoose: (choice: Choice) => void,
  make: (ol: Ol, map: OlMap, choice: (choice: Choice) => void) => Ebene,
  art = '',
): Ebene | null {
  const [ebene, setLayer] = useState<Ebene | null>(null)
  const chosen = useEffectEvent(onChoose)
  const begin = useEffectEvent(make)
  useEffect(() => {
    if (flaeche === null) return
    let gone = false
    let made: Ebene | null = null
    void import('./ol-habitat.ts').then((ol) => {
      if (gone) return
      made = begin(ol, flaeche.map, (choice) => chosen(choice))
      setLayer(made)
    })
    return () => {
      gone = true
      made?.dispose()
      setLayer(null)
    }
  }, [flaeche, art])
  return ebene
}
