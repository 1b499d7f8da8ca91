// Chooses what to take along of a customer's survey: all of it or a part of the map, and the base map.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { contains, eq } from '../../data/addresses.ts'
import { nullIfMissing, selectOne, selectPage } from '../../data/rows.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { Surface } from '../../karte/Surface.tsx'
import { RecordField } from '../../list/RecordField.tsx'
import { overviewQuery } from '../../record/kataster/overview.data.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import type { Option } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { surveyKey } from './fieldwork-db.ts'
import { BaseMapChoice, NoBaseMap, partOf, useSavableMaps } from './NewPacket.tsx'
import type { Requested } from './packet-run.ts'

type FoundKunde = Pick<Kunde, 'client_id' | 'name'>

async function findKunde(text: string, signal: AbortSignal): Promise<Option[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)
  const { rows } = await selectPage<FoundKunde>('kunde', {
    select: ['client_id', 'name'],
    filters: words.map((word) => contains('suchtext', word)),
    order: [{ column: 'sortname' }, { column: 'client_id' }],
    limit: 8,
    count: 'none',
    signal,
  })
  return rows.map(({ client_id, name }) => ({ value: String(client_id), label: name }))
}
const loadKunde = (id: string, signal: AbortSignal): Promise<FoundKunde> =>
  selectOne<FoundKunde>('kunde', [eq('client_id', id)], { select: ['client_id', 'name'], signal })
const KUNDE = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunde,
  name: async (id: string, signal: AbortSignal) => (await nullIfMissing(loadKunde(id, signal)))?.name ?? null,
} as const

interface Props {
  vorhanden: readonly number[]
  onSave: (request: Requested) => void
}
export function NewSurvey({ vorhanden, onSave }: Props) {
  const [chosen, setChosen] = useState('')
  const kunde = useQuery({
    queryKey: ['feld', 'kunde', chosen],
    queryFn: ({ signal }) => loadKunde(chosen, signal),
    enabled: chosen !== '',
    staleTime: 60_000,
  })
  return (
    <div className="stack">
      <RecordField filter={KUNDE} label={t('Kunde')} value={chosen} apply={setChosen} />
      {kunde.data !== undefined &&
        (vorhanden.includes(surveyKey(kunde.data.client_id)) ? (
          <p className="soft">{t('Die Vermessung dieses Kunden liegt schon auf diesem Gerät.')}</p>
        ) : (
          <Scope key={chosen} kunde={kunde.data} onSave={onSave} />
        ))}
    </div>
  )
}

/** How much of the survey, and which base map. */
function Scope({ kunde: { client_id, name }, onSave }: { kunde: FoundKunde } & Pick<Props, 'onSave'>) {
  const [art, setArt] = useState<'ganz' | 'kasten'>('ganz')
  const [map, setMap] = useState<SurfaceHandle | null>(null)
  const [karteId, setKarteId] = useState<string | null>(null)
  const { karten, portable, karte } = useSavableMaps(karteId)
  const overview = useQuery(overviewQuery(client_id))
  const { data, error } = overview
  if (error) return <ErrorState error={error} onRetry={() => void overview.refetch()} />
  if (data === undefined) return <Skeleton lines={3} />
  const count = data.objekte.reduce((sum, { anzahl }) => sum + anzahl, 0)
  return (
    <>
      <Segments
        label={t('Umfang')}
        value={art}
        options={[
          { value: 'ganz', label: t('Alles') },
          { value: 'kasten', label: t('Kartenausschnitt') },
        ]}
        onChange={setArt}
      />
      {art === 'kasten' && (
        <div className="feld-ausschnitt">
          <Surface
            label={t('Ausschnitt von {name}', { name })}
            hint={t('Gespeichert wird, was zu sehen ist.')}
            make={(ol, target) => ol.makeKarteSurface(target, data.umgriff, { wheel: 'fokus' })}
            onReady={(made) => {
              setMap(made)
              return () => setMap(null)
            }}
            fuss={<span>{t('Gespeichert wird, was zu sehen ist.')}</span>}
          />
        </div>
      )}
      {portable.length > 0 ? (
        <BaseMapChoice portable={portable} karte={karte} kacheln={null} onChoose={setKarteId} />
      ) : (
        karten && <NoBaseMap none={karten.length === 0} />
      )}
      <p className="soft">{count === 1 ? t('1 Objekt') : t('{n} Objekte', { n: formatNumber(count) })}</p>
      <Button
        variant="primary"
        icon="download"
        onClick={() =>
          onSave({ idHQ: surveyKey(client_id), sHQ: name, teil: partOf({ art, auswahl: [] }, map), karte })
        }
      >
        {t('Auf diesem Gerät speichern')}
      </Button>
    </>
  )
}
