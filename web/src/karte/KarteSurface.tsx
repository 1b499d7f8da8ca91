// Map in Web Mercator: a base map, if one is configured, otherwise our own background, and the layers that the
// page adds.
import { useEffect, useState } from 'react'
import type { BaseMap } from '#contract/base-map.ts'
import { Surface, type SurfaceHandle, type SurfaceProps } from './Surface.tsx'

interface Props extends SurfaceProps {
  /** Null if none is chosen or configured; the page's layers are then shown on the product's own background. */
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
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  useEffect(() => area?.baseMap(baseMap), [area, baseMap])
  return (
    <Surface
      {...rest}
      north
      fuss={
        <>
          {fuss}
          {baseMap !== null && <span className="flaeche-quelle">{baseMap.namensnennung}</span>}
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
