// Map in Web Mercator: a base map, if one is configured, and the layers that the page adds.
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { BaseMap } from '#contract/base-map.ts'
import { t } from '../ui/text.ts'
import { baseMaps } from './base-maps.data.ts'
import { Surface, type SurfaceHandle, type SurfaceProps } from './Surface.tsx'

interface Props extends SurfaceProps {
  /** Null if none is chosen or configured; the page's layers are then shown on a plain background. */
  baseMap?: BaseMap | null
  /** Extent shown initially and by "show all": [west, south, east, north] in Web Mercator. */
  cutout?: readonly [number, number, number, number] | null
  wheel?: 'immer' | 'fokus'
}

export function KarteSurface({
  baseMap = null,
  cutout = null,
  wheel = 'immer',
  onReady,
  fuss,
  ...rest
}: Props) {
  const [flaeche, setSurface] = useState<SurfaceHandle | null>(null)
  useEffect(() => flaeche?.baseMap(baseMap), [flaeche, baseMap])
  // Distinguishes "no base map configured" from an empty background that the user chose.
  const { data: configured } = useQuery(baseMaps)
  return (
    <Surface
      {...rest}
      fuss={
        <>
          {fuss}
          {baseMap !== null && <span className="flaeche-quelle">{baseMap.namensnennung}</span>}
          {configured?.length === 0 && <span>{t('Keine Hintergrundkarte eingerichtet')}</span>}
        </>
      }
      onReady={(made) => {
        setSurface(made)
        return onReady?.(made)
      }}
      make={(ol, target) => ol.makeKarteSurface(target, cutout === null ? null : [...cutout], { wheel })}
    />
  )
}
