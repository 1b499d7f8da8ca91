// The trees that the list's filters let through, on the map: heaps that open by a press, single trees that lead to their page.
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
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
import { haufenQuery, umfangQuery, umrisseQuery } from './habitat.data.ts'
import { type Block, bloeckeOf, type Haufen, type Kasten, type Stufe, ueber } from './haufen.ts'
import { kastenVonUmrissen } from './umrisse.ts'
import { useEbene } from './use-ebene.ts'

interface Props {
  betrieb: Betrieb
  list: TableList<Zeile>
  state: ListState
}

export function HabitatKarte({ betrieb, list, state }: Props) {
  const umrisse = useQuery(umrisseQuery(betrieb.idHQ))
  const umfang = useQuery({ ...umfangQuery(list, state), placeholderData: (before: Umfang | undefined) => before })
  if (umfang.data === undefined)
    return umfang.isPending ? <Skeleton lines={8} /> : <ErrorState error={umfang.error} onRetry={() => void umfang.refetch()} />
  // A holding without stands, or whose stands did not come, still has its trees.
  if (umrisse.isPending) return <Skeleton lines={8} />
  return <Karte betrieb={betrieb} list={list} state={state} umfang={umfang.data} umrisse={umrisse.data} />
}

interface Umfang {
  readonly anzahl: number
  readonly kasten: Kasten | null
}
interface KarteProps extends Props {
  umfang: Umfang
  umrisse: Parameters<typeof kastenVonUmrissen>[0] | undefined
}
interface Blick {
  readonly kasten: Kasten
  readonly stufe: Stufe
}
const KEINE: readonly Block[] = []

const together = (results: readonly UseQueryResult<Haufen[]>[]) => ({
  da: results.length > 0 && results.every(({ data }) => data !== undefined),
  haufen: results.flatMap(({ data }) => data ?? []),
  fehler: results.find(({ isError }) => isError)?.error ?? null,
  nochmal: () => {
    for (const { isError, refetch } of results) if (isError) void refetch()
  },
})
/** Heaps of what is in sight. While others come, those that were there stay: nothing flickers when the map is enlarged or a filter is set. */
function useHaufen(list: TableList<Zeile>, state: ListState, blick: Blick | null) {
  const bloecke = useMemo(() => (blick === null ? KEINE : bloeckeOf(blick.kasten, blick.stufe)), [blick])
  return useQueries({ queries: bloecke.map((block) => haufenQuery(list, state, block)), combine: together })
}

function Karte({ betrieb, list, state, umfang, umrisse }: KarteProps) {
  const view = useView()
  const { karten, gewaehlt, waehlen } = useGrundkarte()
  const [flaeche, setFlaeche] = useState<FlaecheGriff | null>(null)
  const [blick, setBlick] = useState<Blick | null>(null)
  const [zeichen, setZeichen] = useState(0)
  const { da, haufen, fehler, nochmal } = useHaufen(list, state, blick)
  // One tree far outside must not make the holding small.
  const ausschnitt = useMemo(() => kastenVonUmrissen(umrisse ?? []) ?? umfang.kasten, [umfang, umrisse])
  const [first] = useState(ausschnitt)
  const ebene = useEbene(
    flaeche,
    (id: number) => view.go(baumHref(id)),
    (ol, map, waehlen) => ol.baumebene(map, { waehlen, blick: (kasten, stufe) => setBlick({ kasten, stufe }), zeichen: setZeichen }),
  )
  useEffect(() => ebene?.umrisse(umrisse ?? []), [ebene, umrisse])
  useEffect(() => {
    if (da) ebene?.zeige(haufen)
  }, [ebene, da, haufen])
  // Where the filters lead; not at first, when everything is shown as it is.
  const narrowed = useRef(isNarrowed(state))
  const follow = useEffectEvent(() => {
    // Whoever looks for those outside wants to see them.
    const alle = state.filter['befund'] !== undefined
    if (umfang.kasten !== null) ebene?.hin(alle ? umfang.kasten : ueber(umfang.kasten, kastenVonUmrissen(umrisse ?? [])))
  })
  useEffect(() => {
    const now = isNarrowed(state)
    if (ebene !== null && (now || narrowed.current)) follow()
    narrowed.current = now
  }, [ebene, umfang, state])
  const legende = [t('lebend oder absterbend'), t('tot'), t('Anwärter'), t('verloren')]
  return (
    <div className="habitat-karte" data-symbole={zeichen} data-fertig={da}>
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
          {umfang.anzahl === 1 ? t('1 Baum auf der Karte') : t('{n} Bäume auf der Karte', { n: formatNumber(umfang.anzahl) })}
        </output>
      </div>
      {fehler !== null && <ErrorState error={fehler} onRetry={nochmal} />}
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
