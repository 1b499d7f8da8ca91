// The filtered trees on the map: clusters that open on click, single trees that link to their page.
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { BaseMapField } from '../../karte/BaseMapField.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { isNarrowed, type ListState } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { formatNumber } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { treeHref, type TableRow } from './habitat-list.tsx'
import { heapsQuery, extentQuery, outlinesQuery } from './habitat.data.ts'
import { type Block, blocksOf, type Heap, type Box, type Level, boxOver } from './heaps.ts'
import { boxOfOutlines } from './outlines.ts'
import { useHabitatLayer } from './use-habitat-layer.ts'

interface Props {
  betrieb: Betrieb
  list: TableList<TableRow>
  state: ListState
}

export function HabitatKarte({ betrieb, list, state }: Props) {
  const outlines = useQuery(outlinesQuery(betrieb.idHQ))
  const extent = useQuery({
    ...extentQuery(list, state),
    placeholderData: (before: Extent | undefined) => before,
  })
  if (extent.data === undefined)
    return extent.isPending ? (
      <Skeleton lines={8} />
    ) : (
      <ErrorState error={extent.error} onRetry={() => void extent.refetch()} />
    )
  // A holding without stands, or whose stands failed to load, still has its trees.
  if (outlines.isPending) return <Skeleton lines={8} />
  return <Karte betrieb={betrieb} list={list} state={state} umfang={extent.data} umrisse={outlines.data} />
}

interface Extent {
  readonly anzahl: number
  readonly kasten: Box | null
}
interface KarteProps extends Props {
  umfang: Extent
  umrisse: Parameters<typeof boxOfOutlines>[0] | undefined
}
interface Viewport {
  readonly kasten: Box
  readonly stufe: Level
}
const NONE: readonly Block[] = []

const together = (results: readonly UseQueryResult<Heap[]>[]) => ({
  isThere: results.length > 0 && results.every(({ data }) => data !== undefined),
  haufen: results.flatMap(({ data }) => data ?? []),
  fehler: results.find(({ isError }) => isError)?.error ?? null,
  retry: () => {
    for (const { isError, refetch } of results) if (isError) void refetch()
  },
})
/**
 * Clusters of the visible area. The previous ones stay while new ones load, so that zooming and filtering do
 * not flicker.
 */
function useHeaps(list: TableList<TableRow>, state: ListState, viewport: Viewport | null) {
  const blocks = useMemo(
    () => (viewport === null ? NONE : blocksOf(viewport.kasten, viewport.stufe)),
    [viewport],
  )
  return useQueries({ queries: blocks.map((block) => heapsQuery(list, state, block)), combine: together })
}

/** The layer with the trees of the visible area; it moves to the filtered ones. */
function useTreeMap({ list, state, umfang, umrisse }: KarteProps) {
  const view = useView()
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  const [viewport, setView] = useState<Viewport | null>(null)
  const [sign, setSymbols] = useState(0)
  const heaps = useHeaps(list, state, viewport)
  const { isThere, haufen } = heaps
  const level = useHabitatLayer(
    area,
    (id: number) => view.go(treeHref(id)),
    (ol, map, pick) =>
      ol.treeLayer(map, {
        pick,
        viewport: (box, levelNumber) => setView({ kasten: box, stufe: levelNumber }),
        zeichen: setSymbols,
      }),
  )
  useEffect(() => level?.umrisse(umrisse ?? []), [level, umrisse])
  useEffect(() => {
    if (isThere) level?.show(haufen)
  }, [level, isThere, haufen])
  // Moves to the filtered trees; not initially, when everything is shown.
  const narrowed = useRef(isNarrowed(state))
  const follow = useEffectEvent(() => {
    // When looking for findings, trees outside the holding must be visible too.
    const all = state.filter['befund'] !== undefined
    if (umfang.kasten !== null)
      level?.fitTo(all ? umfang.kasten : boxOver(umfang.kasten, boxOfOutlines(umrisse ?? [])))
  })
  useEffect(() => {
    const now = isNarrowed(state)
    if (level !== null && (now || narrowed.current)) follow()
    narrowed.current = now
  }, [level, umfang, state])
  const onReady = (made: SurfaceHandle) => {
    setSurface(made)
    return undefined
  }
  return { ...heaps, zeichen: sign, onReady }
}

function Karte(props: KarteProps) {
  const { betrieb, umfang, umrisse } = props
  const baseMap = useBaseMap()
  // Without trees far outside, which would make the holding tiny.
  const [first] = useState(() => boxOfOutlines(umrisse ?? []) ?? umfang.kasten)
  const { isThere, fehler, retry, zeichen, onReady } = useTreeMap(props)
  const legend = [t('lebend oder absterbend'), t('tot'), t('Anwärter'), t('verloren')]
  return (
    <div className="habitat-karte" data-symbole={zeichen} data-fertig={isThere}>
      <div className="habitat-karte-kopf">
        <BaseMapField choice={baseMap} />
        <output className="soft">
          {umfang.anzahl === 1
            ? t('1 Baum auf der Karte')
            : t('{n} Bäume auf der Karte', { n: formatNumber(umfang.anzahl) })}
        </output>
      </div>
      {fehler !== null && <ErrorState error={fehler} onRetry={retry} />}
      <KarteSurface
        label={t('Karte der Habitatbäume von {name}', { name: betrieb.sHQ })}
        hint={t('Enter öffnet, was der Mitte am nächsten ist. Alle Bäume stehen auch in der Liste darunter.')}
        className="habitat-ol"
        baseMap={baseMap.gewaehlt}
        cutout={first}
        wheel="fokus"
        onReady={onReady}
      />
      <ul className="habitat-legende" aria-label={t('Legende')}>
        {legend.map((name, at) => (
          <li key={name}>
            <span className={`habitat-punkt habitat-punkt-${at}`} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
