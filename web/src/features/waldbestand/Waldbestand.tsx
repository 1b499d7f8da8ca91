// Figures, cascade, charts, map, selected stand and list of one holding. The filters are in the address, so
// that all of them show the same stands.
import { type ReactNode, useMemo, useState } from 'react'
import type { Waldbestand as Wald } from '#contract/bestand.ts'
import { type Choice, summen } from '#domain/bestand.ts'
import { useHasRole } from '../../data/session.ts'
import { levelKey } from '../../list/cascade-levels.ts'
import { arrange } from '../../list/array-source.ts'
import { type ListFilter, valueFrom, valuesOf } from '../../list/filter-kinds.ts'
import { ListCard, useList } from '../../list/ListPage.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { choiceOf, bestandList, EMPTY, type TableRow, rowsOf } from './bestand-list.tsx'
import { BestandKarte } from './BestandKarte.tsx'
import { BestandPanel } from './BestandPanel.tsx'
import { Charts } from './Charts.tsx'
import { Levels } from './Levels.tsx'
import { GpkgExport } from './GpkgExport.tsx'
import { haText } from './waldbestand-words.ts'

const LevelsDialog = splitOff(async () => (await import('./LevelsDialog.tsx')).LevelsDialog)

const importHref = (forest: Wald): string => `/waldbestand/import?fb=${forest.idHQ}`

function Tools({ forest }: { forest: Wald }) {
  const [names, setNames] = useState(false)
  if (!useHasRole('ogf_admin')) return null
  return (
    <>
      <Button icon="edit" onClick={() => setNames(true)}>
        {t('Ebenen benennen')}
      </Button>
      <ButtonLink href={importHref(forest)} icon="upload">
        {t('Forsteinrichtung importieren')}
      </ButtonLink>
      {names && <LevelsDialog forest={forest} onClose={() => setNames(false)} />}
    </>
  )
}

export function EmptyBestand({ forest, choice }: { forest: Wald; choice: ReactNode }) {
  const admin = useHasRole('ogf_admin')
  const team = useHasRole('ogf_admin', 'ogf_team')
  return (
    <Page subtitle={forest.sHQ}>
      {choice}
      <Card>
        <EmptyState
          icon="forest"
          title={t('Noch keine Forsteinrichtung')}
          action={
            admin && (
              <ButtonLink href={importHref(forest)} icon="upload" variant="primary">
                {t('Forsteinrichtung importieren')}
              </ButtonLink>
            )
          }
        >
          {admin
            ? t(
                'Für diesen Forstbetrieb ist noch nichts importiert. Nehmen Sie ein GeoPackage oder Shapefile mit den Bestandesflächen und eine Tabelle der Baumarten.',
              )
            : team
              ? t(
                  'Für diesen Forstbetrieb ist noch nichts importiert. Ein Admin kann die Forsteinrichtung einlesen.',
                )
              : t(
                  'Sobald Ihre Forsteinrichtung eingelesen ist, sehen Sie hier Ihre Bestände auf der Karte, mit Baumarten, Alter und Vorrat. Liegt sie schon vor, dann schicken Sie sie uns.',
                )}
        </EmptyState>
      </Card>
    </Page>
  )
}

const without = (filter: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([key]) => !keys.includes(key)))
const LEVEL_KEYS = Array.from({ length: 5 }, (_, at) => levelKey(at))

