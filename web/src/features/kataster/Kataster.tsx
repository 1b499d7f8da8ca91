// Charts, map and list of one customer's survey. The filters are in the address and shared by all three.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import {
  OTHER,
  type KatasterFilter,
  OBJECT_KINDS,
  type ObjectKind,
  SURVEYED,
} from '#contract/kataster-tile.ts'
import type { KatasterOverview } from '#contract/vermessung.ts'
import { valuesOf, valueFrom } from '../../list/filter-kinds.ts'
import { ListCard, useList } from '../../list/ListPage.tsx'
import { shares } from '../../record/kataster/shares.ts'
import { KatasterCharts, Growth } from '../../record/kataster/KatasterCharts.tsx'
import { KatasterExport } from '../../record/kataster/KatasterExport.tsx'
import { otherKinds, kindWords, lengthText } from '../../record/kataster/kataster-words.ts'
import { overviewQuery } from '../../record/kataster/overview.data.ts'
import { DeletedObjects } from './DeletedObjects.tsx'
import { FarObjects } from './FarObjects.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { KatasterKunde } from './kataster.data.ts'
import { KatasterKarte } from './KatasterKarte.tsx'
import { objectFilters, objectList, type Values } from './object-list.tsx'

interface Props {
  kunde: KatasterKunde
  choice: ReactNode
  /** Whether the user is staff of the provider. */
  team: boolean
}

