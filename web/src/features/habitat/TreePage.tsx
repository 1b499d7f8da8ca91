// /habitatbaeume/{id}: one tree. The form for those who may write, facts for everybody else.
import { LEVEL_FIELDS, TREE_INPUTS, treeField, treeInputsOf } from '#domain/habitatbaum-fields.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { addressText } from '#domain/bestand.ts'
import { betriebQuery, type Betrieb } from '../../list/betrieb.data.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { useRecordForm } from '../../record/use-record-form.ts'
import { HistoryList } from '../../record/HistoryList.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Badge, Card, fact, Facts, Notice } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { TreeFields } from './TreeFields.tsx'
import { treeKind, treeWords, showValue } from '../../record/habitat/habitat-form.ts'
import { treeHref } from './habitat-list.tsx'
import type { Tree } from '../../record/habitat/tree.ts'
import {
  treeQuery,
  treeHistory,
  inspectionsQuery,
  checkQuery,
  outlinesQuery,
  type HabitatRights,
  useHabitatRights,
  useSaveTree,
} from './habitat.data.ts'
import {
  kindText,
  treeName,
  fieldLabel,
  meterText,
  statusName,
  stateName,
  stateTone,
} from '../../record/habitat/habitat-words.ts'
import { PhotoCard } from '../../record/photos/PhotoGallery.tsx'
import { useTreePhotos } from './tree-photos.ts'
import { Inspections } from './Inspections.tsx'
import './habitat.css'

const LocationInMetres = splitOff(async () => (await import('./LocationMetreFields.tsx')).LocationInMetres)
const LocationKarte = splitOff(
  async () => (await import('./LocationKarte.tsx')).LocationKarte,
  <Skeleton lines={6} />,
)
const DeleteTree = splitOff(async () => (await import('./DeleteTree.tsx')).DeleteTree)

export function TreePage() {
  const id = useView().params['id'] ?? ''
  return <Laden key={id} id={id} />
}

function Laden({ id }: { id: string }) {
  const query = useQuery(treeQuery(id))
  const betrieb = useQuery({
    ...betriebQuery(String(query.data?.idHQ ?? '')),
    enabled: query.data !== undefined,
  })
  if (query.data && betrieb.data) return <PageBody baum={query.data} betrieb={betrieb.data} />
  const words = {
    title: t('Habitatbaum'),
    notFound: t('Habitatbaum nicht gefunden'),
    headline: t('Diesen Habitatbaum gibt es nicht'),
    hint: t('Die Nummer {id} gehört zu keinem Baum, den Sie sehen dürfen. Vielleicht wurde er gelöscht.', {
      id,
    }),
    back: { href: '/habitatbaeume/index', text: t('Zu den Habitatbäumen') },
  }
  return (
    <RecordUnready
      error={query.error ?? betrieb.error}
      words={words}
      onRetry={() => void (query.isError ? query.refetch() : betrieb.refetch())}
    />
  )
}

function PageBody({ baum, betrieb }: { baum: Tree; betrieb: Betrieb }) {
  const { search, setSearch } = useView()
  const rights = useHabitatRights(baum.idHQ)
  const [removing, setRemoving] = useState(false)
  const { data: inspections } = useQuery(inspectionsQuery(baum.id))
  const words = useMemo(() => treeWords(betrieb.ebenen), [betrieb.ebenen])
  const name = treeName(baum)
  return (
    <Page
      record={name}
      subtitle={
        <>
          <a href={`/habitatbaeume/index?fb=${baum.idHQ}`}>{betrieb.sHQ}</a>
          {' · '}
          {changedText(baum)}
        </>
      }
      actions={
        rights.erase && (
          <IconButton
            icon="trash"
            variant="secondary"
            label={t('Habitatbaum löschen')}
            onClick={() => setRemoving(true)}
          />
        )
      }
    >
      <Hints baum={baum} />
      <Tabs
        label={t('Angaben zum Habitatbaum')}
        value={search['ansicht'] ?? 'baum'}
        onChange={(tab) => setSearch({ ansicht: tab === 'baum' ? undefined : tab }, { replace: true })}
        tabs={[
          {
            id: 'baum',
            label: t('Baum'),
            content: <TreeColumns baum={baum} betrieb={betrieb} name={name} rights={rights} />,
          },
          {
            id: 'kontrollen',
            label: t('Kontrollen'),
            count: inspections?.length,
            content: <Inspections baum={baum} rights={rights} />,
          },
          {
            id: 'verlauf',
            label: t('Verlauf'),
            content: <HistoryList query={treeHistory(baum.id)} words={() => words} />,
          },
        ]}
      />
      {removing && (
        <DeleteTree
          baum={baum}
          name={name}
          kontrollen={inspections?.length ?? 0}
          onClose={() => setRemoving(false)}
        />
      )}
    </Page>
  )
}