export function Waldbestand({ forest, choice }: { forest: Wald; choice: ReactNode }) {
  const view = useView()
  const rows = useMemo(() => rowsOf(forest), [forest])
  const list = useMemo(() => bestandList(forest, rows), [forest, rows])
  const model = useList(list)
  const { state } = model.rows.loading ? model : { state: model.shown }
  const matching = useMemo(() => model.rows.all ?? rows, [model.rows.all, rows])
  const facets = useMemo(() => {
    const of = (keys: readonly string[]) =>
      arrange(list, rows, { ...state, filter: without(state.filter, keys) })
    return { ebenen: of(LEVEL_KEYS), arten: of(['art']), ageClasses: of(['ak']) }
  }, [list, rows, state])
  const kinds = list.filters ?? []
  const kindOf = (key: string) => kinds.find((one) => one.key === key) as ListFilter<never> | undefined
  const chosen = (key: string): readonly string[] => {
    const kind = kindOf(key)
    return kind === undefined ? [] : valuesOf(kind, model.state.filter[key] ?? '')
  }
  const text = (key: string, values: readonly string[]): string | undefined => {
    const kind = kindOf(key)
    return kind === undefined ? undefined : valueFrom(kind, values) || undefined
  }
  /** Choosing the only selected value again deselects it. */
  const toggle = (key: string, value: string) => {
    const now = chosen(key)
    view.setSearch({
      [key]: text(key, now.length === 1 && now[0] === value ? [] : [value]),
      seite: undefined,
      bestand: undefined,
    })
  }
  const auswahl = choiceOf(model.state.filter)
  const chooseLevel = (next: Choice) =>
    view.setSearch({
      ...Object.fromEntries(
        next.map((wert, at) => [
          levelKey(at),
          wert === null ? undefined : text(levelKey(at), [wert === '' ? EMPTY : wert]),
        ]),
      ),
      seite: undefined,
      bestand: undefined,
    })
  const asked = view.search['bestand']
  const row = asked === undefined ? undefined : rows.find(({ id }) => String(id) === asked)
  const at = row === undefined ? -1 : matching.findIndex(({ id }) => id === row.id)
  const choose = (id: number | null) =>
    view.setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })
  const tag = rows.find(({ tag: one }) => one !== null)?.tag ?? forest.dtFE
  return (
    <Page
      subtitle={
        tag === null
          ? t('{name}: {n} Bestände', { name: forest.sHQ, n: formatNumber(rows.length) })
          : t('{name}: {n} Bestände, Forsteinrichtung vom {tag}', {
              name: forest.sHQ,
              n: formatNumber(rows.length),
              tag: formatDate(tag),
            })
      }
      actions={
        <>
          <Tools forest={forest} />
          <GpkgExport forest={forest} />
        </>
      }
    >
      {choice}
      <div className="stack">
        <Card>
          <Levels rows={facets.ebenen} ebenen={forest.ebenen} auswahl={auswahl} onChoose={chooseLevel} />
          <KeyFigures rows={matching} whole={rows} />
        </Card>
        <Charts
          forSpecies={facets.arten}
          forAgeClasses={facets.ageClasses}
          arten={chosen('art')}
          ageClasses={chosen('ak')}
          onKind={(value) => toggle('art', value)}
          onAgeClass={(value) => toggle('ak', value)}
        />
        <Card>
          <div className="wald-flaeche">
            <BestandKarte forest={forest} rows={rows} matching={matching} gewaehlt={row?.id ?? null} />
            {row === undefined ? (
              <p className="soft wald-hinweis">
                {asked === undefined
                  ? t(
                      'Drücken Sie auf der Karte oder in der Liste einen Bestand, um seine Baumarten zu sehen.',
                    )
                  : t(
                      'Diesen Bestand gibt es nicht mehr. Die Forsteinrichtung wurde vermutlich neu eingelesen.',
                    )}
              </p>
            ) : (
              <BestandPanel
                key={row.id}
                row={row}
                previous={at > 0 ? matching[at - 1] : undefined}
                next={at >= 0 ? matching[at + 1] : undefined}
                onChoose={choose}
              />
            )}
          </div>
        </Card>
        <ListCard model={model} />
      </div>
    </Page>
  )
}

function KeyFigures({ rows, whole }: { rows: readonly TableRow[]; whole: readonly TableRow[] }) {
  const { anzahl, ha, vorrat, stockPerHa, withoutStock } = summen(rows)
  const all = summen(whole)
  const items = [
    {
      name: t('Bestände'),
      value: formatNumber(anzahl),
      note: anzahl === all.anzahl ? null : t('von {n}', { n: formatNumber(all.anzahl) }),
    },
    {
      name: t('Fläche'),
      value: haText(ha),
      note: anzahl === all.anzahl ? null : t('von {n}', { n: haText(all.ha) }),
    },
    {
      name: t('Vorrat'),
      value: stockPerHa === null ? '–' : t('{n} Vfm', { n: formatNumber(Math.round(vorrat)) }),
      note:
        stockPerHa === null || withoutStock === 0
          ? null
          : withoutStock === 1
            ? t('1 Bestand ohne Angabe')
            : t('{n} Bestände ohne Angabe', { n: formatNumber(withoutStock) }),
    },
    {
      name: t('Vorrat je Hektar'),
      value: stockPerHa === null ? '–' : t('{n} Vfm', { n: formatNumber(Math.round(stockPerHa)) }),
      note: null,
    },
  ]
  return (
    <dl className="wald-zahlen" aria-live="polite">
      {items.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="nums">
            {value}
            {note !== null && <span className="soft"> {note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
