// The map of a survey: loads OpenLayers, draws objects and plans, and takes clicks, keys and measurements.
import type { Coordinate } from 'ol/coordinate.js'
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KatasterFilter, ObjectKind } from '#contract/kataster-tile.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { usePicked } from '../../ui/store.ts'
import { boxOf, type ObjectRecord, type ObjectTarget, targetText } from './kataster.data.ts'
import { countVisible, isOutOfSight, type KatasterStore, showFinding, stop } from './kataster-store.ts'
import type { Finding, MeasuringTool, VermessungsLayer } from './ol-kataster.ts'

type Ol = typeof import('./ol-kataster.ts')
interface Loaded {
  readonly ol: Ol
  readonly flaeche: SurfaceHandle
  readonly ebene: VermessungsLayer
}
interface Shown {
  readonly kunde: number
  readonly filter: KatasterFilter
  readonly hidden: ReadonlySet<ObjectKind>
  readonly target: ObjectTarget | null
}
export interface KatasterMap {
  readonly onReady: (area: SurfaceHandle) => undefined
  /** Null until it is loaded. */
  readonly map: SurfaceHandle['map'] | null
  /** Requests the tiles again. */
  readonly reload: () => void
  readonly zoomTo: (coordinates: ObjectRecord['g3857']['coordinates']) => void
}

/** `onTarget` gets the object at a click; undefined if there is none. */
export function useKatasterMap(
  store: KatasterStore,
  { kunde, filter, hidden, target }: Shown,
  onTarget: (target: ObjectTarget | undefined) => void,
): KatasterMap {
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const measuring = useMeasuring(loaded, store)
  const begin = useEffectEvent((ol: Ol, surface: SurfaceHandle): Loaded => {
    const onError = () => store.change((now) => ({ ...now, missing: now.missing + 1 }))
    const level = ol.vermessungsLayer(surface.map, kunde, filter, onError)
    return { ol, flaeche: surface, ebene: level }
  })
  const choose = useEffectEvent(onTarget)
  useEffect(() => {
    if (area === null) return
    let gone = false
    let end: (() => void) | null = null
    void import('./ol-kataster.ts').then((ol) => {
      if (gone) return
      const made = begin(ol, area)
      setLoaded(made)
      end = listen(made, store, measuring, (found) => choose(found))
    })
    return () => {
      gone = true
      end?.()
    }
  }, [area, store, measuring])
  useEffect(() => loaded?.ebene.display(hidden, target), [loaded, hidden, target])
  useFilter(loaded, filter)
  usePlans(loaded, store)
  return {
    onReady: (made) => {
      setSurface(made)
      return undefined
    },
    map: loaded?.flaeche.map ?? null,
    reload: () => {
      store.change((now) => ({ ...now, missing: 0 }))
      loaded?.ebene.applyFilter(filter)
    },
    zoomTo: useCallback((coordinates) => loaded && fit(loaded.flaeche.map, coordinates), [loaded]),
  }
}

const fit = (map: SurfaceHandle['map'], coordinates: Parameters<typeof boxOf>[0]): void =>
  map.getView().fit([...boxOf(coordinates)], { maxZoom: 18, padding: [60, 60, 60, 60], duration: 250 })

