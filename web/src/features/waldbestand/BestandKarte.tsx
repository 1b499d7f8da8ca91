// The map of a holding's stands, its legend and its base maps. A press chooses a stand; so does the Enter key, in the middle of what is shown.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Umriss, Waldbestand } from '#contract/bestand.ts'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import { useGrundkarte } from '../../karte/grundkarten.data.ts'
import { KartenFlaeche } from '../../karte/KartenFlaeche.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { Farbfeld, type Zeile } from './bestand-list.tsx'
import type { Bestandsebene } from './ol-bestand.ts'
import { umrisseQuery } from './waldbestand.data.ts'
import { gruppeFarbe, gruppeName, klasseFarbe, klasseName } from './waldbestand-words.ts'
import { GRUPPEN, LETZTE_KLASSE } from '#domain/bestand.ts'

export type Farbe = 'art' | 'alter'
export const farbeOf = (text: string | undefined): Farbe => (text === 'alter' ? 'alter' : 'art')

interface Props {
  wald: Waldbestand
  rows: readonly Zeile[]
  passend: readonly Zeile[]
  gewaehlt: number | null
}

export function BestandKarte(props: Props) {
  const query = useQuery(umrisseQuery(props.wald.idHQ))
  if (query.data === undefined)
    return query.isPending ? <Skeleton lines={8} /> : <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <Karte key={query.data[0]?.[0]} umrisse={query.data} {...props} />
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

function Karte({ wald, rows, passend, gewaehlt, umrisse }: Props & { umrisse: readonly Umriss[] }) {
  const view = useView()
  const farbe = farbeOf(view.search['farbe'])
  const { karten, gewaehlt: grund, waehlen } = useGrundkarte()
  const [ebene, setEbene] = useState<Bestandsebene | null>(null)
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const ausschnitt = useMemo(() => kasten(umrisse), [umrisse])
  // Whoever presses a stand on the map stays where they are; whoever chose it elsewhere is led to it.
  const gezeigt = useRef<number | null>(null)
  const choose = useEffectEvent((id: number | null) => {
    gezeigt.current = id
    view.setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })
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
        return row === undefined ? '#cccccc' : farbe === 'art' ? gruppeFarbe(row.leit) : klasseFarbe(row.klasse)
      },
      textOf: (id) => byId.get(id)?.adresse.split(' / ').slice(-3).join(' ') ?? '',
      passt: new Set(passend.map(({ id }) => id)),
      gewaehlt,
    })
  }, [ebene, byId, farbe, passend, gewaehlt])
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
  const legende =
    farbe === 'art'
      ? GRUPPEN.filter((gruppe) => rows.some(({ leit }) => leit === gruppe)).map((gruppe) => ({
          key: gruppe as string,
          name: gruppeName(gruppe),
          farbe: gruppeFarbe(gruppe),
        }))
      : [...Array.from({ length: LETZTE_KLASSE }, (_, at) => at + 1), null]
          .filter((klasse) => rows.some((row) => row.klasse === klasse))
          .map((klasse) => ({ key: String(klasse), name: klasseName(klasse), farbe: klasseFarbe(klasse) }))
  return (
    <div className="wald-karte">
      <div className="wald-werkzeuge">
        <Segments<Farbe>
          label={t('Farben der Karte')}
          value={farbe}
          options={[
            { value: 'art', label: t('Baumart') },
            { value: 'alter', label: t('Altersklasse') },
          ]}
          onChange={(next) => view.setSearch({ farbe: next === 'art' ? undefined : next }, { replace: true })}
        />
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
      <KartenFlaeche
        label={t('Karte der Bestände von {name}', { name: wald.sHQ })}
        hinweis={t('Eingabetaste wählt den Bestand in der Mitte.')}
        className="wald-ol"
        grundkarte={grund}
        ausschnitt={ausschnitt}
        rad="fokus"
        onBereit={(made) => {
          setFlaeche(made)
          return undefined
        }}
      />
      <ul className="wald-legende" aria-label={t('Legende')}>
        {legende.map(({ key, name, farbe: color }) => (
          <li key={key}>
            <Farbfeld farbe={color} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
