// Figures, cascade, charts, map, chosen stand and list of one holding. What narrows them stands in the address: all of them show the same stands.
import { type ReactNode, useMemo, useState } from 'react'
import type { Waldbestand as Wald } from '#contract/bestand.ts'
import { type Auswahl, summen } from '#domain/bestand.ts'
import { useHasRole } from '../../data/session.ts'
import { ebeneKey } from '../../list/ebenen-stufen.ts'
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
import { auswahlOf, bestandList, LEER, type Zeile, zeilenOf } from './bestand-list.tsx'
import { BestandKarte } from './BestandKarte.tsx'
import { BestandTafel } from './BestandTafel.tsx'
import { Diagramme } from './Diagramme.tsx'
import { Ebenen } from './Ebenen.tsx'
import { GpkgExport } from './GpkgExport.tsx'
import { haText } from './waldbestand-words.ts'

const EbenenDialog = splitOff(async () => (await import('./EbenenDialog.tsx')).EbenenDialog)

const importHref = (wald: Wald): string => `/waldbestand/import?fb=${wald.idHQ}`

function Werkzeuge({ wald }: { wald: Wald }) {
  const [namen, setNamen] = useState(false)
  if (!useHasRole('ogf_admin')) return null
  return (
    <>
      <Button icon="edit" onClick={() => setNamen(true)}>
        {t('Ebenen benennen')}
      </Button>
      <ButtonLink href={importHref(wald)} icon="upload">
        {t('Forsteinrichtung importieren')}
      </ButtonLink>
      {namen && <EbenenDialog wald={wald} onClose={() => setNamen(false)} />}
    </>
  )
}

export function LeererBestand({ wald, wahl }: { wald: Wald; wahl: ReactNode }) {
  const admin = useHasRole('ogf_admin')
  const team = useHasRole('ogf_admin', 'ogf_team')
  return (
    <Page subtitle={wald.sHQ}>
      {wahl}
      <Card>
        <EmptyState
          icon="forest"
          title={t('Noch keine Forsteinrichtung')}
          action={
            admin && (
              <ButtonLink href={importHref(wald)} icon="upload" variant="primary">
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
              ? t('Für diesen Forstbetrieb ist noch nichts importiert. Ein Admin kann die Forsteinrichtung einlesen.')
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
const EBENEN = Array.from({ length: 5 }, (_, at) => ebeneKey(at))

export function Waldbestand({ wald, wahl }: { wald: Wald; wahl: ReactNode }) {
  const view = useView()
  const rows = useMemo(() => zeilenOf(wald), [wald])
  const list = useMemo(() => bestandList(wald, rows), [wald, rows])
  const model = useList(list)
  const { state } = model.rows.loading ? model : { state: model.shown }
  const passend = useMemo(() => model.rows.all ?? rows, [model.rows.all, rows])
  const facets = useMemo(() => {
    const of = (keys: readonly string[]) => arrange(list, rows, { ...state, filter: without(state.filter, keys) })
    return { ebenen: of(EBENEN), arten: of(['art']), klassen: of(['ak']) }
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
  /** Once more the same takes it back. */
  const toggle = (key: string, value: string) => {
    const now = chosen(key)
    view.setSearch({ [key]: text(key, now.length === 1 && now[0] === value ? [] : [value]), seite: undefined, bestand: undefined })
  }
  const auswahl = auswahlOf(model.state.filter)
  const waehle = (next: Auswahl) =>
    view.setSearch({
      ...Object.fromEntries(
        next.map((wert, at) => [ebeneKey(at), wert === null ? undefined : text(ebeneKey(at), [wert === '' ? LEER : wert])]),
      ),
      seite: undefined,
      bestand: undefined,
    })
  const asked = view.search['bestand']
  const row = asked === undefined ? undefined : rows.find(({ id }) => String(id) === asked)
  const at = row === undefined ? -1 : passend.findIndex(({ id }) => id === row.id)
  const choose = (id: number | null) => view.setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })
  const tag = rows.find(({ tag: one }) => one !== null)?.tag ?? wald.dtFE
  return (
    <Page
      subtitle={
        tag === null
          ? t('{name}: {n} Bestände', { name: wald.sHQ, n: formatNumber(rows.length) })
          : t('{name}: {n} Bestände, Forsteinrichtung vom {tag}', { name: wald.sHQ, n: formatNumber(rows.length), tag: formatDate(tag) })
      }
      actions={
        <>
          <Werkzeuge wald={wald} />
          <GpkgExport wald={wald} />
        </>
      }
    >
      {wahl}
      <div className="stack">
        <Card>
          <Ebenen rows={facets.ebenen} ebenen={wald.ebenen} auswahl={auswahl} onWahl={waehle} />
          <Kennzahlen rows={passend} whole={rows} />
        </Card>
        <Diagramme
          fuerArten={facets.arten}
          fuerKlassen={facets.klassen}
          arten={chosen('art')}
          klassen={chosen('ak')}
          onArt={(value) => toggle('art', value)}
          onKlasse={(value) => toggle('ak', value)}
        />
        <Card>
          <div className="wald-flaeche">
            <BestandKarte wald={wald} rows={rows} passend={passend} gewaehlt={row?.id ?? null} />
            {row === undefined ? (
              <p className="soft wald-hinweis">
                {asked === undefined
                  ? t('Drücken Sie auf der Karte oder in der Liste einen Bestand, um seine Baumarten zu sehen.')
                  : t('Diesen Bestand gibt es nicht mehr. Die Forsteinrichtung wurde vermutlich neu eingelesen.')}
              </p>
            ) : (
              <BestandTafel
                key={row.id}
                row={row}
                vorher={at > 0 ? passend[at - 1] : undefined}
                danach={at >= 0 ? passend[at + 1] : undefined}
                onWahl={choose}
              />
            )}
          </div>
        </Card>
        <ListCard model={model} />
      </div>
    </Page>
  )
}

function Kennzahlen({ rows, whole }: { rows: readonly Zeile[]; whole: readonly Zeile[] }) {
  const { anzahl, ha, vorrat, vorrat_ha, ohne_vorrat } = summen(rows)
  const all = summen(whole)
  const items = [
    {
      name: t('Bestände'),
      value: formatNumber(anzahl),
      note: anzahl === all.anzahl ? null : t('von {n}', { n: formatNumber(all.anzahl) }),
    },
    { name: t('Fläche'), value: haText(ha), note: anzahl === all.anzahl ? null : t('von {n}', { n: haText(all.ha) }) },
    {
      name: t('Vorrat'),
      value: vorrat_ha === null ? '–' : t('{n} Vfm', { n: formatNumber(Math.round(vorrat)) }),
      note:
        vorrat_ha === null || ohne_vorrat === 0
          ? null
          : ohne_vorrat === 1
            ? t('1 Bestand ohne Angabe')
            : t('{n} Bestände ohne Angabe', { n: formatNumber(ohne_vorrat) }),
    },
    {
      name: t('Vorrat je Hektar'),
      value: vorrat_ha === null ? '–' : t('{n} Vfm', { n: formatNumber(Math.round(vorrat_ha)) }),
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