export function Kataster({ kunde, choice, team }: Props) {
  const query = useQuery(overviewQuery(kunde.client_id))
  const { data } = query
  const total = data?.objekte.reduce((sum, { anzahl }) => sum + anzahl, 0) ?? 0
  const lengthM = Number(data?.objekte.find(({ tabelle }) => tabelle === 'draenage')?.laenge ?? 0)
  const leads = `/kataster/import?kunde=${kunde.client_id}`
  return (
    <Page
      subtitle={
        data && total > 0
          ? total === 1
            ? t('{name}: 1 Objekt, {l} Dränagen', { name: kunde.name, l: lengthText(lengthM) })
            : t('{name}: {n} Objekte, {l} Dränagen', {
                name: kunde.name,
                n: formatNumber(total),
                l: lengthText(lengthM),
              })
          : kunde.name
      }
      actions={
        (total > 0 || team) && (
          <>
            {team && <DeletedObjects kunde={kunde.client_id} />}
            {team && total > 0 && (
              <ButtonLink href={leads} icon="upload">
                {t('Vermessung importieren')}
              </ButtonLink>
            )}
            {total > 0 && <KatasterExport client_id={kunde.client_id} name={kunde.name} epsg={kunde.epsg} />}
          </>
        )
      }
    >
      {choice}
      {!data ? (
        <Card>
          {query.isPending ? (
            <Skeleton lines={8} />
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
        </Card>
      ) : total === 0 || data.umgriff === null ? (
        <NoSurvey team={team} importHref={leads} />
      ) : (
        <Bestand kunde={kunde} overview={data} umgriff={data.umgriff} />
      )}
    </Page>
  )
}

interface NoSurveyProps extends Pick<Props, 'team'> {
  importHref: string
}
const NoSurvey = ({ team, importHref }: NoSurveyProps) => (
  <Card>
    <EmptyState
      icon="layers"
      title={t('Noch keine Vermessung')}
      action={
        team && (
          <ButtonLink href={importHref} icon="upload" variant="primary">
            {t('Vermessung importieren')}
          </ButtonLink>
        )
      }
    >
      {team
        ? t(
            'Für diesen Kunden ist noch nichts importiert. Nehmen Sie GeoPackage, GeoJSON, FlatGeobuf, GML, ' +
              'DXF, Shapefile oder CSV.',
          )
        : t(
            'Sobald Dränagen, Schächte und Ausmündungen aufgenommen sind, sehen Sie sie hier auf der ' +
              'Karte. Wenn Sie schon Daten erwarten, rufen Sie uns an.',
          )}
    </EmptyState>
  </Card>
)

const kindOf = (text: string | undefined): ObjectKind =>
  OBJECT_KINDS.find((art) => art === text) ?? 'draenage'
/** Choosing the only selected value again deselects it. */
const toggled = (values: readonly string[], value: string): readonly string[] =>
  values.length === 1 && values[0] === value ? [] : [value]

/** The filters in the address for list and map, and setting them from the charts. */
function useObjects(kunde: KatasterKunde, overview: KatasterOverview) {
  const view = useView()
  const art = kindOf(view.search['art'])
  const given = useMemo(() => fieldValuesOf(overview), [overview])
  const list = useMemo(() => objectList(kunde.client_id, art, given), [kunde.client_id, art, given])
  const model = useList(list)
  const chosen = useMemo(() => {
    const of = (key: string) => {
      const kind = objectFilters(given).find((one) => one.key === key)!
      return valuesOf(kind as never, model.state.filter[key] ?? '')
    }
    return { vermessen: of('vermessen'), erfq: of('erfq'), qdt: of('qdt') }
  }, [model.state.filter, given])
  const filter = useMemo(
    (): KatasterFilter => ({
      ...(chosen.vermessen.length > 0 && {
        vermessen: SURVEYED.filter((wort) => chosen.vermessen.includes(wort)),
      }),
      ...(chosen.erfq.length > 0 && { erfq: chosen.erfq }),
      ...(chosen.qdt.length > 0 && { qdt: chosen.qdt }),
    }),
    [chosen],
  )
  const set = (
    key: 'vermessen' | 'erfq' | 'qdt',
    values: readonly string[],
    more: Readonly<Record<string, string | undefined>> = {},
  ) => {
    const kind = objectFilters(given).find((one) => one.key === key)!
    view.setSearch({ [key]: valueFrom(kind as never, values), seite: undefined, ...more })
  }
  /** The bars show lengths, so only drains stay visible. */
  const drains = (key: 'erfq' | 'qdt', name: string) => {
    const values = toggled(chosen[key], name)
    set(key, values, { art: undefined, aus: values.length === 0 ? undefined : otherKinds('draenage') })
  }
  const showArt = (next: string) =>
    view.setSearch({ art: next === 'draenage' ? undefined : next, seite: undefined })
  return { art, model, chosen, filter, set, drains, showArt }
}

interface BestandProps {
  kunde: KatasterKunde
  overview: KatasterOverview
  umgriff: readonly [number, number, number, number]
}
function Bestand({ kunde, overview, umgriff }: BestandProps) {
  const { art, model, chosen, filter, set, drains, showArt } = useObjects(kunde, overview)
  const counts = new Map(overview.objekte.map(({ tabelle, anzahl }) => [tabelle, anzahl]))
  return (
    <div className="stack">
      <KatasterCharts
        overview={overview}
        onKind={(next, wort) => {
          const same = next === art && chosen.vermessen.length === 1 && chosen.vermessen[0] === wort
          return {
            chosen: same,
            onPress: () =>
              set('vermessen', same ? [] : [wort], {
                art: next === 'draenage' ? undefined : next,
                aus: same ? undefined : otherKinds(next),
              }),
          }
        }}
        onErfq={(name) => ({ chosen: chosen.erfq.includes(name), onPress: () => drains('erfq', name) })}
        onQdt={(name) => ({ chosen: chosen.qdt.includes(name), onPress: () => drains('qdt', name) })}
      />
      <FarObjects abseits={overview.abseits} />
      <KatasterKarte kunde={kunde} filter={filter} umgriff={umgriff} />
      <Growth overview={overview} />
      <Tabs
        label={t('Objekte nach Art')}
        value={art}
        onChange={showArt}
        tabs={OBJECT_KINDS.map((one) => ({
          id: one,
          label: kindWords(one).many,
          count: counts.get(one),
          content: one === art && <ListCard model={model} />,
        }))}
      />
    </div>
  )
}

/** Filter options: the values that occur. */
function fieldValuesOf({ erfq, qdt }: KatasterOverview): Values {
  const of = (rows: readonly { readonly name: string | null; readonly laenge: number }[]) => {
    const names = shares(rows).map(({ name }) => name)
    return names.includes(OTHER) ? names : [...names, OTHER]
  }
  return {
    erfq: of(erfq.map(({ erfq: name, round }) => ({ name, laenge: round }))),
    qdt: of(qdt.map(({ qdt: name, round }) => ({ name, laenge: round }))),
  }
}
