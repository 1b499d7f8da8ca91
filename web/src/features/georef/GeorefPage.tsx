// /karten/{id}/georef: loads what the georeferencer needs before it starts.
import { useQuery } from '@tanstack/react-query'
import { converterQuery } from '../../karte/converter.ts'
import { gazetteerQuery } from '../../karte/gazetteer.data.ts'
import type { Box } from '../../karte/gazetteer.ts'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { Georef } from './Georef.tsx'
import { georefRecord, storedFiles, surroundings } from './georef.data.ts'

export function GeorefPage() {
  const id = useView().params['id'] ?? ''
  const record = useQuery(georefRecord(id))
  const files = useQuery({
    ...storedFiles(id),
    // Poll while a scan is being tiled.
    refetchInterval: ({ state }) =>
      state.data?.some(({ art, kacheln }) => art === 'scan' && !kacheln) ? 2000 : false,
  })
  const converter = useQuery(converterQuery)
  const around = useSurroundings(id)
  const error = record.error ?? files.error ?? converter.error
  if (
    record.data === undefined ||
    files.data === undefined ||
    converter.data === undefined ||
    around === undefined
  )
    return (
      <RecordUnready
        error={error}
        words={{
          title: t('Georeferenzierung'),
          notFound: t('Plan nicht gefunden'),
          headline: t('Diesen Plan gibt es nicht'),
          hint: t('Er wurde gelöscht, oder Sie dürfen ihn nicht sehen.'),
          back: { href: '/karten/index', text: t('Zu den Plänen') },
        }}
        onRetry={() => void Promise.all([record.refetch(), files.refetch(), converter.refetch()])}
      />
    )
  const newest = (art: 'scan' | 'ergebnis') => files.data.find((file) => file.art === art) ?? null
  return (
    <Georef
      key={id}
      record={record.data}
      scan={newest('scan')}
      ergebnis={newest('ergebnis')}
      converter={converter.data}
      surroundings={around}
    />
  )
}

/**
 * Where the plan may be, in Web Mercator; null if nobody knows or the answer did not come: the map then shows
 * the country. Undefined while it is awaited.
 */
function useSurroundings(id: string): Box | null | undefined {
  const around = useQuery(surroundings(id))
  const plz = around.data?.kasten === null ? around.data.plz : null
  const gazetteer = useQuery({ ...gazetteerQuery, enabled: plz !== null })
  // What was fetched once is not awaited again, also if it is requested again after a fault.
  if (!around.isFetched) return undefined
  if (plz === null) return around.data?.kasten ?? null
  return gazetteer.isFetched ? (gazetteer.data?.boxOfCode(plz) ?? null) : undefined
}
