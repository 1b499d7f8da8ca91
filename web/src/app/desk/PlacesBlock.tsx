// A map of what concerns this person, in the rows that they may read: holdings with trees for the forest half
// and for customers' admins, customers with a survey for the others.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Place, PlaceSubject } from '#contract/places.ts'
import { rpc } from '../../data/rpc.ts'
import { useHasRole } from '../../data/session.ts'
import { Part } from '../../features/my-betrieb/Part.tsx'
import { countText, hrefOf } from '../../places/places-list.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'

const PlacesMap = splitOff(
  async () => (await import('../../karte/PlacesMap.tsx')).PlacesMap,
  <Skeleton lines={8} />,
)

const placesQuery = (was: PlaceSubject) =>
  queryOptions({
    queryKey: ['desk', 'places', was],
    queryFn: ({ signal }) => rpc('__o_get_places', { was }, { signal }),
    staleTime: 5 * 60_000,
  })

export function PlacesBlock() {
  const staff = useHasRole('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team')
  const forest = useHasRole('ogf_admin', 'ogf_team')
  const isKundeAdmin = useHasRole('kundenadmin')
  const was = forest || (isKundeAdmin && !staff) ? 'habitat' : 'kataster'
  const title = titleOf(was, staff)
  return (
    <Part title={title} query={useQuery(placesQuery(was))} lines={8}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="soft">{t('Sobald etwas erfasst ist, sehen Sie hier, wo es liegt.')}</p>
        ) : (
          <div className="desk-map">
            <Places rows={rows} was={was} title={title} />
          </div>
        )
      }
    </Part>
  )
}

function titleOf(was: PlaceSubject, staff: boolean): string {
  if (was === 'habitat') return staff ? t('Karte der Forstbetriebe') : t('Karte meiner Forstbetriebe')
  return staff ? t('Karte der Kunden') : t('Karte meiner Vermessung')
}

function Places({ rows, was, title }: { rows: readonly Place[]; was: PlaceSubject; title: string }) {
  const path = was === 'kataster' ? '/kataster/index' : '/habitatbaeume/index'
  const places = useMemo(
    () =>
      rows.map((row) => ({
        key: row.id,
        label: row.name,
        count: row.anzahl,
        countText: countText(was, row),
        href: hrefOf(was, path, row.id),
        lon: row.lon,
        lat: row.lat,
      })),
    [rows, was, path],
  )
  return <PlacesMap label={title} places={places} />
}
