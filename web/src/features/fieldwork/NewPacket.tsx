// Chooses what to take along: a holding, all of it or a part, and the base map.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
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
  const [bestand, umrisse] = await Promise.all([
    rpc('a_get_waldbestand', { hq_id: idHQ }, { signal, timeoutMs: 60_000 }),
    rpc('a_get_bestand_umrisse', { hq_id: idHQ }, { signal, timeoutMs: 60_000 }),
  ])
  return { bestaende: bestand?.bestaende ?? [], ebenen: bestand?.ebenen ?? [], umrisse }
}
/** What would be saved, shown before anything is fetched. */
function scopeOf(teil: Part, { bestaende, umrisse }: Forest, karte: BaseMap | null) {
  const stands = bestaendeIn(teil, bestaende, umrisse)
  const inside = new Set(stands.map(({ id }) => id))
  const drawn = outlineBoxesOf(umrisse.filter(([id]) => inside.has(id)))
  return { stands: stands.length, kacheln: karte === null ? 0 : tilesOver(drawn, karte).length }
}

export function NewPacket({
  vorhanden,
  onSave,
}: {
  vorhanden: readonly number[]
  onSave: (request: Requested) => void
}) {
  const admin = useHasRole('ogf_admin')
  const { hqs } = useSession()
  const own = hqs.filter(({ fb_enabled }) => fb_enabled)
  const free = own.filter(({ idHQ }) => !vorhanden.includes(idHQ))
  const [gewaehlt, setChosen] = useState('')
  const [searchResult, setFound] = useState<FoundBetrieb | null>(null)
  const [art, setKind] = useState<Part['art']>('ganz')
  const [auswahl, setSelection] = useState<Choice>(NONE)
  const [karteId, setKarteId] = useState<string | null>(null)
  const handle = useRef<SurfaceHandle | null>(null)
  const ownOne: FoundBetrieb | null =
    free.find(({ idHQ }) => String(idHQ) === gewaehlt) ?? (free.length === 1 ? free[0]! : null)
  const alreadyHere = admin && searchResult !== null && vorhanden.includes(searchResult.idHQ)
  const betrieb = admin ? (alreadyHere ? null : searchResult) : ownOne
  const idHQ = betrieb?.idHQ ?? 0
  const forest = useQuery({
    queryKey: ['feld', 'wald', idHQ],
    queryFn: ({ signal }) => fetchForest(idHQ, signal),
    enabled: betrieb !== null,
    staleTime: 5 * 60_000,
  })
  const karten = useQuery(baseMaps)
  const portableKarten = (karten.data ?? []).filter(({ mitnehmen }) => mitnehmen)
  const karte =
    karteId === '' ? null : (portableKarten.find(({ id }) => id === karteId) ?? portableKarten[0] ?? null)

  const teil = (): Part => {
    if (art === 'adresse') return { art, auswahl }
    const map = handle.current?.map
    const size = map?.getSize()
    if (art === 'kasten' && map && size) {
      const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(size)
      return { art, kasten: [west, south, east, north] }
    }
    return { art: 'ganz' }
  }
  const { data } = forest
  const umfang =
    data === undefined || art === 'kasten'
      ? null
      : scopeOf(art === 'adresse' ? { art, auswahl } : { art: 'ganz' }, data, karte)
  const whole = useMemo(
    () => (data === undefined ? null : enclosingBox(outlineBoxesOf(data.umrisse))),
    [data],
  )

  if (!admin && own.length === 0)
    return (
      <Notice tone="warning" title={t('Kein Forstbetrieb zum Erfassen')}>
        {t(
          'Erfassen können Sie in freigeschalteten Forstbetrieben, mit denen Sie verbunden sind. Fragen Sie die Verwaltung Ihres Forstbetriebs.',
        )}
      </Notice>
    )
  if (!admin && free.length === 0)
    return <p className="soft">{t('Alle Ihre Forstbetriebe liegen schon auf diesem Gerät.')}</p>
  const chooseBetrieb = (id: string) => {
    setChosen(id)
    setSelection(NONE)
  }
  return (
    <div className="stack">
      {admin ? (
        <BetriebSearch gewaehlt={gewaehlt} onChoose={chooseBetrieb} onBetrieb={setFound} />
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
      {betrieb !== null && (
        <>
          <Segments
            label={t('Umfang')}
            value={art}
            options={[
              { value: 'ganz', label: t('Alles') },
              { value: 'adresse', label: t('Nach Adresse') },
              { value: 'kasten', label: t('Kartenausschnitt') },
            ]}
            onChange={setKind}
          />
          {forest.error ? (
            <ErrorState error={forest.error} onRetry={() => void forest.refetch()} />
          ) : data === undefined ? (
            <Skeleton lines={2} />
          ) : art === 'adresse' ? (
            <div className="feld-stufen">
              {levels(data.bestaende, auswahl, data.ebenen).map(
                ({ ebene, name, gewaehlt: chosen, werte }) => (
                  <SelectField
                    key={ebene}
                    label={name}
                    value={chosen ?? ''}
                    emptyOption={t('Alle')}
                    options={werte
                      .filter(({ wert }) => wert !== '')
                      .map(({ wert, anzahl }) => ({ value: wert, label: `${wert} (${anzahl})` }))}
                    onChange={(event) =>
                      setSelection(
                        chooseLevel(auswahl, ebene, event.target.value === '' ? null : event.target.value),
                      )
                    }
                  />
                ),
              )}
            </div>
          ) : art === 'kasten' ? (
            <div className="feld-ausschnitt">
              <Surface
                key={betrieb.idHQ}
                label={t('Ausschnitt von {name}', { name: betrieb.sHQ })}
                hint={t('Gespeichert wird, was zu sehen ist.')}
                make={(ol, target) => ol.makeKarteSurface(target, whole, { wheel: 'fokus' })}
                onReady={(made) => {
                  handle.current = made
                  void import('./ol-fieldwork.ts').then(({ fieldworkLayers }) =>
                    fieldworkLayers(made.map, {
                      baum: () => {},
                      dragged: () => {},
                      viewport: () => {},
                    }).bestaende(data.umrisse, () => ''),
                  )
                  return () => {
                    handle.current = null
                  }
                }}
                fuss={<span>{t('Gespeichert wird, was zu sehen ist.')}</span>}
              />
            </div>
          ) : null}
          {portableKarten.length > 0 ? (
            <SelectField
              label={t('Hintergrundkarte')}
              value={karte?.id ?? ''}
              emptyOption={t('Keine')}
              options={portableKarten.map(({ id, titel }) => ({ value: id, label: titel }))}
              hint={
                karte === null
                  ? undefined
                  : umfang === null
                    ? t('Zoomstufen {a} bis {b}, höchstens 3.000 Kacheln und 60 MB', {
                        a: LEVELS.von,
                        b: LEVELS.bis,
                      })
                    : t('{n} Kacheln, etwa {size}', {
                        n: formatNumber(umfang.kacheln),
                        size: formatBytes(estimatedBytes(umfang.kacheln, karte.art)),
                      })
              }
              onChange={(event) => setKarteId(event.target.value)}
            />
          ) : (
            karten.data && (
              <p className="soft">
                {karten.data.length === 0
                  ? t(
                      'Es ist keine Hintergrundkarte eingerichtet: Bestände und Bäume liegen auf leerem Grund.',
                    )
                  : t(
                      'Die eingerichteten Hintergrundkarten dürfen nicht auf Geräten gespeichert werden: Bestände und Bäume liegen auf leerem Grund.',
                    )}
              </p>
            )
          )}
          {umfang !== null && (
            <p className="soft">
              {umfang.stands === 1 ? t('1 Bestand') : t('{n} Bestände', { n: formatNumber(umfang.stands) })}
            </p>
          )}
          <Button
            variant="primary"
            icon="download"
            disabled={data === undefined || (art === 'adresse' && auswahl.every((wert) => wert === null))}
            onClick={() => onSave({ idHQ: betrieb.idHQ, sHQ: betrieb.sHQ, teil: teil(), karte })}
          >
            {t('Auf diesem Gerät speichern')}
          </Button>
        </>
      )}
    </div>
  )
}
