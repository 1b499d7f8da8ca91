// The stands of a holding on a map, in whatever colours a page gives them, with legend and base maps. A press chooses a stand; so does the Enter key, in the middle of what is shown.
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Umriss } from '#contract/bestand.ts'
import { SelectField } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import './bestand-flaeche.css'
import type { FlaecheGriff } from './Flaeche.tsx'
import { useGrundkarte } from './grundkarten.data.ts'
import { KartenFlaeche } from './KartenFlaeche.tsx'
import type { Bestandsebene } from './ol-bestand.ts'

interface Stand {
  readonly id: number
  readonly adresse: string
}
interface Props<Row extends Stand> {
  label: string
  umrisse: readonly Umriss[]
  rows: readonly Row[]
  /** Those that the filters let through; the others step back. */
  passend: readonly Row[]
  gewaehlt: number | null
  onWahl: (id: number | null) => void
  /** Made once for what it depends on. */
  farbeOf: (row: Row) => string
  legende: readonly { readonly key: string; readonly name: string; readonly farbe: string }[]
  werkzeuge?: ReactNode
}

function kasten(umrisse: readonly Umriss[]): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [, flaechen] of umrisse)
    for (const [ring = []] of flaechen)
      for (const [x, y] of ring) {
        box[0] = Math.min(box[0], x)
        box[1] = Math.min(box[1], y)
        box[2] = Math.max(box[2], x)
        box[3] = Math.max(box[3], y)
      }
  return box
}

export const Farbfeld = ({ farbe }: { farbe: string }) => (
  <span className="bestand-farbe" style={{ background: farbe }} aria-hidden="true" />
)

export function BestandFlaeche<Row extends Stand>({
  label,
  umrisse,
  rows,
  passend,
  gewaehlt,
  onWahl,
  farbeOf,
  legende,
  werkzeuge,
}: Props<Row>) {
  const { karten, gewaehlt: grund, waehlen } = useGrundkarte()
  const [ebene, setEbene] = useState<Bestandsebene | null>(null)
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const ausschnitt = useMemo(() => kasten(umrisse), [umrisse])
  // Whoever presses a stand on the map stays where they are; whoever chose it elsewhere is led to it.
  const gezeigt = useRef<number | null>(null)
  const choose = useEffectEvent((id: number | null) => {
    gezeigt.current = id
    onWahl(id)
  })
  const [flaeche, setFlaeche] = useState<FlaecheGriff | null>(null)
  useEffect(() => {
    if (flaeche === null) return
    let gone = false
    const target = flaeche.map.getTargetElement()
    const ends: (() => void)[] = []
    void import('./ol-bestand.ts').then((ol) => {
      if (gone) return
      const made = ol.bestandsebene(flaeche.map, umrisse)
      setEbene(made)
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
    ebene?.zeigen({
      farbeOf: (id) => {
        const row = byId.get(id)
        return row === undefined ? '#cccccc' : farbeOf(row)
      },
      textOf: (id) => byId.get(id)?.adresse.split(' / ').slice(-3).join(' ') ?? '',
      passt: new Set(passend.map(({ id }) => id)),
      gewaehlt,
    })
  }, [ebene, byId, farbeOf, passend, gewaehlt])
  // Where the filters lead; not at first, when everything is shown as it is.
  const before = useRef(passend.length)
  const shown = passend.length === rows.length ? 'alle' : passend.map(({ id }) => id).join()
  const follow = useEffectEvent(() =>
    ebene?.hin(
      passend.map(({ id }) => id),
      17,
    ),
  )
  useEffect(() => {
    if (before.current === rows.length && shown === 'alle') return
    before.current = shown === 'alle' ? rows.length : -1
    follow()
  }, [shown, rows.length, ebene])
  const kommt = useEffectEvent((id: number) => ebene?.hin([id], 15))
  useEffect(() => {
    if (ebene === null) return
    if (gewaehlt !== null && gezeigt.current !== gewaehlt) kommt(gewaehlt)
    gezeigt.current = gewaehlt
  }, [gewaehlt, ebene])
  return (
    <div className="bestand-karte">
      {(werkzeuge !== undefined || karten.length > 0) && (
        <div className="bestand-werkzeuge">
          {werkzeuge}
          {karten.length > 0 && (
            <SelectField
              label={t('Grundkarte')}
              value={grund?.id ?? ''}
              emptyOption={t('keine')}
              options={karten.map(({ id, titel }) => ({ value: id, label: titel }))}
              onChange={({ target }) => waehlen(target.value)}
            />
          )}
        </div>
      )}
      <KartenFlaeche
        label={label}
        hinweis={t('Eingabetaste wählt den Bestand in der Mitte.')}
        className="bestand-ol"
        grundkarte={grund}
        ausschnitt={ausschnitt}
        rad="fokus"
        onBereit={(made) => {
          setFlaeche(made)
          return undefined
        }}
      />
      <ul className="bestand-legende" aria-label={t('Legende')}>
        {legende.map(({ key, name, farbe }) => (
          <li key={key}>
            <Farbfeld farbe={farbe} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
