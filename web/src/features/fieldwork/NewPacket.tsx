// Chooses what to take along: a holding, all of it or a part, and the base map.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ShortBestand, Outline } from '#contract/bestand.ts'
import type { BaseMap } from '#contract/base-map.ts'
import { type Choice, levels, chooseLevel } from '#domain/bestand.ts'
import { rpc } from '../../data/rpc.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { Surface, type SurfaceHandle } from '../../karte/Surface.tsx'
import { baseMaps } from '../../karte/base-maps.data.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Notice } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import type { FoundBetrieb } from './BetriebSearch.tsx'
import type { Requested } from './packet-run.ts'
import {
  bestaendeIn,
  estimatedBytes,
  tilesOver,
  outlineBoxesOf,
  enclosingBox,
  LEVELS,
  type Part,
} from './packet-extent.ts'

const BetriebSearch = splitOff(
  async () => (await import('./BetriebSearch.tsx')).BetriebSearch,
  <Skeleton lines={1} />,
)

const NONE: Choice = [null, null, null, null, null]

interface Forest {
  readonly bestaende: readonly ShortBestand[]
  readonly ebenen: readonly string[]
  readonly umrisse: readonly Outline[]
}
const fetchForest = async (idHQ: number, signal: AbortSignal): Promise<Forest> => {
  const [bestand, outlines] = await Promise.all([
    rpc('a_get_waldbestand', { hq_id: idHQ }, { signal, timeoutMs: 60_000 }),
    rpc('a_get_bestand_umrisse', { hq_id: idHQ }, { signal, timeoutMs: 60_000 }),
  ])
  return { bestaende: bestand?.bestaende ?? [], ebenen: bestand?.ebenen ?? [], umrisse: outlines }
}
/** What would be saved, shown before anything is fetched. */
function scopeOf(part: Part, { bestaende, umrisse }: Forest, karte: BaseMap | null) {
  const stands = bestaendeIn(part, bestaende, umrisse)
  const inside = new Set(stands.map(({ id }) => id))
  const drawn = outlineBoxesOf(umrisse.filter(([id]) => inside.has(id)))
  return { stands: stands.length, kacheln: karte === null ? 0 : tilesOver(drawn, karte).length }
}

/** What the person has chosen, whichever holding it is for. */
interface Wish {
  readonly art: Part['art']
  readonly auswahl: Choice
  /** Empty for none; null for the first one that may be saved. */
  readonly karteId: string | null
}
const FIRST_WISH: Wish = { art: 'ganz', auswahl: NONE, karteId: null }

interface Props {
  vorhanden: readonly number[]
  onSave: (request: Requested) => void
}

export function NewPacket({ vorhanden, onSave }: Props) {
  const admin = useHasRole('ogf_admin')
  const { hqs } = useSession()
  const own = hqs.filter(({ fb_enabled }) => fb_enabled)
  const free = own.filter(({ idHQ }) => !vorhanden.includes(idHQ))
  const [chosen, setChosen] = useState('')
  const [searchResult, setFound] = useState<FoundBetrieb | null>(null)
  const [wish, setWish] = useState(FIRST_WISH)
  const ownOne: FoundBetrieb | null =
    free.find(({ idHQ }) => String(idHQ) === chosen) ?? (free.length === 1 ? free[0]! : null)
  const alreadyHere = admin && searchResult !== null && vorhanden.includes(searchResult.idHQ)
  const betrieb = admin ? (alreadyHere ? null : searchResult) : ownOne
  if (!admin && own.length === 0) return <NoBetrieb />
  if (!admin && free.length === 0)
    return <p className="soft">{t('Alle Ihre Forstbetriebe liegen schon auf diesem Gerät.')}</p>
  const chooseBetrieb = (id: string) => {
    setChosen(id)
    setWish({ ...wish, auswahl: NONE })
  }
  return (
    <div className="stack">
      {admin ? (
        <BetriebSearch gewaehlt={chosen} onChoose={chooseBetrieb} onBetrieb={setFound} />
      ) : (
        <SelectField
          label={t('Forstbetrieb')}
          value={betrieb === null ? '' : String(betrieb.idHQ)}
          {...(free.length > 1 && { emptyOption: t('Bitte wählen') })}
          options={free.map((one) => ({ value: String(one.idHQ), label: one.sHQ }))}
          onChange={(event) => chooseBetrieb(event.target.value)}
        />
      )}
      {alreadyHere && <p className="soft">{t('Dieser Forstbetrieb liegt schon auf diesem Gerät.')}</p>}
      {betrieb !== null && <ScopeForm betrieb={betrieb} wish={wish} onWish={setWish} onSave={onSave} />}
    </div>
  )
}

