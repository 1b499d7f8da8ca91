// /verwaltung/datenschutz: the data held on a person or customer, a copy of it, its deletion, and the record
// of both.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PrivacyKind, PrivacyPreview } from '#contract/privacy.ts'
import { ApiError } from '../../data/api-error.ts'
import { ListCard, useList } from '../../list/ListPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Actions, Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import './privacy.css'
import { searchResult, useCopy, previewQuery } from './privacy.data.ts'
import { consequenceText, obstacleText, tableText } from './privacy-words.ts'
import { PRIVACY_ACTS } from './privacy-act-list.tsx'

const EraseDialog = splitOff(async () => (await import('./EraseDialog.tsx')).EraseDialog)

const TYPING_MS = 200

export function PrivacyPage() {
  const view = useView()
  const art: PrivacyKind = view.search['wessen'] === 'kunde' ? 'kunde' : 'person'
  const id = /^[1-9]\d{0,17}$/.test(view.search['nr'] ?? '') ? view.search['nr'] : undefined
  return (
    <Page subtitle={t('Auskunft über gespeicherte Daten und ihre Löschung')}>
      <Card title={t('Wessen Daten?')}>
        <div className="stack">
          <Segments
            label={t('Art')}
            value={art}
            options={[
              { value: 'person', label: t('Person') },
              { value: 'kunde', label: t('Kunde') },
            ]}
            onChange={(value) =>
              view.setSearch({ wessen: value === 'kunde' ? 'kunde' : undefined, nr: undefined })
            }
          />
          <Search key={art} art={art} onChoose={(chosen) => view.setSearch({ nr: String(chosen) })} />
        </div>
      </Card>
      {id !== undefined && (
        <Stored
          key={`${art} ${id}`}
          art={art}
          id={id}
          onDone={() => view.setSearch({ nr: undefined }, { replace: true })}
        />
      )}
      <PrivacyActs />
    </Page>
  )
}

function Search({ art, onChoose }: { art: PrivacyKind; onChoose: (id: number) => void }) {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useQuery(searchResult(art, asked))
  const rows = asked === '' ? undefined : found.data
  return (
    <div className="stack">
      <SearchField
        label={art === 'person' ? t('Person suchen') : t('Kunde suchen')}
        placeholder={art === 'person' ? t('Name, E-Mail-Adresse oder Nummer') : t('Name, Ort oder Nummer')}
        value={typed}
        onValue={setTyped}
        maxLength={100}
      />
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && !found.isFetching && <p className="soft">{t('Nichts gefunden.')}</p>}
      {rows && rows.length > 0 && (
        <ul className="dse-found" aria-label={t('Gefunden')}>
          {rows.map((row) => (
            <li key={row.id}>
              <button type="button" className="dse-hit" onClick={() => onChoose(row.id)}>
                <strong>{row.titel}</strong>
                <span className="soft">
                  {row.zusatz} · {t('Nr. {id}', { id: row.id })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Stored({ art, id, onDone }: { art: PrivacyKind; id: string; onDone: () => void }) {
  const query = useQuery(previewQuery(art, id))
  const copy = useCopy()
  const [deleting, setDeleting] = useState(false)
  if (query.isPending)
    return (
      <Card>
        <Skeleton lines={5} />
      </Card>
    )
  if (query.isError)
    return (
      <Card>
        {query.error instanceof ApiError && query.error.code === 'not_allowed' ? (
          <EmptyState icon="people" title={t('Nicht gefunden oder nicht erlaubt')}>
            {query.error.rule?.startsWith('datenschutz_')
              ? query.error.message
              : t('Personen der anderen Sparte verwaltet deren Administration.')}
          </EmptyState>
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
      </Card>
    )
  const shown = query.data
  const download = async () => {
    try {
      const held = await copy.mutateAsync({ art, id })
      const { saveCopy } = await import('./copy-file.ts')
      await saveCopy(held)
      toast.success(t('Die Auskunft wurde heruntergeladen und festgehalten.'))
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))
    }
  }
  return (
    <Card title={shown.name}>
      <div className="stack">
        <Consequences shown={shown} />
        {shown.hindernis !== null && (
          <Notice tone="warning" title={t('Löschen ist zurzeit nicht möglich')}>
            {obstacleText(shown.hindernis)}
          </Notice>
        )}
        {shown.hindernis === null && shown.aufbewahren_bis !== null && (
          <Notice tone="info" title={t('Aufbewahrung bis {day}', { day: formatDate(shown.aufbewahren_bis) })}>
            {t(
              'Verträge müssen so lange aufbewahrt werden (§ 147 AO). Der Kunde wird bis dahin gesperrt statt ' +
                'gelöscht.',
            )}
          </Notice>
        )}
        <Actions>
          <Button variant="primary" icon="download" busy={copy.isPending} onClick={() => void download()}>
            {t('Auskunft herunterladen')}
          </Button>
          <Button
            variant="danger"
            icon="trash"
            disabled={shown.hindernis !== null}
            onClick={() => setDeleting(true)}
          >
            {shown.aufbewahren_bis === null ? t('Daten löschen') : t('Daten sperren')}
          </Button>
        </Actions>
      </div>
      {deleting && (
        <EraseDialog
          art={art}
          id={id}
          shown={shown}
          onClose={() => setDeleting(false)}
          onDone={() => {
            setDeleting(false)
            onDone()
          }}
        />
      )}
    </Card>
  )
}

/** What is held, and what deletion does to it; empty tables are named in one line. */
function Consequences({ shown: { tabellen } }: { shown: PrivacyPreview }) {
  const filled = tabellen.filter(({ anzahl }) => anzahl > 0)
  const empty = tabellen.filter(({ anzahl }) => anzahl === 0)
  return (
    <>
      <table className="dse-table">
        <caption className="visually-hidden">
          {t('Was gespeichert ist und was beim Löschen damit geschieht')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('Gespeichert')}</th>
            <th scope="col" className="dse-number">
              {t('Anzahl')}
            </th>
            <th scope="col">{t('Beim Löschen')}</th>
          </tr>
        </thead>
        <tbody>
          {filled.map(({ tabelle, anzahl, folge }) => (
            <tr key={tabelle}>
              <th scope="row">{tableText(tabelle)}</th>
              <td className="dse-number nums">{formatNumber(anzahl)}</td>
              <td>{consequenceText(folge)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {empty.length > 0 && (
        <p className="soft">
          {t('Nichts gespeichert: {list}.', {
            list: empty.map(({ tabelle }) => tableText(tabelle)).join(', '),
          })}
        </p>
      )}
    </>
  )
}

function PrivacyActs() {
  return (
    <div className="stack">
      <h2>{t('Vorgänge')}</h2>
      <ListCard model={useList(PRIVACY_ACTS)} />
    </div>
  )
}
