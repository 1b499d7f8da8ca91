// One headquarters: /forstbetriebe/{detailid}, and below a customer /kunden/{id}/forstbetrieb/{detailid} and
// /kunde/{id}/forstbetrieb/{detailid}.
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Hq, KundeHq } from '#contract/hq.ts'
import type { HqDetails } from '#contract/rpc.ts'
import { useHasRole } from '../../data/session.ts'
import { HQ } from '../../record/hq/hq-form.ts'
import { SWITCHES } from '../../record/hq/switches-form.ts'
import { useNotesTab } from '../../record/notes/notes-tab.tsx'
import { RecordConflict } from '../../record/RecordForm.tsx'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { useRecordForm } from '../../record/use-record-form.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { SupportContact } from '../../ui/support.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './forstbetrieb.css'
import { hqDetails, hqPeople, hqRecord, hqSwitches, useSaveHq, useSaveSwitches } from './forstbetrieb.data.ts'
import { HqAreaCard } from './HqAreaCard.tsx'
import { HqModule } from './HqModule.tsx'
import { HqPeople } from './HqPeople.tsx'
import { HqMasterData } from './HqMasterData.tsx'
import { HqHistory } from './HqHistory.tsx'
import { SummaryLoading } from '../../record/summary/SummaryLoading.tsx'
import { useRecordTabs } from '../../record/summary/use-record-tabs.ts'
import { splitOff } from '../../ui/split-off.tsx'

const HqSummary = splitOff(
  async () => (await import('../../record/summary/HqSummary.tsx')).HqSummary,
  <SummaryLoading />,
)

/**
 * The page's context: standalone, or below a customer's page, either of staff or of the customer's own admin.
 */
function useParent(): {
  readonly kunde: string | undefined
  readonly back: string
  readonly backText: string
} {
  const { params, path } = useView()
  const kunde = params['id']
  if (kunde === undefined)
    return { kunde, back: '/forstbetriebe/index', backText: t('Zu den Forstbetrieben') }
  return path.startsWith('/kunden/')
    ? { kunde, back: `/kunden/${kunde}?ansicht=forstbetriebe`, backText: t('Zum Kunden') }
    : {
        kunde,
        back: `/kunde/index?kunde=${kunde}&ansicht=forstbetriebe`,
        backText: t('Zu Ihren Kundenstammdaten'),
      }
}

export function ForstbetriebPage() {
  const { params } = useView()
  const { kunde, back, backText } = useParent()
  const id = params['detailid'] ?? ''
  const [hq, switches] = useQueries({ queries: [hqRecord(id), hqSwitches(id)] })
  const details = useQuery(hqDetails(id))
  const error = hq.error ?? switches.error
  // A headquarters of another customer makes this address a wrong link.
  const isForeign = hq.data !== undefined && kunde !== undefined && String(hq.data.client_id) !== kunde
  if (hq.data && switches.data && !isForeign)
    return (
      <Record
        key={id}
        hq={hq.data}
        switches={switches.data}
        details={details.data ?? null}
        back={back}
        backText={backText}
      />
    )
  const words = {
    title: t('Forstbetrieb'),
    notFound: t('Forstbetrieb nicht gefunden'),
    headline: t('Diesen Forstbetrieb gibt es hier nicht'),
    hint: t(
      'Die Nummer {id} gehört zu keinem Forstbetrieb, den Sie an dieser Stelle sehen dürfen. ' +
        'Vielleicht ist der Link unvollständig.',
      {
        id,
      },
    ),
    back: { href: back, text: backText },
  }
  const retry = () => {
    void hq.refetch()
    void switches.refetch()
  }
  return <RecordUnready error={error} foreign={isForeign} words={words} onRetry={retry} />
}

interface RecordProps {
  hq: Hq
  switches: KundeHq
  details: HqDetails | null
  back: string
  backText: string
}
function Record({ hq, switches, details, back, backText }: RecordProps) {
  const { path } = useView()
  const id = String(hq.idHQ)
  const isAdmin = useHasRole('ogf_admin')
  const saveHq = useSaveHq(hq)
  const saveSwitches = useSaveSwitches(hq)
  const editor = useRecordForm(HQ, hq, saveHq.mutateAsync)
  const switchEditor = useRecordForm(SWITCHES, switches, saveSwitches.mutateAsync)
  const people = useQuery(hqPeople(id))
  const notes = useNotesTab({ art: 'hq', id: hq.idHQ, forKunde: !isAdmin })
  const changed = hq.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', {
        when: formatDateTime(hq.geaendert_am),
        who: hq.geaendert_von,
      })
    : t('zuletzt geändert am {when}', { when: formatDateTime(hq.geaendert_am) })
  const tabs = useRecordTabs({ stammdaten: editor.draft, module: switchEditor.draft })
  return (
    <Page
      record={hq.sHQ}
      subtitle={
        <>
          {details?.kunde &&
            (isAdmin ? <a href={`/kunden/${hq.client_id}`}>{details.kunde}</a> : details.kunde)}
          {details?.kunde && ' · '}
          {t('Nummer {id}', { id })} · {changed}
        </>
      }
      actions={<ButtonLink href={back}>{backText}</ButtonLink>}
    >
      {!hq.fb_enabled && (
        <Notice tone="warning" title={t('Nicht freigeschaltet')}>
          {isAdmin ? (
            t('Die zugeordneten Personen sehen nur, dass dieser Forstbetrieb nicht freigeschaltet ist.')
          ) : (
            <>
              {t('Die zugeordneten Personen sehen nur die Stammdaten.')} <SupportContact />
            </>
          )}
        </Notice>
      )}
      <Tabs
        label={t('Angaben zum Forstbetrieb')}
        {...tabs}
        tabs={[
          {
            id: 'ueberblick',
            label: t('Überblick'),
            content: <HqSummary hq={hq} switches={switches} page={path} />,
          },
          {
            id: 'stammdaten',
            label: t('Stammdaten'),
            content: <HqMasterData hq={hq} details={details} editor={editor} isAdmin={isAdmin} />,
          },
          {
            id: 'module',
            label: t('Module'),
            content: <HqModule hq={hq} switches={switches} editor={switchEditor} isAdmin={isAdmin} />,
          },
          { id: 'personen', label: t('Personen'), count: people.data?.length, content: <HqPeople hq={hq} /> },
          { id: 'flaeche', label: t('Fläche'), content: <HqAreaCard hq={hq} isAdmin={isAdmin} /> },
          ...notes,
          { id: 'verlauf', label: t('Verlauf'), content: <HqHistory id={id} /> },
        ]}
      />
      <RecordConflict editor={editor} />
      <RecordConflict editor={switchEditor} />
    </Page>
  )
}
