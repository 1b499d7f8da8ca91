// Map of a holding's stands, coloured by the page, with legend and base maps. A click selects a stand; so
// does Enter, for the one at the centre of the map.
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Outline } from '#contract/bestand.ts'
import { Button } from '../ui/Button.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { Skeleton } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import './bestand-surface.css'
import type { SurfaceHandle } from './Surface.tsx'
import { BaseMapField } from './BaseMapField.tsx'
import { useBaseMap } from './base-maps.data.ts'
import { KarteSurface } from './KarteSurface.tsx'
import type { BestandLayer } from './ol-bestand.ts'
import type { LegendEntry } from './print-sheet.ts'

const PrintMapDialog = splitOff(
  async () => (await import('./PrintMapDialog.tsx')).PrintMapDialog,
  <Skeleton />,
)

interface Stand {
  readonly id: number
  readonly adresse: string
}
interface Props<Row extends Stand> {
  label: string
  umrisse: readonly Outline[]
  rows: readonly Row[]
  /** Rows that match the filters; the others are dimmed. */
  matching: readonly Row[]
  gewaehlt: number | null
  onChoose: (id: number | null) => void
  /** Must be memoised by the caller. */
  colorOf: (row: Row) => string
  legend: readonly { readonly key: string; readonly name: string; readonly farbe: string }[]
  tools?: ReactNode
  /** Proposed title and line below it of a print. */
  sheet: { readonly titel: string; readonly untertitel: string }
}

function boxOf(outlines: readonly Outline[]): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [, areas] of outlines)
    for (const [ring = []] of areas)
      for (const [x, y] of ring) {
        box[0] = Math.min(box[0], x)
        box[1] = Math.min(box[1], y)
        box[2] = Math.max(box[2], x)
        box[3] = Math.max(box[3], y)
      }
  return box
}

export const ColorSwatch = ({ farbe }: { farbe: string }) => (
  <span className="bestand-farbe" style={{ background: farbe }} aria-hidden="true" />
)

export function BestandSurface<Row extends Stand>(props: Props<Row>) {
  const { label, umrisse, legend, tools, sheet } = props
  const [isPrinting, setPrinting] = useState(false)
  const baseMap = useBaseMap()
  const cutout = useMemo(() => boxOf(umrisse), [umrisse])
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  useStands(area, props)
  return (
    <div className="bestand-karte">
      <div className="bestand-werkzeuge">
        {tools}
        <BaseMapField choice={baseMap} />
        <Button icon="file" onClick={() => setPrinting(true)} disabled={area === null}>
          {t('Als PDF drucken')}
        </Button>
      </div>
      <KarteSurface
        label={label}
        hint={t('Enter wählt den Bestand in der Mitte.')}
        className="bestand-ol"
        baseMap={baseMap.gewaehlt}
        cutout={cutout}
        wheel="fokus"
        onReady={(made) => {
          setSurface(made)
          return undefined
        }}
      />
      <ul className="bestand-legende" aria-label={t('Legende')}>
        {legend.map(({ key, name, farbe }) => (
          <li key={key}>
            <ColorSwatch farbe={farbe} />
            {name}
          </li>
        ))}
      </ul>
      {isPrinting && area !== null && (
        <PrintMapDialog
          map={area.map}
          titel={sheet.titel}
          texts={{
            untertitel: sheet.untertitel,
            legend: legend.map(({ name, farbe }) => ({ text: name, sign: swatch(farbe) })),
            legendNote: null,
            sources:
              baseMap.gewaehlt === null
                ? []
                : [`${t('Hintergrundkarte')}: ${baseMap.gewaehlt.namensnennung}`],
          }}
          onClose={() => setPrinting(false)}
        />
      )}
    </div>
  )
}

/** On paper as on the map. */
const swatch =
  (fill: string): LegendEntry['sign'] =>
  (page, left, y, times) =>
    page.rectangle(
      { x: left, y: y - 1.6 * times, breite: 8 * times, hoehe: 3.2 * times },
      { fill, line: '#28281e', breite: 0.2 * times },
    )

/** Draws the stands and moves to the chosen and the matching ones. */
function useStands<Row extends Stand>(
  area: SurfaceHandle | null,
  { umrisse, rows, matching, gewaehlt, onChoose, colorOf }: Props<Row>,
): void {
  // A stand chosen on the map does not move the map; one chosen elsewhere is brought into view.
  const displayed = useRef<number | null>(null)
  const level = useStandLayer(area, umrisse, (id) => {
    displayed.current = id
    onChoose(id)
  })
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  useEffect(() => {
    level?.display({
      colorOf: (id) => {
        const row = byId.get(id)
        return row === undefined ? '#cccccc' : colorOf(row)
      },
      textsOf: (id) => {
        const parts = byId.get(id)?.adresse.split(' / ') ?? []
        return [3, 2, 1].map((count) => parts.slice(-count).join(' '))
      },
      fits: new Set(matching.map(({ id }) => id)),
      gewaehlt,
    })
  }, [level, byId, colorOf, matching, gewaehlt])
  // Zooms to the matching stands when the filters change; not initially, when all are shown.
  const before = useRef(matching.length)
  const shown = matching.length === rows.length ? 'alle' : matching.map(({ id }) => id).join()
  const follow = useEffectEvent(() =>
    level?.fitTo(
      matching.map(({ id }) => id),
      17,
    ),
  )
  useEffect(() => {
    if (before.current === rows.length && shown === 'alle') return
    before.current = shown === 'alle' ? rows.length : -1
    follow()
  }, [shown, rows.length, level])
  const goTo = useEffectEvent((id: number) => level?.fitTo([id], 15))
  useEffect(() => {
    if (level === null) return
    if (gewaehlt !== null && displayed.current !== gewaehlt) goTo(gewaehlt)
    displayed.current = gewaehlt
  }, [gewaehlt, level])
}

/** The layer of the outlines with its clicks and keys; null until OpenLayers is loaded. */
function useStandLayer(
  area: SurfaceHandle | null,
  outlines: readonly Outline[],
  onChoose: (id: number | null) => void,
): BestandLayer | null {
  const [level, setLayer] = useState<BestandLayer | null>(null)
  const choose = useEffectEvent(onChoose)
  useEffect(() => {
    if (area === null) return
    let gone = false
    const target = area.map.getTargetElement()
    const ends: (() => void)[] = []
    void import('./ol-bestand.ts').then((ol) => {
      if (gone) return
      const made = ol.bestandLayer(area.map, outlines)
      setLayer(made)
      area.map.on('singleclick', ({ coordinate }) => choose(made.an(coordinate)))
      const onKey = (event: KeyboardEvent) => {
        const middle = area.map.getView().getCenter()
        if (event.key === 'Enter' && middle) choose(made.an(middle))
        else if (event.key === 'Escape') choose(null)
        else return
        event.preventDefault()
      }
      target?.addEventListener('keydown', onKey)
      ends.push(() => target?.removeEventListener('keydown', onKey))
    })
    return () => {
      gone = true
      for (const end of ends) end()
    }
  }, [area, outlines])
  return level
}
