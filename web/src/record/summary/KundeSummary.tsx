// A customer at a glance: figures, the newest rows of everything, and what can be begun from here. The database
// decides which parts a person gets.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { KundeSummary as Summary, SummaryChange } from '#contract/summary.ts'
import { useHasRole } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Figures } from '../../ui/Figures.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { Invoices, Offers, Reminders } from './BookBlocks.tsx'
import { Holdings, People, Plans } from './KundeBlocks.tsx'
import { kundeFigures } from './kunde-figures.ts'
import { isOwnPage, type KundePageKind, type KundePlaces, useKundePlaces } from './kunde-places.ts'
import { Changes, Notes, Survey } from './SharedBlocks.tsx'
import { kundeSummary, SUMMARIES } from './summary.data.ts'
import { SummaryLoading } from './SummaryLoading.tsx'
import './summary.css'

const CreateHq = splitOff(async () => (await import('../hq/CreateHq.tsx')).CreateHq)

/** A dialog that the page brings along, because it belongs to another part of the application. */
type Dialog = (onClose: () => void) => ReactNode
export interface SummaryDialogs {
  /** Adds or invites a person. */
  readonly person?: Dialog | undefined
  /** The same where the page shows the dialog itself. */
  readonly onPerson?: (() => void) | undefined
  /** Adds a plan. */
  readonly plan?: Dialog | undefined
}
interface Props {
  client_id: number
  /** On which page. */
  kind: KundePageKind
  dialogs?: SummaryDialogs
}

export function KundeSummary({ client_id, kind, dialogs = {} }: Props) {
  const query = useQuery(kundeSummary(client_id))
  if (query.data !== undefined)
    return <Content client_id={client_id} kind={kind} dialogs={dialogs} summary={query.data} />
  if (query.isError)
    return (
      <Card>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  return <SummaryLoading />
}

type Opened = 'holding' | 'person' | 'plan' | null

function Content({ client_id, kind, dialogs, summary }: Required<Props> & { summary: Summary }) {
  const client = useQueryClient()
  const places = useKundePlaces(kind, client_id)
  const staff = useHasRole('ogf_admin', 'apus_admin', 'apus_team')
  const mayAddHolding = useHasRole('ogf_admin') && !isOwnPage(kind)
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => {
    setOpened(null)
    void client.invalidateQueries({ queryKey: SUMMARIES })
  }
  const button = (what: Opened, text: string, may: boolean, onClick = () => setOpened(what)) =>
    may && (
      <Button size="small" icon="plus" onClick={onClick}>
        {text}
      </Button>
    )
  const buttons = {
    holding: button('holding', t('Forstbetrieb anlegen'), mayAddHolding && summary.forstbetriebe !== null),
    plan: button('plan', t('Neuer Plan'), dialogs.plan !== undefined && summary.karten !== null),
    person: button(
      'person',
      t('Person hinzufügen'),
      (dialogs.person ?? dialogs.onPerson) !== undefined && summary.personen !== null,
      dialogs.onPerson,
    ),
  }
  const figures = kundeFigures(summary, places)
  const own = isOwnPage(kind) || !staff
  return (
    <div className="stack">
      <Actions summary={summary} places={places} more={buttons} />
      {figures.length > 0 && (
        <div className={figures.length > 3 ? 'summary-figures' : 'summary-few'}>
          <Figures label={t('Zahlen')} zahlen={figures} />
        </div>
      )}
      <Blocks summary={summary} places={places} buttons={buttons} own={own} />
      {opened === 'holding' && (
        <CreateHq
          client_id={client_id}
          hrefOf={({ idHQ }) => places.holding(idHQ) ?? places.tab('forstbetriebe')}
          onClose={close}
        />
      )}
      {opened === 'person' && dialogs.person?.(close)}
      {opened === 'plan' && dialogs.plan?.(close)}
    </div>
  )
}

interface Buttons {
  readonly holding: ReactNode
  readonly plan: ReactNode
  readonly person: ReactNode
}

/** Everything that can be begun for this customer, in one row. */
function Actions({ summary, places, more }: { summary: Summary; places: KundePlaces; more: Buttons }) {
  const { buch, notizen } = summary
  const books = buch?.sicht === 'buchhaltung'
  const unpaid = buch?.rechnungen.zeilen.filter(({ offen }) => Number(offen) > 0) ?? []
  // With one unpaid invoice there is nothing to choose.
  const payment =
    buch?.offen.anzahl === 1 && unpaid[0] !== undefined
      ? `${places.invoice(unpaid[0].id)}?zahlung=neu`
      : places.invoices('stand=offen,teilbezahlt,ueberfaellig&sort=faellig')
  if (!books && !notizen.schreibt && !more.holding && !more.person && !more.plan) return null
  return (
    <fieldset className="toolbar summary-actions" aria-label={t('Neu für diesen Kunden')}>
      {books && (
        <>
          <ButtonLink size="small" icon="plus" href={places.newInvoice}>
            {t('Rechnung schreiben')}
          </ButtonLink>
          <ButtonLink size="small" icon="plus" href={places.newOffer}>
            {t('Angebot schreiben')}
          </ButtonLink>
          {buch.offen.anzahl > 0 && (
            <ButtonLink size="small" icon="plus" href={payment}>
              {t('Zahlung eintragen')}
            </ButtonLink>
          )}
        </>
      )}
      {more.holding}
      {more.plan}
      {more.person}
      {notizen.schreibt && (
        <ButtonLink size="small" icon="plus" href={places.tab('notizen')}>
          {t('Notiz schreiben')}
        </ButtonLink>
      )}
    </fieldset>
  )
}

interface BlocksProps {
  summary: Summary
  places: KundePlaces
  buttons: Buttons
  /** The reader is one of the customer's people. */
  own: boolean
}
function Blocks({ summary, places, buttons, own }: BlocksProps) {
  const { buch, forstbetriebe, karten, vermessung, personen, notizen, verlauf } = summary
  const hrefOf = ({ tabelle, hqid, schluessel, aktion }: SummaryChange) => {
    if (aktion === 'geloescht') return undefined
    if (tabelle === 'kartenblatt') return places.plan(Number(schluessel))
    return hqid !== null ? places.holding(hqid) : places.history
  }
  return (
    <div className="summary-blocks">
      {buch !== null && <Invoices books={buch} places={places} />}
      {buch !== null && <Offers books={buch} places={places} />}
      {buch !== null && <Reminders books={buch} places={places} />}
      {forstbetriebe !== null && <Holdings holdings={forstbetriebe} places={places} next={buttons.holding} />}
      {karten !== null && <Plans plans={karten} places={places} own={own} next={buttons.plan} />}
      {vermessung !== null && (
        <Survey
          survey={vermessung}
          all={places.survey}
          empty={t('Noch nichts vermessen.')}
          next={
            !own && (
              <ButtonLink size="small" icon="upload" href={places.surveyImport}>
                {t('Kataster importieren')}
              </ButtonLink>
            )
          }
        />
      )}
      {personen !== null && <People people={personen} places={places} next={buttons.person} />}
      <Notes
        notes={notizen}
        all={places.tab('notizen')}
        hrefOf={({ art, datensatz }) => places.note(art, datensatz)}
      />
      {places.history !== undefined && <Changes changes={verlauf} all={places.history} hrefOf={hrefOf} />}
    </div>
  )
}
