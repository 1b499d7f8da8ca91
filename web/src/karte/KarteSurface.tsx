// Map in Web Mercator: a base map, if one is configured, otherwise our own background, and the layers that the
// page adds.
import { lazy, Suspense, useEffect, useState } from 'react'
import type { BaseMap } from '#contract/base-map.ts'
import { IconButton } from '../ui/Button.tsx'
import { t } from '../ui/text.ts'
import type { FoundPlace } from './gazetteer.ts'
import { Surface, type SurfaceHandle, type SurfaceProps } from './Surface.tsx'

const PlaceSearch = lazy(() => import('./PlaceSearch.tsx'))

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
  tool,
  ...rest
}: Props) {
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  const [isSearching, setSearching] = useState(false)
  useEffect(() => area?.baseMap(baseMap), [area, baseMap])
  return (
    <Surface
      {...rest}
      tool={
        <>
          <IconButton
            icon="search"
            label={t('Ort suchen')}
            size="small"
            aria-expanded={isSearching}
            onClick={() => setSearching(!isSearching)}
          />
          {tool}
        </>
      }
      over={isSearching && <Search area={area} onClose={() => setSearching(false)} />}
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

function Search({ area, onClose }: { area: SurfaceHandle | null; onClose: () => void }) {
  // The mark goes with the search.
  useEffect(() => () => area?.mark(null), [area])
  const show = ({ box }: FoundPlace) => {
    area?.showBox([...box])
    area?.mark([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
  }
  return (
    <Suspense>
      <PlaceSearch
        onFound={show}
        onClose={() => {
          onClose()
          area?.map.getTargetElement()?.focus()
        }}
      />
    </Suspense>
  )
}
