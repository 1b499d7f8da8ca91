// One tree on the map: its place, its accuracy, and the holding's stands around it.
import { useEffect, useMemo, useState } from 'react'
import type { Outline } from '#contract/bestand.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { mercator } from '../../karte/mercator.ts'
import { boxOfOutlines } from './outlines.ts'
import { useHabitatLayer } from './use-habitat-layer.ts'

export interface Degrees {
  readonly lon: number
  readonly lat: number
}
interface Props {
  label: string
  ort: Degrees | null
  accuracy: number
  umrisse: readonly Outline[] | undefined
  /** Left out for a read-only map. */
  onPlace?: (ort: Degrees) => void
}
/** Web Mercator metres shown around a tree initially. */
const MARGIN = 150

export function LocationKarte({ label, ort, accuracy, umrisse, onPlace }: Props) {
  const { gewaehlt } = useBaseMap()
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  // Initial centre; later the map is moved by hand or follows a typed place.
  const [first] = useState(ort)
  const cutout = useMemo(() => {
    if (first === null) return umrisse === undefined ? null : boxOfOutlines(umrisse)
    const [x, y] = mercator(first.lon, first.lat)
    return [x - MARGIN, y - MARGIN, x + MARGIN, y + MARGIN] as const
  }, [first, umrisse])
  const editable = onPlace !== undefined
  const level = useHabitatLayer(
    area,
    (placed: Degrees) => onPlace?.(placed),
    (ol, map, setPoint) => ol.placeLayer(map, editable ? setPoint : null),
    editable ? 'setzen' : 'sehen',
  )
  useEffect(() => level?.umrisse(umrisse ?? []), [level, umrisse])
  const [lon, lat] = [ort?.lon ?? null, ort?.lat ?? null]
  useEffect(
    () => level?.show(lon === null || lat === null ? null : mercator(lon, lat), accuracy),
    [level, lon, lat, accuracy],
  )
  return (
    <div className="habitat-lage">
      <KarteSurface
        key={cutout === null ? 'ohne' : 'mit'}
        label={label}
        {...(editable && { hint: t('Enter setzt den Baum in die Mitte der Karte.') })}
        className="habitat-ol-klein"
        baseMap={gewaehlt}
        cutout={cutout}
        wheel="fokus"
        onReady={(made) => {
          setSurface(made)
          return () => setSurface(null)
        }}
      />
      {editable && (
        <div className="habitat-lage-zeile">
          <Button size="small" icon="target" disabled={level === null} onClick={() => level?.center()}>
            {t('In die Kartenmitte setzen')}
          </Button>
          <span className="soft">{t('Oder klicken Sie auf die Stelle.')}</span>
        </div>
      )}
    </div>
  )
}
