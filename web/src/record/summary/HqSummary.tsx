// A holding at a glance: figures, the newest rows of everything, and what can be begun from here. The database
// decides which parts a person gets.
import { useQuery } from '@tanstack/react-query'
import type { Hq, KundeHq } from '#contract/hq.ts'
import type { HqSummary as Summary } from '#contract/summary.ts'
import { formatEuro } from '#domain/geld.ts'
import { useHasRole } from '../../data/session.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { type Figure, Figures } from '../../ui/Figures.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { Abos, HqPeople, Modules, Trees } from './HqBlocks.tsx'
import type { HqPlaces } from './hq-places.ts'
import { invoicesText } from './kunde-figures.ts'
import { asDocuments } from './kunde-places.ts'
import { Changes, Notes, Survey } from './SharedBlocks.tsx'
import { hqSummary } from './summary.data.ts'
import { SummaryLoading } from './SummaryLoading.tsx'
import { surveyed } from './survey.ts'
import './summary.css'

interface Props {
  hq: Hq
  switches: KundeHq
  /** Address of the holding's page, of which there are three. */
  page: string
}

export function HqSummary({ hq, switches, page }: Props) {
  const query = useQuery(hqSummary(hq.idHQ))
  if (query.data !== undefined)
    return <Content hq={hq} switches={switches} page={page} summary={query.data} />
  if (query.isError)
    return (
      <Card>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  return <SummaryLoading />
}

const UNPAID = 'stand=offen,teilbezahlt,ueberfaellig'

function placesOf({ idHQ, client_id }: Hq, page: string): HqPlaces {
  return {
    tab: (name) => `${page}?ansicht=${name}`,
    connect: `${page}?ansicht=personen&neu=person`,
    trees: `/habitatbaeume/index?fb=${idHQ}`,
    tree: (id) => `/habitatbaeume/${id}`,
    stands: `/waldbestand/index?fb=${idHQ}`,
    standImport: `/waldbestand/import?fb=${idHQ}`,
    grant: `/kawm/index?fb=${idHQ}`,
    plans: `/karten/index?kunde=${client_id}`,
    unpaid: (side) =>
      side === 'kunde'
        ? `/dokumente/index?${asDocuments(client_id, 'rechnungen', UNPAID)}`
        : `/buchhaltung/rechnungen?kunde=${client_id}&${UNPAID}`,
    survey: `/kataster/index?kunde=${client_id}`,
  }
}

function figuresOf(
  { baeume, kawm, bestand, flaeche, buch, karten, vermessung, personen }: Summary,
  places: HqPlaces,
) {
  const figures: Figure[] = [
    {
      key: 'flaeche',
      name: t('Gezeichnete Fläche'),
      value: flaeche === null ? '–' : t('{ha} ha', { ha: formatNumber(flaeche.hektar, 2) }),
      more:
        flaeche === null
          ? t('noch nicht gezeichnet')
          : t('vom {tag}', { tag: formatDate(flaeche.geaendert_am) }),
      href: places.tab('flaeche'),
    },
    {
      key: 'bestand',
      name: t('Bestände'),
      value: formatNumber(bestand.anzahl),
      ...(bestand.hektar !== null && { more: t('{ha} ha', { ha: formatNumber(bestand.hektar, 2) }) }),
      href: places.stands,
    },
    {
      key: 'baeume',
      name: t('Habitatbäume'),
      value: formatNumber(baeume.anzahl),
      more: t('{n} markiert', { n: formatNumber(baeume.markiert) }),
      href: places.trees,
    },
  ]
  if (kawm !== null)
    figures.push({
      key: 'kawm',
      name: t('KAWM: erfasst'),
      value: formatNumber(kawm.erfasst),
      more: [
        ...(kawm.soll === null ? [] : [t('von {soll}', { soll: formatNumber(kawm.soll) })]),
        ...(kawm.frist === null ? [] : [t('markieren bis {tag}', { tag: formatDate(kawm.frist) })]),
      ].join(', '),
      href: places.grant,
    })
  if (buch !== null)
    figures.push({
      key: 'offen',
      name: t('Offene Rechnungen des Kunden'),
      value: formatEuro(buch.offen.betrag),
      more:
        buch.ueberfaellig.anzahl === 0
          ? invoicesText(buch.offen.anzahl)
          : t('davon {betrag} überfällig', { betrag: formatEuro(buch.ueberfaellig.betrag) }),
      bad: buch.ueberfaellig.anzahl > 0,
      href: places.unpaid(buch.sicht),
    })
  if (karten !== null)
    figures.push({
      key: 'karten',
      name: t('Pläne des Kunden'),
      value: formatNumber(karten.anzahl),
      href: places.plans,
    })
  if (vermessung !== null)
    figures.push({
      key: 'vermessung',
      name: t('Vermessene Objekte'),
      value: formatNumber(surveyed(vermessung)),
      href: places.survey,
    })
  figures.push({
    key: 'personen',
    name: t('Personen'),
    value: formatNumber(personen.anzahl),
    href: places.tab('personen'),
  })
  return figures
}

function Content({ hq, switches, page, summary }: Props & { summary: Summary }) {
  const places = placesOf(hq, page)
  const { baeume, flaeche, abos, vermessung, personen, notizen, verlauf } = summary
  const isAdmin = useHasRole('ogf_admin')
  const mayRecord = useHasRole('ogf_admin', 'ogf_standard', 'ogf_fb_admin') && hq.fb_enabled
  return (
    <div className="stack">
      <Actions
        places={places}
        drawn={flaeche !== null}
        isAdmin={isAdmin}
        mayRecord={mayRecord}
        writes={notizen.schreibt}
      />
      <div className="summary-figures">
        <Figures label={t('Zahlen')} zahlen={figuresOf(summary, places)} />
      </div>
      <div className="summary-blocks">
        <Modules hq={hq} switches={switches} places={places} mayChange={isAdmin} />
        <Trees trees={baeume} enabled={hq.fb_enabled} mayRecord={mayRecord} places={places} />
        {abos !== null && <Abos abos={abos} places={places} />}
        {vermessung !== null && (
          <Survey survey={vermessung} all={places.survey} empty={t('Noch nichts vermessen.')} />
        )}
        <HqPeople people={personen} places={places} />
        <Notes
          notes={notizen}
          all={places.tab('notizen')}
          hrefOf={({ art }) => (art === 'hq' ? places.tab('notizen') : undefined)}
        />
        <Changes
          changes={verlauf}
          all={places.tab('verlauf')}
          hrefOf={({ tabelle }) => places.tab(TAB_OF[tabelle] ?? 'verlauf')}
        />
      </div>
    </div>
  )
}
/** Where what was changed can be seen. */
const TAB_OF: Readonly<Record<string, string>> = {
  hq: 'stammdaten',
  kunde_hq: 'module',
  hq_flaeche: 'flaeche',
  benutzer_hq: 'personen',
}

interface ActionsProps {
  places: HqPlaces
  drawn: boolean
  isAdmin: boolean
  mayRecord: boolean
  writes: boolean
}
function Actions({ places, drawn, isAdmin, mayRecord, writes }: ActionsProps) {
  return (
    <fieldset className="toolbar summary-actions" aria-label={t('Aktionen für diesen Forstbetrieb')}>
      {mayRecord && (
        <ButtonLink size="small" icon="plus" href={`${places.trees}&neu=baum`}>
          {t('Neuer Habitatbaum')}
        </ButtonLink>
      )}
      {isAdmin && (
        <>
          <ButtonLink size="small" icon="upload" href={places.tab('flaeche')}>
            {drawn ? t('Fläche ersetzen') : t('Fläche hochladen')}
          </ButtonLink>
          <ButtonLink size="small" icon="upload" href={places.standImport}>
            {t('Forsteinrichtung importieren')}
          </ButtonLink>
        </>
      )}
      <ButtonLink size="small" icon="plus" href={places.connect}>
        {t('Person zuordnen')}
      </ButtonLink>
      {writes && (
        <ButtonLink size="small" icon="plus" href={places.tab('notizen')}>
          {t('Notiz schreiben')}
        </ButtonLink>
      )}
    </fieldset>
  )
}