/** Clicks and keys on the map; returns what ends them. */
function listen(
  { flaeche, ebene }: Loaded,
  store: KatasterStore,
  measuring: RefObject<MeasuringTool | null>,
  onTarget: (target: ObjectTarget | undefined) => void,
): () => void {
  const { map } = flaeche
  const element = map.getTargetElement()
  const identify = (found: Finding) => {
    if ('haufen' in found) {
      const view = map.getView()
      view.animate({ center: found.haufen, zoom: Math.min(20, (view.getZoom() ?? 10) + 2), duration: 250 })
      return
    }
    store.change((now) => showFinding(now, found.objekte))
    if (found.objekte.length <= 1) onTarget(found.objekte[0])
  }
  const ask = async (place: () => Coordinate): Promise<void> => {
    const found = await ebene.suche(place)
    if (found !== null) identify(found)
  }
  const onKey = (event: KeyboardEvent) => {
    const middle = map.getView().getCenter()
    if (middle === undefined) return
    if (event.key === 'Escape') store.change(stop)
    else if (event.key === 'Enter' && store.get().tool === 'zeigen')
      void ask(() => map.getView().getCenter() ?? middle)
    else if (event.key === 'Enter' && event.ctrlKey) measuring.current?.fertig()
    else if (event.key === 'Enter') measuring.current?.addCorner(middle)
    else if (event.key === 'Backspace') measuring.current?.zurueck()
    else return
    event.preventDefault()
  }
  element?.addEventListener('keydown', onKey)
  map.on('singleclick', ({ coordinate }) => {
    if (store.get().tool === 'zeigen') void ask(() => coordinate)
  })
  map.on('rendercomplete', () => store.change((now) => countVisible(now, ebene.anzahl())))
  return () => element?.removeEventListener('keydown', onKey)
}

function useFilter(loaded: Loaded | null, filter: KatasterFilter): void {
  const text = JSON.stringify(filter)
  const drawn = useRef(text)
  useEffect(() => {
    if (!loaded || drawn.current === text) return
    drawn.current = text
    loaded.ebene.applyFilter(JSON.parse(text) as KatasterFilter)
  }, [loaded, text])
}

function useMeasuring(loaded: Loaded | null, store: KatasterStore): RefObject<MeasuringTool | null> {
  const tool = usePicked(store, (state) => state.tool)
  const measuring = useRef<MeasuringTool | null>(null)
  useEffect(() => {
    if (!loaded || tool === 'zeigen') return
    const running = loaded.ol.measure(loaded.flaeche.map, tool, (measurement) =>
      store.change((now) => ({ ...now, measurement })),
    )
    measuring.current = running
    return () => {
      measuring.current = null
      running.ende()
    }
  }, [loaded, tool, store])
  return measuring
}

/** Adds and removes layers so that they match the plans that are switched on. */
function usePlans(loaded: Loaded | null, store: KatasterStore): void {
  const plans = usePicked(store, (state) => state.plans)
  const overlays = useRef(new Map<string, ReturnType<Ol['planLayer']>>())
  useEffect(() => {
    if (!loaded) return
    const shown = overlays.current
    for (const [key, layer] of shown)
      if (!plans.some((plan) => plan.key === key)) {
        loaded.flaeche.map.removeLayer(layer)
        shown.delete(key)
      }
    for (const { key, kachel, opacity } of plans) {
      const layer = shown.get(key)
      if (layer) layer.setOpacity(opacity)
      else {
        const made = loaded.ol.planLayer(kachel, opacity)
        shown.set(key, made)
        loaded.flaeche.map.addLayer(made)
      }
    }
  }, [loaded, plans])
}

/**
 * Moves to the selected object, once per object, and only if it is out of sight: an object clicked on the map
 * must not move it.
 */
export function useArrival(
  map: SurfaceHandle['map'] | null,
  target: ObjectTarget | null,
  record: ObjectRecord | undefined,
): void {
  const shownFor = useRef<string | null>(null)
  useEffect(() => {
    if (target === null) shownFor.current = null
    else if (map !== null && record?.id === target.id) {
      if (shownFor.current === targetText(target)) return
      shownFor.current = targetText(target)
      arrive(map, record.g3857.coordinates)
    }
  }, [map, target, record])
}

function arrive(map: SurfaceHandle['map'], coordinates: Parameters<typeof boxOf>[0]): void {
  // For an object selected in the list below, scroll the map into view.
  map.getTargetElement()?.scrollIntoView({ block: 'nearest' })
  const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(map.getSize())
  const resolution = map.getView().getResolution() ?? 1
  if (isOutOfSight(boxOf(coordinates), [west, south, east, north], resolution)) fit(map, coordinates)
}
