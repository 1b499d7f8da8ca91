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
import { epsgName } from '#domain/epsg.ts'
import { Notice } from '../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { KarteRow } from './karte.data.ts'

const MERCATOR = 3857

/** Around the plan's outline; null if this device cannot convert its system, and then nor can the server. */
export function cutoutOf(converter: Converter, { umriss, epsg }: Pick<KarteFile, 'umriss' | 'epsg'>) {
  if (umriss === null || epsg === null || !converter.systems.has(epsg)) return null
  const convert = converter.conversion(epsg, MERCATOR)
  const places = umriss.map((place) => convert(place)).filter((place) => place.every(Number.isFinite))
  if (places.length === 0) return null
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const
}

interface Props {
  karte: KarteRow
  result: KarteFile
  /** A part of it has been drawn. */
  onSeen?: () => void
}
export function PlanOnGround({ karte, result, onSeen }: Props) {
  const converter = useQuery(converterQuery)
  const baseMap = useBaseMap()
  const [surface, setSurface] = useState<SurfaceHandle | null>(null)
  const [percent, setPercent] = useState(70)
  const layer = useMemo(() => resultLayer(karte.id, result.id, onSeen), [karte.id, result.id, onSeen])
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
  if (cutout === null)
    return (
      <Notice tone="warning" title={t('Auf der Karte lässt sich der Plan hier nicht zeigen')}>
        {result.epsg === null || converter.data.systems.has(result.epsg)
          ? t('Es ist nicht bekannt, wo er liegt.')
          : t(
              'Er liegt in {system}. Um daraus umzurechnen, fehlt auf diesem Server das Gitter BETA2007; ' +
                'einrichten kann es der Betreiber.',
              { system: epsgName(result.epsg) },
            )}
      </Notice>
    )
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
