// The place of a survey object on a small map; for staff it can be moved there.
import { useEffect, useEffectEvent, useState } from 'react'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { mercator } from '../../karte/mercator.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { parsePlaces, type Parts } from '../../karte/survey-place.ts'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import type { ObjectLayer } from './ol-object.ts'

interface Props {
  name: string
  kunde: number
  isLine: boolean
  /** Text of the contract; empty while what is typed is no place. */
  lage: string
  /** Left out for a map to look at. */
  onPlace?: (parts: Parts) => void
}
/** Web Mercator metres shown around it. */
const MARGIN = 60

function boxOf(place: string): readonly [number, number, number, number] {
  const places = parsePlaces(place)
    .flat()
    .map(({ lon, lat }) => mercator(lon, lat))
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  return [
    Math.min(...xs) - MARGIN,
    Math.min(...ys) - MARGIN,
    Math.max(...xs) + MARGIN,
    Math.max(...ys) + MARGIN,
  ]
}

export function ObjectKarte({ name, kunde, isLine, lage, onPlace }: Props) {
  const { gewaehlt } = useBaseMap()
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  const [layer, setLayer] = useState<ObjectLayer | null>(null)
  // Where it was when the page opened; later the map is moved by hand.
  const [cutout] = useState(() => boxOf(lage))
  const editable = onPlace !== undefined
  const placed = useEffectEvent((parts: Parts) => onPlace?.(parts))
  useEffect(() => {
    if (area === null) return undefined
    let gone = false
    let made: ObjectLayer | null = null
    void import('./ol-object.ts').then((ol) => {
      if (gone) return
      made = ol.objectLayer(area.map, {
        kunde,
        isLine,
        ...(editable && { onPlace: (parts: Parts) => placed(parts) }),
      })
      setLayer(made)
    })
    return () => {
      gone = true
      made?.dispose()
      setLayer(null)
    }
  }, [area, kunde, isLine, editable])
  useEffect(() => {
    if (lage !== '') layer?.show(parsePlaces(lage))
  }, [layer, lage])
  return (
    <div className="objekt-lage">
      <KarteSurface
        label={t('Lage von {name}', { name })}
        {...(editable && !isLine && { hint: t('Enter setzt das Objekt in die Mitte der Karte.') })}
        className="objekt-ol"
        baseMap={gewaehlt}
        cutout={cutout}
        wheel="fokus"
        onReady={(made) => {
          setSurface(made)
          return () => setSurface(null)
        }}
      />
      {editable && (
        <div className="objekt-lage-zeile">
          {!isLine && (
            <Button size="small" icon="target" disabled={layer === null} onClick={() => layer?.center()}>
              {t('In die Kartenmitte setzen')}
            </Button>
          )}
          <span className="soft">
            {isLine
              ? t('Ziehen Sie die Punkte der Linie, oder ändern Sie die Werte darunter.')
              : t('Ziehen Sie das Objekt, oder klicken Sie auf die Stelle.')}
          </span>
        </div>
      )}
    </div>
  )
}
