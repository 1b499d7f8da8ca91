// The trees that the list's filters let through, on the map: heaps that open by a press, single trees that lead to their page.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import { useGrundkarte } from '../../karte/grundkarten.data.ts'
import { KartenFlaeche } from '../../karte/KartenFlaeche.tsx'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { isNarrowed, type ListState } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { baumHref, type Zeile } from './habitat-list.tsx'
import { punkteQuery, umrisseQuery } from './habitat.data.ts'
import { kastenOf, type Punkte } from './haufen.ts'
import type { Baumebene } from './ol-habitat.ts'
import { kastenVonUmrissen } from './umrisse.ts'

interface Props {
  betrieb: Betrieb
  list: TableList<Zeile>
  state: ListState
}

export function HabitatKarte({ betrieb, list, state }: Props) {
  const punkte = useQuery({ ...punkteQuery(list, state), placeholderData: (before: Punkte | undefined) => before })
  const umrisse = useQuery(umrisseQuery(betrieb.idHQ))
  if (punkte.data === undefined)
    return punkte.isPending ? <Skeleton lines={8} /> : <ErrorState error={punkte.error} onRetry={() => void punkte.refetch()} />
  // A holding without stands, or whose stands did not come, still has its trees.
  if (umrisse.isPending) return <Skeleton lines={8} />
  return <Karte betrieb={betrieb} state={state} punkte={punkte.data} umrisse={umrisse.data} />
}

interface KarteProps extends Omit<Props, 'list'> {
  punkte: Punkte
  umrisse: Parameters<typeof kastenVonUmrissen>[0] | undefined
}
function Karte({ betrieb, state, punkte, umrisse }: KarteProps) {
  const view = useView()
  const { karten, gewaehlt, waehlen } = useGrundkarte()
  const [flaeche, setFlaeche] = useState<FlaecheGriff | null>(null)
  const [ebene, setEbene] = useState<Baumebene | null>(null)
  // One tree far outside must not make the holding small.
  const ausschnitt = useMemo(() => kastenVonUmrissen(umrisse ?? []) ?? kastenOf(punkte), [punkte, umrisse])
  const [first] = useState(ausschnitt)
  const open = useEffectEvent((id: number) => view.go(baumHref(id)))
  useEffect(() => {
    if (flaeche === null) return
    let gone = false
    let made: Baumebene | null = null
    void import('./ol-habitat.ts').then((ol) => {
      if (gone) return
      made = ol.baumebene(flaeche.map, open)
      setEbene(made)
    })
    return () => {
      gone = true
      made?.schliessen()
    }
  }, [flaeche])
  useEffect(() => ebene?.umrisse(umrisse ?? []), [ebene, umrisse])
  useEffect(() => ebene?.zeige(punkte), [ebene, punkte])
  // Where the filters lead; not at first, when everything is shown as it is.
  const narrowed = useRef(isNarrowed(state))
  const follow = useEffectEvent(() => {
    const box = kastenOf(punkte)
    if (box !== null) ebene?.hin(box)
  })
  useEffect(() => {
    const now = isNarrowed(state)
    if (ebene !== null && (now || narrowed.current)) follow()
    narrowed.current = now
  }, [ebene, punkte, state])
  const legende = [t('lebend oder absterbend'), t('tot'), t('Anwärter'), t('verloren')]
  return (
    <div className="habitat-karte">
      <div className="habitat-karte-kopf">
        {karten.length > 0 && (
          <SelectField
            label={t('Grundkarte')}
            value={gewaehlt?.id ?? ''}
            emptyOption={t('keine')}
            options={karten.map(({ id, titel }) => ({ value: id, label: titel }))}
            onChange={({ target }) => waehlen(target.value)}
          />
        )}
        <output className="soft">
          {punkte.anzahl === 1 ? t('1 Baum auf der Karte') : t('{n} Bäume auf der Karte', { n: formatNumber(punkte.anzahl) })}
        </output>
      </div>
      <KartenFlaeche
        label={t('Karte der Habitatbäume von {name}', { name: betrieb.sHQ })}
        hinweis={t('Eingabetaste öffnet, was der Mitte am nächsten ist. Alle Bäume stehen auch in der Liste darunter.')}
        className="habitat-ol"
        grundkarte={gewaehlt}
        ausschnitt={first}
        rad="fokus"
        onBereit={(made) => {
          setFlaeche(made)
          return undefined
        }}
      />
      <ul className="habitat-legende" aria-label={t('Legende')}>
        {legende.map((name, at) => (
          <li key={name}>
            <span className={`habitat-punkt habitat-punkt-${at}`} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
