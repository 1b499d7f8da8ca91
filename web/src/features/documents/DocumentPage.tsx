// /dokumente/rechnung/{id} and /dokumente/angebot/{id}: one document with its real PDF; an invoice with its
// open amount, an offer with the form to answer it.
import { useQuery } from '@tanstack/react-query'
import { decimal, formatEuro, negateText, sign } from '#domain/geld.ts'
import { maskIban } from '#domain/iban.ts'
import { ApiError } from '../../data/api-error.ts'
import { useSession } from '../../data/session.ts'
import { arrayQuery } from '../../list/use-list-rows.ts'
import { AnlagenCard } from '../../record/beleg/AnlagenList.tsx'
import { PdfView } from '../../record/beleg/PdfView.tsx'
import { NotesCard } from '../../record/notes/notes-tab.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Badge, Card, DateText, type Fact, Facts, fact, Notice } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import { AngebotReader } from './AngebotReader.tsx'
import { Files } from './Files.tsx'
import { kindText, nameOf, stateText, toneOf, todoOf } from './document-words.ts'
import { documentsOf } from './documents-list.tsx'
import {
  angebotQuery,
  type CustomerDocument,
  pdfQuery,
  type DocKind,
  kindOf,
  useDecide,
} from './documents.data.ts'
import './documents.css'

const LIST = documentsOf([])

export const RechnungPage = () => <DocumentLoader docKind="rechnung" />
export const AngebotPage = () => <DocumentLoader docKind="angebot" />

function DocumentLoader({ docKind }: { docKind: DocKind }) {
  const id = useView().params['id'] ?? ''
  const query = useQuery(arrayQuery(LIST))
  if (query.isPending)
    return (
      <Page>
        <Card>
          <Skeleton lines={6} />
        </Card>
      </Page>
    )
  if (query.isError && query.data === undefined)
    return (
      <Page>
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      </Page>
    )
  const customerDocument = query.data?.find((row) => kindOf(row) === docKind && String(row.id) === id)
  if (customerDocument === undefined)
    return (
      <Page>
        <Card>
          <EmptyState
            icon="file"
            title={t('Dieses Dokument gibt es hier nicht')}
            action={
              <ButtonLink variant="primary" href="/dokumente/index">
                {t('Zu Ihren Dokumenten')}
              </ButtonLink>
            }
          >
            {t('Vielleicht ist die Adresse unvollständig, oder es gehört zu einem anderen Kunden.')}
          </EmptyState>
        </Card>
      </Page>
    )
  return <View key={`${docKind}-${id}`} dokument={customerDocument} />
}

function View({ dokument }: { dokument: CustomerDocument }) {
  const name = nameOf(dokument)
  return (
    <Page
      title={name}
      record={dokument.nummer}
      subtitle={
        <>
          {dokument.kunde} <Badge tone={toneOf(dokument)}>{stateText(dokument)}</Badge>
        </>
      }
      actions={
        <>
          <ButtonLink href="/dokumente/index">{t('Alle Dokumente')}</ButtonLink>
          <Files dokument={dokument} />
        </>
      }
    >
      <div className="beleg-two">
        <div className="stack">
          <Card title={t('Auf einen Blick')}>
            <Facts facts={factsOf(dokument)} />
          </Card>
          {todoOf(dokument) === 'zahlen' && <Figures dokument={dokument} />}
          {dokument.art === 'angebot' && <Angebot dokument={dokument} />}
          {dokument.art !== 'angebot' && <AnlagenCard invoice={dokument.id} />}
          <NotesCard art={kindOf(dokument)} id={dokument.id} forKunde />
        </div>
        <Preview dokument={dokument} name={name} />
      </div>
    </Page>
  )
}