const NoBetrieb = () => (
  <Notice tone="warning" title={t('Kein Forstbetrieb zum Erfassen')}>
    {t(
      'Erfassen können Sie in freigeschalteten Forstbetrieben, mit denen Sie verbunden sind. Fragen ' +
        'Sie die Verwaltung Ihres Forstbetriebs.',
    )}
  </Notice>
)

interface ScopeProps extends Pick<Props, 'onSave'> {
  betrieb: FoundBetrieb
  wish: Wish
  onWish: (wish: Wish) => void
}
/** How much of the holding, and which base map. */
function ScopeForm({ betrieb, wish, onWish, onSave }: ScopeProps) {
  const { idHQ, sHQ } = betrieb
  const { art, auswahl } = wish
  const [map, setMap] = useState<SurfaceHandle | null>(null)
  const forest = useQuery({
    queryKey: ['feld', 'wald', idHQ],
    queryFn: ({ signal }) => fetchForest(idHQ, signal),
    staleTime: 5 * 60_000,
  })
  const { data } = forest
  const { karten, portable, karte } = useSavableMaps(wish.karteId)
  const extent =
    data === undefined || art === 'kasten'
      ? null
      : scopeOf(art === 'adresse' ? { art, auswahl } : { art: 'ganz' }, data, karte)
  return (
    <>
      <Segments
        label={t('Umfang')}
        value={art}
        options={[
          { value: 'ganz', label: t('Alles') },
          { value: 'adresse', label: t('Nach Adresse') },
          { value: 'kasten', label: t('Kartenausschnitt') },
        ]}
        onChange={(chosen) => onWish({ ...wish, art: chosen })}
      />
      {forest.error ? (
        <ErrorState error={forest.error} onRetry={() => void forest.refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={2} />
      ) : art === 'adresse' ? (
        <Levels forest={data} auswahl={auswahl} onChoose={(chosen) => onWish({ ...wish, auswahl: chosen })} />
      ) : art === 'kasten' ? (
        <Cutout key={idHQ} name={sHQ} umrisse={data.umrisse} onMap={setMap} />
      ) : null}
      {portable.length > 0 ? (
        <BaseMapChoice
          portable={portable}
          karte={karte}
          kacheln={extent === null ? null : extent.kacheln}
          onChoose={(karteId) => onWish({ ...wish, karteId })}
        />
      ) : (
        karten && <NoBaseMap none={karten.length === 0} />
      )}
      {extent !== null && (
        <p className="soft">
          {extent.stands === 1 ? t('1 Bestand') : t('{n} Bestände', { n: formatNumber(extent.stands) })}
        </p>
      )}
      <Button
        variant="primary"
        icon="download"
        disabled={data === undefined || (art === 'adresse' && auswahl.every((wert) => wert === null))}
        onClick={() => onSave({ idHQ, sHQ, teil: partOf(wish, map), karte })}
      >
        {t('Auf diesem Gerät speichern')}
      </Button>
    </>
  )
}

/** The visible part of the map, where one is asked for. */
export function partOf({ art, auswahl }: Pick<Wish, 'art' | 'auswahl'>, surface: SurfaceHandle | null): Part {
  if (art === 'adresse') return { art, auswahl }
  const size = surface?.map.getSize()
  if (art !== 'kasten' || surface === null || !size) return { art: 'ganz' }
  const [west = 0, south = 0, east = 0, north = 0] = surface.map.getView().calculateExtent(size)
  return { art, kasten: [west, south, east, north] }
}

/** The base maps whose tiles may be kept on a device, and the chosen one. */
export function useSavableMaps(karteId: string | null) {
  const { data: karten } = useQuery(baseMaps)
  const portable = (karten ?? []).filter(({ mitnehmen }) => mitnehmen)
  const karte = karteId === '' ? null : (portable.find(({ id }) => id === karteId) ?? portable[0] ?? null)
  return { karten, portable, karte }
}

interface LevelsProps {
  forest: Forest
  auswahl: Choice
  onChoose: (selection: Choice) => void
}
const Levels = ({ forest: { bestaende, ebenen }, auswahl, onChoose }: LevelsProps) => (
  <div className="feld-stufen">
    {levels(bestaende, auswahl, ebenen).map(({ ebene, name, gewaehlt, werte }) => (
      <SelectField
        key={ebene}
        label={name}
        value={gewaehlt ?? ''}
        emptyOption={t('Alle')}
        options={werte
          .filter(({ wert }) => wert !== '')
          .map(({ wert, anzahl }) => ({ value: wert, label: `${wert} (${anzahl})` }))}
        onChange={({ target: { value } }) =>
          onChoose(chooseLevel(auswahl, ebene, value === '' ? null : value))
        }
      />
    ))}
  </div>
)

interface CutoutProps {
  name: string
  umrisse: readonly Outline[]
  /** Called with null when the map goes. */
  onMap: (surface: SurfaceHandle | null) => void
}
function Cutout({ name, umrisse, onMap }: CutoutProps) {
  const whole = useMemo(() => enclosingBox(outlineBoxesOf(umrisse)), [umrisse])
  return (
    <div className="feld-ausschnitt">
      <Surface
        label={t('Ausschnitt von {name}', { name })}
        hint={t('Gespeichert wird, was zu sehen ist.')}
        make={(ol, target) => ol.makeKarteSurface(target, whole, { wheel: 'fokus' })}
        onReady={(made) => {
          onMap(made)
          void import('./ol-fieldwork.ts').then(({ fieldworkLayers }) =>
            fieldworkLayers(made.map, {
              baum: () => {},
              dragged: () => {},
              viewport: () => {},
            }).bestaende(umrisse, () => ''),
          )
          return () => onMap(null)
        }}
        fuss={<span>{t('Gespeichert wird, was zu sehen ist.')}</span>}
      />
    </div>
  )
}

interface BaseMapProps {
  portable: readonly BaseMap[]
  karte: BaseMap | null
  /** Number of tiles; null if it depends on the visible part. */
  kacheln: number | null
  onChoose: (karteId: string) => void
}
export function BaseMapChoice({ portable, karte, kacheln, onChoose }: BaseMapProps) {
  const sizeText = () =>
    karte === null
      ? undefined
      : kacheln === null
        ? t('Zoomstufen {a} bis {b}, höchstens 3.000 Kacheln und 60 MB', { a: LEVELS.von, b: LEVELS.bis })
        : t('{n} Kacheln, etwa {size}', {
            n: formatNumber(kacheln),
            size: formatBytes(estimatedBytes(kacheln, karte.art)),
          })
  return (
    <SelectField
      label={t('Hintergrundkarte')}
      value={karte?.id ?? ''}
      emptyOption={t('Keine')}
      options={portable.map(({ id, titel }) => ({ value: id, label: titel }))}
      hint={sizeText()}
      onChange={(event) => onChoose(event.target.value)}
    />
  )
}

export const NoBaseMap = ({ none }: { none: boolean }) => (
  <p className="soft">
    {none
      ? t('Es ist keine Hintergrundkarte eingerichtet: Alles liegt auf leerem Grund.')
      : t(
          'Die eingerichteten Hintergrundkarten dürfen nicht auf Geräten gespeichert werden: Alles liegt ' +
            'auf leerem Grund.',
        )}
  </p>
)
