// The filtered trees on the map: clusters that open on click, single trees that link to their page.
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { isNarrowed, type ListState } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { SelectField } from '../../ui/Field.tsx'
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
  const umrisse = useQuery(outlinesQuery(betrieb.idHQ))
  const umfang = useQuery({
    ...extentQuery(list, state),
    placeholderData: (before: Extent | undefined) => before,
  })
  if (umfang.data === undefined)
    return umfang.isPending ? (
      <Skeleton lines={8} />
    ) : (
      <ErrorState error={umfang.error} onRetry={() => void umfang.refetch()} />
    )
  // A holding without stands, or whose stands failed to load, still has its trees.
  if (umrisse.isPending) return <Skeleton lines={8} />
  return <Karte betrieb={betrieb} list={list} state={state} umfang={umfang.data} umrisse={umrisse.data} />
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

function Karte({ betrieb, list, state, umfang, umrisse }: KarteProps) {
  const view = useView()
  const { karten, gewaehlt, pick } = useBaseMap()
  const [flaeche, setSurface] = useState<SurfaceHandle | null>(null)
  const [viewport, setView] = useState<Viewport | null>(null)
  const [zeichen, setSymbols] = useState(0)
  const { isThere, haufen, fehler, retry } = useHeaps(list, state, viewport)
  // Without trees far outside, which would make the holding tiny.
  const cutout = useMemo(() => boxOfOutlines(umrisse ?? []) ?? umfang.kasten, [umfang, umrisse])
  const [first] = useState(cutout)
  const ebene = useHabitatLayer(
    flaeche,
    (id: number) => view.go(treeHref(id)),
    (ol, map, pick) =>
      ol.treeLayer(map, {
        pick,
        viewport: (kasten, stufe) => setView({ kasten, stufe }),
        zeichen: setSymbols,
      }),
  )
  useEffect(() => ebene?.umrisse(umrisse ?? []), [ebene, umrisse])
  useEffect(() => {
    if (isThere) ebene?.show(haufen)
  }, [ebene, isThere, haufen])
  // Moves to the filtered trees; not initially, when everything is shown.
  const narrowed = useRef(isNarrowed(state))
  const follow = useEffectEvent(() => {
    // When looking for findings, trees outside the holding must be visible too.
    const alle = state.filter['befund'] !== undefined
    if (umfang.kasten !== null)
      ebene?.fitTo(alle ? umfang.kasten : boxOver(umfang.kasten, boxOfOutlines(umrisse ?? [])))
  })
  useEffect(() => {
    const now = isNarrowed(state)
    if (ebene !== null && (now || narrowed.current)) follow()
    narrowed.current = now
  }, [ebene, umfang, state])
  const legend = [t('lebend oder absterbend'), t('tot'), t('Anwärter'), t('verloren')]
  return (
    <div className="habitat-karte" data-symbole={zeichen} data-fertig={isThere}>
      <div className="habitat-karte-kopf">
        {karten.length > 0 && (
          <SelectField
            label={t('Grundkarte')}
            value={gewaehlt?.id ?? ''}
            emptyOption={t('keine')}
            options={karten.map(({ id, titel }) => ({ value: id, label: titel }))}
            onChange={({ target }) => pick(target.value)}
          />
        )}
        <output className="soft">
          {umfang.anzahl === 1
            ? t('1 Baum auf der Karte')
            : t('{n} Bäume auf der Karte', { n: formatNumber(umfang.anzahl) })}
        </output>
      </div>
      {fehler !== null && <ErrorState error={fehler} onRetry={retry} />}
      <KarteSurface
        label={t('Karte der Habitatbäume von {name}', { name: betrieb.sHQ })}
        hint={t(
          'Eingabetaste öffnet, was der Mitte am nächsten ist. Alle Bäume stehen auch in der Liste darunter.',
        )}
        className="habitat-ol"
        baseMap={gewaehlt}
        cutout={first}
        wheel="fokus"
        onReady={(made) => {
          setSurface(made)
          return undefined
        }}
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
