// /kataster/objekt/{kind.number}: one object of the survey. The form for the drainage half's staff, facts for the
// customer's people; photos and history for both.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldsOf } from '#domain/vermessung/fields.ts'
import { useHasRole } from '../../data/session.ts'
import { HistoryList } from '../../record/HistoryList.tsx'
import { fieldName, lengthText } from '../../record/kataster/kataster-words.ts'
import { historyHeading, historyWords } from './object-form.ts'
import { placeOf, showPlaces } from './place-text.ts'
import { showSurveyValue } from '../../record/kataster/survey-form.ts'
import { PhotoCard } from '../../record/photos/PhotoGallery.tsx'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Badge, Card, fact, Facts } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './kataster.css'
import {
  kundeQuery,
  objectQuery,
  type ObjectRecord,
  type ObjectTarget,
  targetOf,
  targetText,
} from './kataster.data.ts'
import { surveyedText, wortOf } from './kataster-words.ts'
import { changedByQuery, objectHistory, objectName, photosOf } from './object.data.ts'

const ObjectKarte = splitOff(
  async () => (await import('./ObjectKarte.tsx')).ObjectKarte,
  <Skeleton lines={6} />,
)
const ObjectForm = splitOff(
  async () => (await import('./ObjectForm.tsx')).ObjectForm,
  <Skeleton lines={12} />,
)
const DeleteObject = splitOff(async () => (await import('./DeleteObject.tsx')).DeleteObject)

export function ObjectPage() {
  const text = useView().path.split('/').at(-1) ?? ''
  const target = targetOf(text)
  if (target === null) return <Missing text={text} />
  return <Load key={text} target={target} />
}

const BACK = '/kataster/index'
function Missing({ text, error = null, onRetry }: { text: string; error?: unknown; onRetry?: () => void }) {
  return (
    <RecordUnready
      error={error}
      foreign={error === null && onRetry === undefined}
      words={{
        title: t('Vermessungsobjekt'),
        notFound: t('Vermessungsobjekt nicht gefunden'),
        headline: t('Dieses Vermessungsobjekt gibt es nicht'),
        hint: t(
          '„{text}“ gehört zu keinem Objekt, das Sie sehen dürfen. Vielleicht wurde es gelöscht, oder ein ' +
            'Import hat es ersetzt.',
          { text },
        ),
        back: { href: BACK, text: t('Zum Kataster') },
      }}
      onRetry={() => onRetry?.()}
    />
  )
}

function Load({ target }: { target: ObjectTarget }) {
  const query = useQuery(objectQuery(target))
  if (query.data) return <PageBody target={target} record={query.data} />
  return <Missing text={targetText(target)} error={query.error} onRetry={() => void query.refetch()} />
}

interface Props {
  target: ObjectTarget
  record: ObjectRecord
}
function PageBody({ target, record }: Props) {
  const { search, setSearch } = useView()
  const team = useHasRole('apus_admin', 'apus_team')
  const [removing, setRemoving] = useState(false)
  const name = objectName(target, record)
  const list = `${BACK}?kunde=${record.client_id}`
  return (
    <Page
      record={name}
      subtitle={<Subtitle target={target} record={record} list={list} />}
      actions={
        <>
          <ButtonLink
            href={`${list}${target.art === 'draenage' ? '' : `&art=${target.art}`}&objekt=${targetText(target)}`}
            icon="map"
          >
            {t('Im Kataster zeigen')}
          </ButtonLink>
          {team && (
            <IconButton
              icon="trash"
              variant="secondary"
              label={t('Objekt löschen')}
              onClick={() => setRemoving(true)}
            />
          )}
        </>
      }
    >
      <Tabs
        label={t('Angaben zum Objekt')}
        value={search['ansicht'] ?? 'objekt'}
        onChange={(tab) => setSearch({ ansicht: tab === 'objekt' ? undefined : tab }, { replace: true })}
        tabs={[
          {
            id: 'objekt',
            label: t('Objekt'),
            content: (
              <div className="objekt-spalten">
                {team ? (
                  <ObjectForm target={target} record={record} name={name} />
                ) : (
                  <Details target={target} record={record} name={name} />
                )}
                <div className="objekt-neben">
                  <PhotoCard photos={photosOf(target, record, team)} />
                </div>
              </div>
            ),
          },
          {
            id: 'verlauf',
            label: t('Verlauf'),
            content: (
              <HistoryList
                query={objectHistory(target, record.kennung)}
                words={historyWords(target.art)}
                heading={historyHeading}
              />
            ),
          },
        ]}
      />
      {removing && (
        <DeleteObject
          target={target}
          record={record}
          name={name}
          list={list}
          onClose={() => setRemoving(false)}
        />
      )}
    </Page>
  )
}

function Subtitle({ target, record, list }: Props & { list: string }) {
  const kunde = useQuery(kundeQuery(String(record.client_id))).data
  const who = useQuery(changedByQuery(target, record.version)).data ?? null
  const { geaendert_am, import_id, angelegt_am } = record
  const when = formatDateTime(geaendert_am ?? angelegt_am)
  return (
    <>
      <a href={list}>{kunde?.name ?? t('Kunde {n}', { n: record.client_id })}</a>
      {' · '}
      {import_id !== null || who === null
        ? t('Stand vom {when}', { when })
        : t('zuletzt geändert am {when} von {who}', { when, who })}
    </>
  )
}

function Details({ target: { art }, record, name }: Props & { name: string }) {
  const all = record as unknown as Record<string, unknown>
  const place = placeOf(record.g3857.coordinates)
  return (
    <div className="stack">
      <Card title={t('Angaben')}>
        <Facts
          facts={[
            fact(
              t('Einmessung'),
              <Badge key="v" tone={record.vermessen === true ? 'success' : 'neutral'}>
                {surveyedText(wortOf(record.vermessen))}
              </Badge>,
            ),
            ...(record.laenge === undefined ? [] : [fact(t('Leitungslänge'), lengthText(record.laenge))]),
            ...fieldsOf(art)
              .filter(({ name: field }) => field !== 'vermessen')
              .map(({ name: field }) =>
                fact(fieldName(field), showSurveyValue(art, field, all[field]) || null),
              ),
          ]}
        />
      </Card>
      <Card title={t('Lage')}>
        <div className="stack">
          <ObjectKarte name={name} kunde={record.client_id} isLine={art === 'draenage'} lage={place} />
          {art !== 'draenage' && <Facts facts={[fact(t('Breite und Länge in Grad'), showPlaces(place))]} />}
        </div>
      </Card>
    </div>
  )
}