function factsOf(customerDocument: CustomerDocument): Fact[] {
  const { art, stand, datum, faellig, betrag, offen, entschieden_am, entschieden_von, bezug } =
    customerDocument
  const isOffer = art === 'angebot'
  return [
    fact(t('Art'), kindText(art)),
    fact(t('Datum'), <DateText value={datum} />),
    ...(faellig === null || art === 'storno' || art === 'korrektur'
      ? []
      : [fact(isOffer ? t('Gültig bis') : t('Fällig am'), <DateText value={faellig} />)]),
    fact(
      !isOffer
        ? t('Rechnungsbetrag')
        : stand === 'angenommen'
          ? t('Auftragssumme (brutto)')
          : t('Angebotssumme (brutto)'),
      <span className="nums">{formatEuro(betrag)}</span>,
    ),
    ...(art === 'storno' || art === 'korrektur' || art === 'angebot' ? [] : [openOrCredit(offen)]),
    ...(bezug === null
      ? []
      : [
          fact(
            art === 'storno' ? t('Hebt auf') : art === 'korrektur' ? t('Korrigiert') : t('Storniert durch'),
            bezug,
          ),
        ]),
    ...(entschieden_am === null
      ? []
      : [
          fact(
            t('Ihre Antwort'),
            <>
              {stateText(customerDocument)}, {entschieden_von}
            </>,
          ),
        ]),
  ]
}

/**
 * A negative open amount means overpayment; it is labelled as credit, because a minus sign would not say so.
 */
const openOrCredit = (openAmount: string) =>
  sign(decimal(openAmount)) < 0
    ? fact(t('Guthaben'), <span className="nums">{formatEuro(negateText(openAmount))}</span>)
    : fact(t('Noch offen'), <span className="nums">{formatEuro(openAmount)}</span>)

function Figures({ dokument: { offen, faellig, stand, einzug } }: { dokument: CustomerDocument }) {
  if (sign(decimal(offen)) <= 0) return null
  if (einzug !== null)
    return (
      <Notice title={t('Wir ziehen {betrag} ein', { betrag: formatEuro(offen) })}>
        {t(
          'Sie müssen nichts überweisen: Wir ziehen den Betrag am {tag} von Ihrem Konto {konto} ein (Mandat ' +
            '{mandat}, Gläubiger-ID {glaeubiger}).',
          {
            tag: formatDate(einzug.tag),
            konto: maskIban(einzug.iban),
            mandat: einzug.mandat,
            glaeubiger: einzug.glaeubiger_id,
          },
        )}
      </Notice>
    )
  const late = stand === 'ueberfaellig'
  return (
    <Notice
      tone={late ? 'warning' : 'info'}
      title={t('Noch zu zahlen: {betrag}', { betrag: formatEuro(offen) })}
    >
      <p>
        {late || faellig === null
          ? t('Bitte überweisen Sie den Betrag möglichst bald.')
          : t('Bitte überweisen Sie den Betrag bis zum {tag}.', { tag: formatDate(faellig) })}{' '}
        {t(
          'IBAN und Verwendungszweck stehen auf der Rechnung. Mit dem GiroCode darauf füllt Ihre Banking-App ' +
            'die Überweisung aus: einfach abfotografieren.',
        )}
      </p>
      <p>
        {t('Haben Sie schon überwiesen? Dann ist das Geld noch unterwegs, und Sie müssen nichts weiter tun.')}
      </p>
    </Notice>
  )
}

function Preview({ dokument, name }: { dokument: CustomerDocument; name: string }) {
  const query = useQuery(pdfQuery(kindOf(dokument), dokument.id))
  return (
    <Card title={t('Das Dokument')}>
      {query.isError ? (
        <Notice
          tone="info"
          title={t('Das PDF lässt sich gerade nicht anzeigen')}
          actions={<Button onClick={() => void query.refetch()}>{t('Erneut versuchen')}</Button>}
        >
          {query.error instanceof ApiError
            ? query.error.message
            : t('Bitte versuchen Sie es gleich noch einmal.')}
        </Notice>
      ) : query.data === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <PdfView key={dokument.id} blob={query.data} name={name} />
      )}
    </Card>
  )
}

function Angebot({ dokument }: { dokument: CustomerDocument }) {
  const query = useQuery(angebotQuery(dokument.id))
  const { name } = useSession()
  const decide = useDecide(dokument.id)
  if (query.isPending)
    return (
      <Card>
        <Skeleton lines={6} />
      </Card>
    )
  if (query.isError && query.data === undefined)
    return (
      <Card>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  return (
    <AngebotReader
      angebot={query.data}
      wer={name}
      decide={async (decision) => {
        await decide.mutateAsync(decision)
        toast.success(
          decision.angenommen
            ? t('Vielen Dank! Sie haben das Angebot angenommen. Wir melden uns bei Ihnen.')
            : t('Sie haben das Angebot abgelehnt. Vielen Dank für Ihre Antwort.'),
        )
      }}
    />
  )
}