interface ColumnProps {
  baum: Tree
  betrieb: Betrieb
  name: string
  rights: HabitatRights
}
function TreeColumns({ baum, betrieb, name, rights }: ColumnProps) {
  const photos = useTreePhotos(baum, name, rights)
  return (
    <div className="habitat-spalten">
      {rights.mayChange ? (
        <FormBody baum={baum} betrieb={betrieb} />
      ) : (
        <Details baum={baum} betrieb={betrieb} />
      )}
      <div className="habitat-neben">
        <PhotoCard {...photos} />
        {!rights.mayChange && (
          <Card title={t('Lage')}>
            <LocationPart baum={baum} betrieb={betrieb} />
          </Card>
        )}
      </div>
    </div>
  )
}

function changedText({ geaendert_am, geaendert_von }: Tree): string {
  const when = formatDateTime(geaendert_am)
  return geaendert_von === null
    ? t('zuletzt geändert am {when}', { when })
    : t('zuletzt geändert am {when} von {who}', { when, who: geaendert_von })
}

/** Findings of the check for this tree, each with the other tree it concerns. */
function Hints({ baum }: { baum: Tree }) {
  const rows =
    useQuery(checkQuery(baum.idHQ)).data?.zeilen.filter(
      ({ id, andere }) => id === baum.id || andere === baum.id,
    ) ?? []
  const other = (row: (typeof rows)[number]): ReactNode => {
    const [id, treeNumber] = row.id === baum.id ? [row.andere, row.andere_nummer] : [row.id, row.nummer]
    return (
      id !== null && (
        <a href={treeHref(id)}>
          {treeNumber === null
            ? t('anderer Baum ohne Nummer')
            : t('anderer Baum: {nummer}', { nummer: treeNumber })}
        </a>
      )
    )
  }
  const told = rows.flatMap((row) => {
    const meter = row.abstand_m === null ? '' : meterText(Number(row.abstand_m))
    if (row.befund === 'doppelt')
      return [
        {
          key: `d${row.id}-${row.andere}`,
          text: t('Nur {meter} neben einem anderen Baum.', { meter }),
          zeile: row,
        },
      ]
    if (row.befund === 'ausserhalb')
      return [{ key: 'a', text: t('{meter} außerhalb des Forstbetriebs.', { meter }), zeile: row }]
    if (row.befund === 'nummer_doppelt')
      return [{ key: `n${row.id}-${row.andere}`, text: t('Die Nummer ist doppelt vergeben.'), zeile: row }]
    return []
  })
  if (told.length === 0) return null
  return (
    <Notice tone="warning" title={t('Die Prüfung hat etwas gefunden')}>
      <ul className="habitat-hinweise">
        {told.map(({ key, text, zeile }) => (
          <li key={key}>
            {text} {other(zeile)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function FormBody({ baum, betrieb }: { baum: Tree; betrieb: Betrieb }) {
  const { mutateAsync } = useSaveTree(baum.id)
  const kind = useMemo(() => treeKind(betrieb.ebenen), [betrieb.ebenen])
  const editor = useRecordForm(kind, baum, mutateAsync)
  return (
    <Card>
      <RecordForm editor={editor}>
        <TreeFields form={editor.form} betrieb={betrieb} />
      </RecordForm>
      <RecordConflict editor={editor} />
    </Card>
  )
}

const DETAILS = TREE_INPUTS.filter(
  (field) => field !== 'art_text' && !['place', 'address'].includes(treeField(field).input ?? ''),
)

function Details({ baum, betrieb }: { baum: Tree; betrieb: Betrieb }) {
  return (
    <Card title={t('Baum')}>
      <Facts
        facts={[
          ...DETAILS.map((field) =>
            fact(
              fieldLabel(field),
              field === 'zustand' ? (
                <Badge tone={stateTone(baum.zustand)}>{stateName(baum.zustand)}</Badge>
              ) : field === 'status' ? (
                statusName(baum.status)
              ) : field === 'art' ? (
                kindText(baum.art, baum.art_text)
              ) : (
                showValue(field, baum[field]) || null
              ),
            ),
          ),
          fact(
            t('Forstliche Adresse'),
            addressText({ l: LEVEL_FIELDS.map((field) => baum[field]), s: baum.iSTAND }, betrieb.ebenen),
          ),
        ]}
      />
    </Card>
  )
}

function LocationPart({ baum, betrieb }: { baum: Tree; betrieb: Betrieb }) {
  const outlines = useQuery(outlinesQuery(baum.idHQ)).data
  return (
    <div className="stack">
      <LocationKarte
        label={t('Lage des Baums in {name}', { name: betrieb.sHQ })}
        ort={{ lon: baum.lon, lat: baum.lat }}
        accuracy={baum.genauigkeit_m ?? 0}
        umrisse={outlines}
      />
      <Facts
        facts={[
          ...treeInputsOf('place')
            .filter((field) => baum[field] !== false)
            .map((field) => fact(fieldLabel(field), showValue(field, baum[field]) || null)),
          fact(
            t('Lage in Metern'),
            <LocationInMetres key="meter" idHQ={baum.idHQ} ort={{ lon: baum.lon, lat: baum.lat }} />,
          ),
        ]}
      />
    </div>
  )
}
