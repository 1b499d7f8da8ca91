// The sheets that are to be merged on the map: their results, the first on top, and their edges with numbers.
import { useEffect, useMemo, useState } from 'react'
import type { KarteResult } from '#contract/karte-mosaic.ts'
import { boxOfRing } from '#domain/georef/sheets.ts'
import type { Converter } from '#domain/projection.ts'
import { BaseMapField } from '../../karte/BaseMapField.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { resultLayer } from '../../karte/ol-result.ts'
import { sheetLayer } from '../../karte/ol-sheets.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { t } from '../../ui/text.ts'
import { ringIn } from './merge-sheets.ts'

const MERCATOR = 3857

interface Props {
  converter: Converter
  /** The first is on top. */
  sheets: readonly KarteResult[]
  marked: ReadonlySet<number>
}

export function SheetsMap({ converter, sheets, marked }: Props) {
  const [surface, setSurface] = useState<SurfaceHandle | null>(null)
  const baseMap = useBaseMap()
  const edges = useMemo(
    () =>
      sheets.flatMap((sheet, i) => {
        const ring = ringIn(converter, sheet, MERCATOR)
        return ring === null ? [] : [{ id: sheet.karte_id, label: String(i + 1), ring }]
      }),
    [converter, sheets],
  )
  const layer = useMemo(() => sheetLayer(), [])
  useEffect(() => {
    surface?.map.addLayer(layer.layer)
    return () => void surface?.map.removeLayer(layer.layer)
  }, [surface, layer])
  useEffect(() => layer.show(edges, marked), [layer, edges, marked])
  useEffect(() => {
    if (surface === null) return undefined
    const results = sheets.map(({ karte_id, datei_id }, i) => {
      const result = resultLayer(karte_id, datei_id)
      result.setZIndex(4 + sheets.length - i)
      result.setOpacity(0.8)
      surface.map.addLayer(result)
      return result
    })
    return () => results.forEach((result) => surface.map.removeLayer(result))
  }, [surface, sheets])
  const cutout = useMemo(() => {
    if (edges.length === 0) return null
    const { west, sued, ost, nord } = boxOfRing(edges.flatMap(({ ring }) => ring))
    return [west, sued, ost, nord] as const
  }, [edges])
  return (
    <div>
      <KarteSurface
        className="karte-blattkarte"
        label={t('Die Blätter auf der Karte')}
        wheel="fokus"
        baseMap={baseMap.gewaehlt}
        cutout={cutout}
        onReady={(made) => {
          setSurface(made)
          return () => setSurface(null)
        }}
      />
      <div className="karte-deckkraft">
        <BaseMapField choice={baseMap} />
      </div>
    </div>
  )
}
