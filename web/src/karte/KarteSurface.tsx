// The ground in web mercator: a base map where one is configured, and the layers that the page puts on it.
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { BaseMap } from '#contract/base-map.ts'
import { t } from '../ui/text.ts'
import { baseMaps } from './base-maps.data.ts'
import { Surface, type SurfaceHandle, type SurfaceProps } from './Surface.tsx'

interface Props extends SurfaceProps {
  /** Null: none is chosen or configured; own layers lie on plain ground. */
  baseMap?: BaseMap | null
  /** What "show all" shows, and the map at first: [west, south, east, north] in web mercator. */
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
  // A ground that stays empty is told from one that somebody chose to see empty.
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
