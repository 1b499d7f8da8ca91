// /buchhaltung/rechnungen/rechnung/{id}: one invoice, draft or issued, with the real PDF beside its data.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { dezimal, formatEuro, formatZahl } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Badge, Card, DateText, Facts, fact } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import { BelegLaden } from '../BelegLaden.tsx'
import { BelegBild, BelegDateien, BelegPositionen, BelegProtokoll, BelegTexte } from '../BelegTeile.tsx'
import { type Rechnung, rechnungQuery, useBelegAct, vorschauQuery } from '../beleg.data.ts'
import { formatText, RECHNUNG_TONES, rechnungStandText } from '../entwurf-words.ts'
import { Zahlungen } from './Zahlungen.tsx'

const StornoDialog = lazy(async () => ({ default: (await import('./StornoDialog.tsx')).StornoDialog }))

const HOME = '/buchhaltung/rechnungen/rechnung'
const nameOf = ({ art, nummer }: Rechnung): string =>
  nummer === null ? t('Rechnungsentwurf') : art === 'storno' ? t('Stornorechnung {nummer}', { nummer }) : t('Rechnung {nummer}', { nummer })

export function RechnungPage() {
  const { params } = useView()
  const id = params['id'] ?? ''
  const query = useQuery(rechnungQuery(id))
  return (
    <BelegLaden query={query} sorte="rechnung" id={id}>
      {(rechnung) => <Ansicht key={id} id={id} rechnung={rechnung} />}
    </BelegLaden>
  )
}

function Ansicht({ id, rechnung }: { id: string; rechnung: Rechnung }) {
  const beleg = useQuery(vorschauQuery('rechnung', id, rechnung.version))
  const name = nameOf(rechnung)
  const isDraft = rechnung.zustand === 'entwurf'
  return (
    <Page
      title={name}
      record={rechnung.nummer ?? t('Entwurf')}
      subtitle={
        <>
          {rechnung.kunde} <Badge tone={RECHNUNG_TONES[rechnung.stand]}>{rechnungStandText(rechnung.stand)}</Badge>
          {rechnung.archiviert && <Badge>{t('Archiv')}</Badge>}
        </>
      }
      actions={
        <>
          <BelegDateien sorte="rechnung" id={id} name={name} xml={!isDraft && beleg.data?.format !== 'pdf'} />
          <Taten id={id} rechnung={rechnung} />
        </>
      }
    >
      <div className="beleg-two">
        <div className="stack">
          <Kopf rechnung={rechnung} />
          {beleg.isPending ? (
            <Card>
              <Skeleton lines={6} />
            </Card>
          ) : beleg.isError ? (
            <Card>
              <ErrorState error={beleg.error} onRetry={() => void beleg.refetch()} />
            </Card>
          ) : (
            <>
              <BelegPositionen beleg={beleg.data} />
              <BelegTexte beleg={beleg.data} />
            </>
          )}
          {!isDraft && rechnung.art === 'rechnung' && <Zahlungen rechnung={rechnung} />}
          <BelegProtokoll sorte="rechnung" id={id} />
        </div>
        <BelegBild sorte="rechnung" id={id} version={rechnung.version} name={name} />
      </div>
    </Page>
  )
}

