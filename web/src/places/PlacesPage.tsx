// Where pages about a holding or customer begin: the one opened last, a list of those that have something,
// and a map of them. A field reaches the others.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Place, type PlaceSubject } from '#contract/places.ts'
import { countText as totalText, ListCard, useList } from '../list/ListPage.tsx'
import { cleanSearch } from '../list/list.ts'
import { arrayQuery } from '../list/use-list-rows.ts'
import { Notice } from '../ui/Display.tsx'
import { formatNumber } from '../ui/format.ts'
import { Icon } from '../ui/Icon.tsx'
import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/States.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { t } from '../ui/text.ts'
import { useView } from '../ui/view.tsx'
import { countText, hrefOf, placesList, summary } from './places-list.tsx'
import './places.css'

const PlacesMap = splitOff(
  async () => (await import('../karte/PlacesMap.tsx')).PlacesMap,
  <Skeleton lines={8} />,
)

interface Props {
  was: PlaceSubject
  /** Reaches every holding or customer, with or without something. */
  choice: ReactNode
  /** The one opened last; null if there is none. */
  last: { readonly id: number; readonly name: string } | null
}

/** The rows in the browser; beyond the most, the server searches. */
function usePlaces(was: PlaceSubject) {
  const { search, path } = useView()
  const all = useQuery(arrayQuery(useMemo(() => placesList(was, path, ''), [was, path])))
  const isWhole = (all.data?.[0]?.gesamt ?? 0) <= (all.data?.length ?? 0)
  const asked = isWhole ? '' : cleanSearch(search['suche'] ?? '')
  const list = useMemo(() => placesList(was, path, asked), [was, path, asked])
  return { list, everything: all.data }
}

export function PlacesPage({ was, choice, last }: Props) {
  const { path } = useView()
  const { list, everything } = usePlaces(was)
  const model = useList(list)
  const rows = model.rows.all
  const total = rows?.[0]?.gesamt ?? 0
  const lastRow = everything?.find(({ id }) => id === last?.id)
  const places = useMemo(
    () =>
      (rows ?? []).map((row) => ({
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
  // The list counts what is in the browser.
  const isAll = total > (rows?.length ?? 0) && model.state.suche === ''
  const isEmpty = everything?.length === 0
  return (
    <Page subtitle={isAll ? list.words().many(formatNumber(total)) : totalText(model)}>
      <div className="places-start">
        {last && <Last was={was} last={last} row={lastRow} />}
        {choice}
      </div>
      <div className={isEmpty ? undefined : 'places-columns'}>
        <div className="stack places-list">
          {rows !== undefined && total > rows.length && <Most shown={rows.length} total={total} />}
          <ListCard model={model} />
        </div>
        {!isEmpty && (
          <div className="places-map-side">
            {model.rows.loading ? (
              <Skeleton lines={8} />
            ) : (
              <PlacesMap label={mapLabel(was)} places={places} />
            )}
            <WithoutPlace was={was} n={places.filter(({ lon }) => lon === null).length} />
          </div>
        )}
      </div>
    </Page>
  )
}

const mapLabel = (was: PlaceSubject): string =>
  was === 'kataster' ? t('Karte der Kunden') : t('Karte der Forstbetriebe')

function Last({
  was,
  last,
  row,
}: Pick<Props, 'was'> & { last: NonNullable<Props['last']>; row?: Place | undefined }) {
  const { path } = useView()
  return (
    <a className="places-last" href={hrefOf(was, path, last.id)}>
      <Icon name="clock" size={20} />
      <span className="places-last-text">
        <span className="soft">{t('Zuletzt geöffnet')}</span>
        <strong>{last.name}</strong>
        {row && <span className="soft">{summary(was, row)}</span>}
      </span>
    </a>
  )
}

const Most = ({ shown, total }: { shown: number; total: number }) => (
  <Notice tone="info">
    {t('Gezeigt werden die {n} zuletzt geänderten von {total}. Die Suche findet auch die übrigen.', {
      n: formatNumber(shown),
      total: formatNumber(total),
    })}
  </Notice>
)

function WithoutPlace({ was, n }: { was: PlaceSubject; n: number }) {
  if (n === 0) return null
  const count = formatNumber(n)
  return (
    <p className="soft places-without">
      {was === 'kataster'
        ? n === 1
          ? t('1 Kunde ohne Lage steht nur in der Liste.')
          : t('{n} Kunden ohne Lage stehen nur in der Liste.', { n: count })
        : n === 1
          ? t('1 Forstbetrieb ohne eingezeichnete Fläche steht nur in der Liste.')
          : t('{n} Forstbetriebe ohne eingezeichnete Fläche stehen nur in der Liste.', { n: count })}
    </p>
  )
}
