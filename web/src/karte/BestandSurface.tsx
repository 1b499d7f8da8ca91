// Map of a holding's stands, coloured by the page, with legend and base maps. A click selects a stand; so
// does Enter, for the one at the centre of the map.
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Outline } from '#contract/bestand.ts'
import { SelectField } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import './bestand-surface.css'
import type { SurfaceHandle } from './Surface.tsx'
import { useBaseMap } from './base-maps.data.ts'
import { KarteSurface } from './KarteSurface.tsx'
import type { BestandLayer } from './ol-bestand.ts'

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
}

function kasten(umrisse: readonly Outline[]): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [, areas] of umrisse)
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

export function BestandSurface<Row extends Stand>({
  label,
  umrisse,
  rows,
  matching,
  gewaehlt,
  onChoose,
  colorOf,
  legend,
  tools,
}: Props<Row>) {
  const { karten, gewaehlt: grund, pick } = useBaseMap()
  const [ebene, setLayer] = useState<BestandLayer | null>(null)
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const cutout = useMemo(() => kasten(umrisse), [umrisse])
  // A stand chosen on the map does not move the map; one chosen elsewhere is brought into view.
  const displayed = useRef<number | null>(null)
  const choose = useEffectEvent((id: number | null) => {
    displayed.current = id
    onChoose(id)
  })
  const [flaeche, setSurface] = useState<SurfaceHandle | null>(null)
  useEffect(() => {
    if (flaeche === null) return
    let gone = false
    const target = flaeche.map.getTargetElement()
    const ends: (() => void)[] = []
    void import('./ol-bestand.ts').then((ol) => {
      if (gone) return
      const made = ol.bestandLayer(flaeche.map, umrisse)
      setLayer(made)
      flaeche.map.on('singleclick', ({ coordinate }) => choose(made.an(coordinate)))
      const onKey = (event: KeyboardEvent) => {
        const middle = flaeche.map.getView().getCenter()
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
  }, [flaeche, umrisse])
  useEffect(() => {
    ebene?.display({
      colorOf: (id) => {
        const row = byId.get(id)
        return row === undefined ? '#cccccc' : colorOf(row)
      },
      textOf: (id) => byId.get(id)?.adresse.split(' / ').slice(-3).join(' ') ?? '',
      fits: new Set(matching.map(({ id }) => id)),
      gewaehlt,
    })
  }, [ebene, byId, colorOf, matching, gewaehlt])
  // Zooms to the matching stands when the filters change; not initially, when all are shown.
  const before = useRef(matching.length)
  const shown = matching.length === rows.length ? 'alle' : matching.map(({ id }) => id).join()
  const follow = useEffectEvent(() =>
    ebene?.fitTo(
      matching.map(({ id }) => id),
      17,
    ),
  )
  useEffect(() => {
    if (before.current === rows.length && shown === 'alle') return
    before.current = shown === 'alle' ? rows.length : -1
    follow()
  }, [shown, rows.length, ebene])
  const goTo = useEffectEvent((id: number) => ebene?.fitTo([id], 15))
  useEffect(() => {
    if (ebene === null) return
    if (gewaehlt !== null && displayed.current !== gewaehlt) goTo(gewaehlt)
    displayed.current = gewaehlt
  }, [gewaehlt, ebene])
  return (
    <div className="bestand-karte">
      {(tools !== undefined || karten.length > 0) && (
        <div className="bestand-werkzeuge">
          {tools}
          {karten.length > 0 && (
            <SelectField
              label={t('Grundkarte')}
              value={grund?.id ?? ''}
              emptyOption={t('keine')}
              options={karten.map(({ id, titel }) => ({ value: id, label: titel }))}
              onChange={({ target }) => pick(target.value)}
            />
          )}
        </div>
      )}
      <KarteSurface
        label={label}
        hint={t('Eingabetaste wählt den Bestand in der Mitte.')}
        className="bestand-ol"
        baseMap={grund}
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
    </div>
  )
}
