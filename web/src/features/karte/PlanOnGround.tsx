// A georeferenced plan over the ground, as transparent as one likes: what a customer needs to say whether it
// is right.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { KarteFile } from '#contract/karte-files.ts'
import type { Converter } from '#domain/projection.ts'
import { BaseMapField } from '../../karte/BaseMapField.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { converterQuery } from '../../karte/converter.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { resultLayer } from '../../karte/ol-result.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { KarteRow } from './karte.data.ts'

const MERCATOR = 3857

/** Around the plan's outline; null if this device cannot convert its system. */
function cutoutOf(converter: Converter, { umriss, epsg }: KarteFile) {
  if (umriss === null || epsg === null || !converter.systems.has(epsg)) return null
  const convert = converter.conversion(epsg, MERCATOR)
  const places = umriss.map((place) => convert(place)).filter((place) => place.every(Number.isFinite))
  if (places.length === 0) return null
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const
}

export function PlanOnGround({ karte, result }: { karte: KarteRow; result: KarteFile }) {
  const converter = useQuery(converterQuery)
  const baseMap = useBaseMap()
  const [surface, setSurface] = useState<SurfaceHandle | null>(null)
  const [percent, setPercent] = useState(70)
  const layer = useMemo(() => resultLayer(karte.id, result.id), [karte.id, result.id])
  useEffect(() => {
    surface?.map.addLayer(layer)
    return () => void surface?.map.removeLayer(layer)
  }, [surface, layer])
  useEffect(() => layer.setOpacity(percent / 100), [layer, percent])
  const cutout = useMemo(
    () => (converter.data === undefined ? null : cutoutOf(converter.data, result)),
    [converter.data, result],
  )
  if (converter.isError)
    return <ErrorState error={converter.error} onRetry={() => void converter.refetch()} />
  if (converter.isPending) return <Skeleton lines={8} />
  return (
    <>
      <KarteSurface
        className="karte-scanflaeche"
        label={t('{name} auf der Karte', { name: karte.map_name })}
        wheel="fokus"
        baseMap={baseMap.gewaehlt}
        cutout={cutout}
        onReady={(made) => {
          setSurface(made)
          return () => setSurface(null)
        }}
      />
      <div className="karte-deckkraft">
        <label>
          <span>{t('Deckkraft')}</span>
          <input
            type="range"
            min="0"
            max="100"
            step="5"
            value={percent}
            onChange={({ target }) => setPercent(Number(target.value))}
          />
          <span className="nums">{percent} %</span>
        </label>
        <BaseMapField choice={baseMap} />
      </div>
    </>
  )
}
