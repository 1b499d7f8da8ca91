// Records on a map: a circle for each, sized by its count; a click opens it. The keyboard has the list beside
// it, and Enter for what is nearest the centre.
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { t } from '../ui/text.ts'
import { useView } from '../ui/view.tsx'
import { useBaseMap } from './base-maps.data.ts'
import { KarteSurface } from './KarteSurface.tsx'
import { mercator } from './mercator.ts'
import type { DrawnPlace, PlaceLayer } from './ol-places.ts'
import './places-map.css'
import type { SurfaceHandle } from './Surface.tsx'

export interface MapPlace {
  readonly key: string | number
  readonly label: string
  /** Decides the size of the circle. */
  readonly count: number
  /** What the count says, shown beside the name under the pointer: 240 Bäume. */
  readonly countText: string
  readonly href: string
  /** Degrees; places without them are left out. */
  readonly lon: number | null
  readonly lat: number | null
}

type Box = readonly [west: number, south: number, east: number, north: number]
/** Metres around the outermost places at least, so that a single one is not shown from above a tree. */
const AROUND = 8_000

function boxOf(places: readonly DrawnPlace[]): Box | null {
  if (places.length === 0) return null
  const points = places.map(({ lon, lat }) => mercator(lon, lat))
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [west, east] = [Math.min(...xs), Math.max(...xs)]
  const [south, north] = [Math.min(...ys), Math.max(...ys)]
  // Room for the names.
  const around = Math.max(AROUND, (east - west) / 4, (north - south) / 10)
  return [west - around, south - around, east + around, north + around]
}

/** The layer of the places, once the map and its code are there. */
function usePlaceLayer(places: readonly MapPlace[], drawn: readonly DrawnPlace[]) {
  const { go } = useView()
  const [area, setArea] = useState<SurfaceHandle | null>(null)
  const [layer, setLayer] = useState<PlaceLayer | null>(null)
  const [over, setOver] = useState<MapPlace['key'] | null>(null)
  const pick = useEffectEvent((key: MapPlace['key']) => {
    const place = places.find((one) => one.key === key)
    if (place) go(place.href)
  })
  useEffect(() => {
    if (area === null) return
    let gone = false
    let made: PlaceLayer | null = null
    void import('./ol-places.ts').then((ol) => {
      if (gone) return
      made = ol.placeLayer(area.map, { pick: (key) => pick(key), point: setOver })
      setLayer(made)
    })
    return () => {
      gone = true
      made?.dispose()
      setLayer(null)
    }
  }, [area])
  // The map opens on all places; after that it follows a search, but not a mere reload.
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (layer === null) return
    layer.show(drawn)
    const keys = drawn.map(({ key }) => key).join()
    if (shown.current !== null && shown.current !== keys) layer.fit()
    shown.current = keys
  }, [layer, drawn])
  const onReady = (made: SurfaceHandle) => {
    setArea(made)
    return undefined
  }
  return { onReady, isDrawn: layer !== null, over: places.find(({ key }) => key === over) }
}

export function PlacesMap({ label, places }: { label: string; places: readonly MapPlace[] }) {
  const drawn = useMemo(
    () =>
      places.flatMap(({ key, label: name, count, lon, lat }): DrawnPlace[] =>
        lon === null || lat === null ? [] : [{ key, label: name, size: count, lon, lat }],
      ),
    [places],
  )
  const { gewaehlt } = useBaseMap()
  const [first] = useState(() => boxOf(drawn))
  const { onReady, isDrawn, over } = usePlaceLayer(places, drawn)
  return (
    <div className="places-map" data-orte={isDrawn ? drawn.length : undefined}>
      <KarteSurface
        label={label}
        hint={t('Enter öffnet, was der Mitte am nächsten ist. Alles steht auch in der Liste.')}
        className="places-map-ol"
        baseMap={gewaehlt}
        cutout={first}
        wheel="fokus"
        onReady={onReady}
        fuss={
          over && (
            <span className="places-map-over">
              <b>{over.label}</b> {over.countText}
            </span>
          )
        }
      />
    </div>
  )
}
