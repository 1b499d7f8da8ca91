// /buchhaltung/eingang/rechnung/{id}: one received invoice: what it says, what is wrong with it, the decision.
import { useQuery } from '@tanstack/react-query'
import type { Eingang } from '#contract/eingang.ts'
import { isOwnTax } from '#domain/eingang/input-tax.ts'
import { formatEuro } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import { ApiError } from '../../../data/api-error.ts'
import { useHasRole } from '../../../data/session.ts'
import { PdfView, saveBlob } from '../../../record/beleg/PdfView.tsx'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card, DateText, type Fact, fact, Facts, Notice } from '../../../ui/Display.tsx'
import { formatBytes, formatDate, formatDateTime } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import '../buchhaltung.css'
import { eingangQuery, fileQuery } from './eingang.data.ts'
import './eingang.css'
import { EingangActions } from './EingangActions.tsx'
import { EingangFaults } from './EingangFaults.tsx'
import { EingangZahlungen } from './EingangZahlungen.tsx'
import { eingangPath } from './eingang-path.ts'
import { formatName, inputTaxText, standText, STAND_TONES } from './eingang-words.ts'
import { ReadableInvoice } from './ReadableInvoice.tsx'

export function EingangRecordPage() {
  const { params } = useView()
  const query = useQuery(eingangQuery(params['id'] ?? ''))
  if (query.isPending)
    return (
      <Page>
        <Skeleton lines={10} />
      </Page>
    )
  if (query.isError)
    return (
      <Page>
        {query.error instanceof ApiError && query.error.code === 'not_found' ? (
          <EmptyState icon="inbox" title={t('Diese Eingangsrechnung gibt es nicht')} />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
      </Page>
    )
  return <Record eingang={query.data} />
}

function Record({ eingang }: { eingang: Eingang }) {
  const writes = useHasRole('apus_admin')
  const { id, nummer, dateiname, zustand, kreditor, name, gelesen, bemerkung } = eingang
  return (
    <Page
      title={nummer === '' ? dateiname : t('Eingang {nummer}', { nummer })}
      record={nummer === '' ? dateiname : nummer}
      subtitle={
        <>
          {kreditor?.name ?? name} <Badge tone={STAND_TONES[zustand]}>{standText(zustand)}</Badge>
        </>
      }
      actions={
        <>
          <Original eingang={eingang} />
          {writes && <EingangActions eingang={eingang} />}
        </>
      }
    >
      <Warnings eingang={eingang} />
      <div className={isShown(eingang) ? 'beleg-two' : 'stack'}>
        <div className="stack">
          <Card title={t('Buchung')}>
            <Facts facts={factsOf(eingang)} />
            {bemerkung !== '' && (
              <p className="eingang-value">
                {zustand === 'abgelehnt' ? t('Abgelehnt:') : t('Bemerkung:')} {bemerkung}
              </p>
            )}
          </Card>
          <EingangZahlungen eingang={eingang} />
          <EingangFaults eingang={eingang} />
          {gelesen === null ? (
            <Card title={t('Rechnung')}>
              <p>
                {t(
                  'Dieses PDF enthält keine E-Rechnung, die sich lesen lässt. Die Angaben der Buchung tragen Sie ' +
                    'bitte selbst ein.',
                )}
              </p>
            </Card>
          ) : (
            <ReadableInvoice id={id} invoice={gelesen} />
          )}
        </div>
        {isShown(eingang) && <Picture eingang={eingang} />}
      </div>
    </Page>
  )
}

/** A PDF that runs something is only saved. */
const isShown = ({ format, befunde }: Eingang): boolean =>
  (format === 'pdf' || format === 'zugferd') && befunde.every(({ rule }) => rule !== 'pdf_aktiv')

function factsOf(eingang: Eingang): Fact[] {
  const { kreditor, aus_datei, brutto, netto, steuer, zahlbetrag } = eingang
  const euro = (value: string | null) => value && formatEuro(value)
  return [
    fact(t('Lieferant'), kreditor?.name ?? t('{name} (noch nicht angelegt)', { name: eingang.name || '–' })),
    fact(t('USt-IdNr.'), kreditor?.ust_id || eingang.ust_id),
    fact(t('IBAN'), formatIban(eingang.iban || (kreditor?.iban ?? ''))),
    fact(t('Rechnungsnummer'), eingang.nummer),
    fact(t('Rechnungsdatum'), <DateText value={eingang.datum} />),
    fact(t('Fällig'), <DateText value={eingang.faellig} />),
    fact(t('Netto'), euro(netto)),
    fact(t('Umsatzsteuer'), euro(steuer)),
    fact(t('Brutto'), euro(brutto)),
    fact(t('Zu zahlen'), euro(zahlbetrag)),
    fact(t('Aufwandskonto'), eingang.konto),
    fact(t('Vorsteuer'), inputTaxOf(eingang)),
    fact(t('Leistung bis'), <DateText value={eingang.leistung ?? eingang.datum} />),
    ...(eingang.offen === null ? [] : [fact(t('Offen'), formatEuro(eingang.offen))]),
    fact(t('Bezahlt am'), <DateText value={eingang.bezahlt_am} />),
    fact(t('Erhalten am'), <DateText value={eingang.erhalten} />),
    fact(t('Eingegangen'), <DateText value={eingang.eingegangen_am} time />),
    ...(eingang.herkunft === null ? [] : [fact(t('Per Mail'), mailOf(eingang.herkunft))]),
    fact(t('Datei'), `${eingang.dateiname}, ${formatBytes(eingang.groesse)}`),
    fact(t('Format'), formatName(eingang.format)),
    fact(t('Prüfsumme (SHA-256)'), <code className="eingang-value">{eingang.sha256}</code>),
    ...(aus_datei.length === 0 ? [] : [fact(t('Regelwerk der Datei'), eingang.profil)]),
  ]
}

/** Who sent it, when, and under which subject. */
const mailOf = ({ von, am, betreff }: NonNullable<Eingang['herkunft']>): string =>
  [von, am === null ? '' : formatDateTime(am), betreff].filter((text) => text !== '').join(' · ')

/** The kind, and the amount or rate where people have changed it. */
function inputTaxOf({ vorsteuer, vorsteuer_betrag }: Eingang): string {
  const kind = inputTaxText(vorsteuer)
  return vorsteuer_betrag === null || !isOwnTax(vorsteuer) ? kind : `${kind}: ${formatEuro(vorsteuer_betrag)}`
}

/** What somebody should look at before money moves. */
function Warnings({ eingang: { kreditor, iban, gleiche } }: { eingang: Eingang }) {
  return (
    <>
      {kreditor !== null && kreditor.iban !== '' && iban !== '' && kreditor.iban !== iban && (
        <Notice tone="danger" title={t('Andere Bankverbindung als bisher')}>
          <p>
            {t(
              'Bisher: {bisher}. Auf dieser Rechnung: {neu}. Bitte fragen Sie beim Lieferanten nach, und zwar ' +
                'unter einer Telefonnummer, die nicht auf dieser Rechnung steht.',
              { bisher: formatIban(kreditor.iban), neu: formatIban(iban) },
            )}
          </p>
        </Notice>
      )}
      {gleiche.length > 0 && (
        <Notice tone="warning" title={t('Diese Rechnungsnummer ist von diesem Lieferanten schon da')}>
          <ul className="eingang-outcomes">
            {gleiche.map(({ id, datum, zustand }) => (
              <li key={id}>
                <a href={eingangPath(id)}>{t('Rechnung vom {tag}', { tag: formatDate(datum) })}</a>{' '}
                {standText(zustand)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

function Original({ eingang: { id, dateiname } }: { eingang: Eingang }) {
  const query = useQuery({ ...fileQuery(id), enabled: false })
  const save = async () => {
    const { data, error } = await query.refetch()
    if (data) saveBlob(data, dateiname)
    else if (error) toast.error(messageOf(error))
  }
  return (
    <Button icon="download" busy={query.isFetching} onClick={() => void save()}>
      {t('Original herunterladen')}
    </Button>
  )
}

function Picture({ eingang: { id, nummer, dateiname } }: { eingang: Eingang }) {
  const query = useQuery(fileQuery(id))
  if (query.isPending) return <Skeleton lines={12} />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <PdfView key={id} blob={query.data} name={nummer || dateiname} />
}