function Kopf({ rechnung }: { rechnung: Rechnung }) {
  const link = (href: string, text: string) => <a href={href}>{text}</a>
  const period =
    rechnung.le_date_bis === null ? formatDate(rechnung.le_date) : `${formatDate(rechnung.le_date)} – ${formatDate(rechnung.le_date_bis)}`
  const related = [
    rechnung.storno_von !== null && fact(t('Nimmt zurück'), link(`${HOME}/${rechnung.storno_von}`, t('stornierte Rechnung'))),
    rechnung.storno_id !== null && fact(t('Storniert durch'), link(`${HOME}/${rechnung.storno_id}`, t('Stornorechnung'))),
    rechnung.kopie_von !== null && fact(t('Kopie von'), link(`${HOME}/${rechnung.kopie_von}`, t('Rechnung'))),
    rechnung.angebot_id !== null && fact(t('Zum Angebot'), link(`/buchhaltung/angebote/angebot/${rechnung.angebot_id}`, t('Angebot'))),
    rechnung.storno_grund !== '' && fact(t('Grund des Stornos'), rechnung.storno_grund),
  ].filter((one) => one !== false)
  return (
    <Card title={t('Kopf')}>
      <Facts
        facts={[
          fact(t('Kunde'), link(`/member-management/client/${rechnung.client_id}`, rechnung.kunde)),
          fact(t('Rechnungsdatum'), <DateText value={rechnung.rn_datum} />),
          fact(t('Leistung'), period),
          fact(t('Fällig'), <DateText value={rechnung.faellig} />),
          fact(t('Brutto'), formatEuro(rechnung.brutto)),
          fact(t('Bezahlt'), formatEuro(rechnung.bezahlt)),
          fact(t('Offen'), formatEuro(rechnung.offen)),
          fact(
            t('Skonto'),
            rechnung.skonto
              ?.map(({ tage, prozent }) => t('{tage} Tage {prozent} %', { tage, prozent: formatZahl(dezimal(prozent)) }))
              .join(', '),
          ),
          fact(t('Format'), rechnung.format === null ? t('wie beim Kunden') : formatText(rechnung.format)),
          fact(t('Bestellnummer des Kunden'), rechnung.bestellnummer),
          fact(t('Bearbeiter'), rechnung.bearbeiter),
          ...(rechnung.ausgestellt_am === null
            ? []
            : [
                fact(
                  t('Ausgestellt'),
                  <>
                    <DateText value={rechnung.ausgestellt_am} time /> {rechnung.ausgestellt_von}
                  </>,
                ),
              ]),
          ...related,
        ]}
      />
    </Card>
  )
}

/** Once it can be put away, the database knows; here are those that it would let through. */
const ARCHIVABLE: ReadonlySet<string> = new Set(['bezahlt', 'storniert', 'storno'])

function Taten({ id, rechnung }: { id: string; rechnung: Rechnung }) {
  const view = useView()
  const [cancelling, setCancelling] = useState(false)
  const failed = (error: unknown) => toast.error(messageOf(error))
  const copy = useBelegAct(() => rpc('a_copy_invoice', { invoice_id: id }))
  const archive = useBelegAct((archiviert: boolean) => rpc('a_set_archive_for_rn', { invoice_id: id, archiviert }))
  if (rechnung.zustand === 'entwurf')
    return (
      <ButtonLink variant="primary" icon="edit" href={`${HOME}/update/${id}`}>
        {t('Bearbeiten')}
      </ButtonLink>
    )
  return (
    <>
      {rechnung.art === 'rechnung' && (
        <Button
          busy={copy.isPending}
          onClick={() => copy.mutate(undefined, { onSuccess: (made) => view.go(`${HOME}/update/${made}`), onError: failed })}
        >
          {t('Kopie als Entwurf')}
        </Button>
      )}
      {(rechnung.archiviert || ARCHIVABLE.has(rechnung.stand)) && (
        <Button
          busy={archive.isPending}
          onClick={() =>
            archive.mutate(!rechnung.archiviert, {
              onSuccess: (is) => toast.success(is ? t('Die Rechnung liegt im Archiv.') : t('Die Rechnung ist wieder in der Liste.')),
              onError: failed,
            })
          }
        >
          {rechnung.archiviert ? t('Aus dem Archiv holen') : t('Archivieren')}
        </Button>
      )}
      {rechnung.art === 'rechnung' && rechnung.storno_id === null && (
        <Button variant="danger" onClick={() => setCancelling(true)}>
          {t('Stornieren')}
        </Button>
      )}
      <Suspense>{cancelling && <StornoDialog rechnung={rechnung} onClose={() => setCancelling(false)} />}</Suspense>
    </>
  )
}
