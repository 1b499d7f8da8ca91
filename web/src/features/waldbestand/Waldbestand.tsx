// Figures, cascade, charts, map, selected stand and list of one holding. The filters are in the address, so
// that all of them show the same stands.
import { type ReactNode, useState } from 'react'
import type { Waldbestand as Wald } from '#contract/bestand.ts'
import { sumsOf } from '#domain/bestand.ts'
import { useHasRole } from '../../data/session.ts'
import { ListCard } from '../../list/ListPage.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { TableRow } from './bestand-list.tsx'
import { BestandKarte } from './BestandKarte.tsx'
import { BestandPanel } from './BestandPanel.tsx'
import { Charts } from './Charts.tsx'
import { Levels } from './Levels.tsx'
import { PlanExport } from './PlanExport.tsx'
import { useForest } from './use-forest.ts'
import { haText } from './waldbestand-words.ts'

const BordersLink = splitOff(async () => (await import('./BordersLink.tsx')).BordersLink)
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
                'Für diesen Forstbetrieb ist noch nichts importiert. Nehmen Sie ein GeoPackage oder ' +
                  'Shapefile mit den Bestandesflächen und eine Tabelle der Baumarten.',
              )
            : team
              ? t(
                  'Für diesen Forstbetrieb ist noch nichts importiert. Die Verwaltung kann die Forsteinrichtung ' +
                    'importieren.',
                )
              : t(
                  'Sobald Ihre Forsteinrichtung eingelesen ist, sehen Sie hier Ihre Bestände auf der ' +
                    'Karte, mit Baumarten, Alter und Vorrat. Liegt sie schon vor, dann schicken Sie sie ' +
                    'uns.',
                )}
        </EmptyState>
      </Card>
    </Page>
  )
}

export function Waldbestand({ forest, choice }: { forest: Wald; choice: ReactNode }) {
  const staff = useHasRole('ogf_admin', 'ogf_team')
  const { rows, model, matching, facets, chosen, auswahl, toggle, chooseLevel } = useForest(forest)
  return (
    <Page
      subtitle={subtitleOf(forest, rows)}
      actions={
        <>
          {staff && <BordersLink forest={forest} />}
          <Tools forest={forest} />
          <PlanExport forest={forest} />
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
        <KarteCard forest={forest} rows={rows} matching={matching} />
        <ListCard model={model} />
      </div>
    </Page>
  )
}

function subtitleOf({ sHQ, dtFE }: Wald, rows: readonly TableRow[]): string {
  const tag = rows.find(({ tag: one }) => one !== null)?.tag ?? dtFE
  const n = formatNumber(rows.length)
  if (rows.length === 1)
    return tag === null
      ? t('{name}: 1 Bestand', { name: sHQ })
      : t('{name}: 1 Bestand, Forsteinrichtung vom {tag}', { name: sHQ, tag: formatDate(tag) })
  return tag === null
    ? t('{name}: {n} Bestände', { name: sHQ, n })
    : t('{name}: {n} Bestände, Forsteinrichtung vom {tag}', { name: sHQ, n, tag: formatDate(tag) })
}

interface KarteProps {
  forest: Wald
  rows: readonly TableRow[]
  matching: readonly TableRow[]
}
/** The map, and the stand chosen on it or in the list. */
function KarteCard({ forest, rows, matching }: KarteProps) {
  const { search, setSearch } = useView()
  const asked = search['bestand']
  const row = asked === undefined ? undefined : rows.find(({ id }) => String(id) === asked)
  const at = row === undefined ? -1 : matching.findIndex(({ id }) => id === row.id)
  const choose = (id: number | null) =>
    setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })
  return (
    <Card>
      <div className="wald-flaeche">
        <BestandKarte forest={forest} rows={rows} matching={matching} gewaehlt={row?.id ?? null} />
        {row === undefined ? (
          <p className="soft wald-hinweis">
            {asked === undefined
              ? t('Drücken Sie auf der Karte oder in der Liste einen Bestand, um seine Baumarten zu sehen.')
              : t('Diesen Bestand gibt es nicht mehr. Die Forsteinrichtung wurde vermutlich neu eingelesen.')}
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
  )
}

function KeyFigures({ rows, whole }: { rows: readonly TableRow[]; whole: readonly TableRow[] }) {
  const { anzahl, ha, vorrat, stockPerHa, withoutStock } = sumsOf(rows)
  const all = sumsOf(whole)
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
