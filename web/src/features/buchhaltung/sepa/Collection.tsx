// How an invoice is collected: announced, in a file, came back, or its mandate has ended since.
import { useQuery } from '@tanstack/react-query'
import type { Einzug } from '#contract/sepa.ts'
import { maskIban } from '#domain/iban.ts'
import { rpc } from '../../../data/rpc.ts'
import { Card, Notice } from '../../../ui/Display.tsx'
import { ErrorState } from '../../../ui/States.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { belegKey, type Rechnung } from '../beleg.data.ts'

function useCollection(rechnung: Rechnung) {
  const id = String(rechnung.id)
  return useQuery({
    queryKey: [...belegKey('rechnung', id), 'einzug'],
    queryFn: ({ signal }) => rpc('a_get_einzug', { invoice_id: id }, { signal }),
  })
}

/** Beside the question whether to cancel or correct an invoice: the bank may collect its amount all the same. */
export function InDebitFile({ rechnung }: { rechnung: Rechnung }) {
  const einzug = useCollection(rechnung).data?.[0]
  if (einzug?.stand !== 'datei') return null
  return (
    <Notice
      tone="warning"
      title={t('Der Betrag wird am {tag} eingezogen', { tag: formatDate(einzug.datei) })}
    >
      {t(
        'Die Rechnung steht in einer Lastschriftdatei. Hat die Bank sie noch nicht, ziehen Sie die Datei bitte ' +
          'zuerst zurück. Sonst bitten Sie die Bank, den Einzug zurückzurufen, oder zahlen Sie den Betrag danach ' +
          'zurück.',
      )}{' '}
      <ToDebits />
    </Notice>
  )
}

/** Shows nothing for an invoice that is paid by transfer. */
export function Collection({ rechnung }: { rechnung: Rechnung }) {
  const query = useCollection(rechnung)
  if (query.isError)
    return (
      <Card title={t('Lastschrift')}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  const einzug = query.data?.[0]
  if (einzug === undefined) return null
  return (
    <Card title={t('Lastschrift')}>
      <Said einzug={einzug} />
    </Card>
  )
}

const ToDebits = () => <a href="/buchhaltung/lastschriften">{t('Zu den Lastschriften')}</a>

function Said({ einzug: { tag, mandat, iban, stand, datei, ersatz } }: { einzug: Einzug }) {
  const day = formatDate(tag)
  const account = maskIban(iban)
  switch (stand) {
    case 'geplant':
      return (
        <p>
          {t('Angekündigt für den {tag} vom Konto {konto}, Mandat {mandat}.', {
            tag: day,
            konto: account,
            mandat,
          })}{' '}
          <ToDebits />
        </p>
      )
    case 'datei':
      return (
        <p>
          {t('In der Datei für den {tag}, vom Konto {konto}, Mandat {mandat}. Die Bank meldet die Zahlung.', {
            tag: formatDate(datei),
            konto: account,
            mandat,
          })}
        </p>
      )
    case 'zurueck':
      return (
        <Notice tone="warning" title={t('Der Einzug hat nichts gebracht')}>
          {t(
            'Die Rechnung steht in der Datei für den {tag} und ist noch offen. Vielleicht fehlt der Umsatz der ' +
              'Bank; sonst klären Sie es bitte mit dem Kunden. Sie können jetzt auch mahnen.',
            { tag: formatDate(datei) },
          )}
        </Notice>
      )
    case 'mandat_beendet':
      return (
        <Notice tone="warning" title={t('Das angekündigte Mandat gilt nicht mehr')}>
          {ersatz === null
            ? t(
                'Die Rechnung kündigt den Einzug für den {tag} mit dem Mandat {mandat} an. Bitten Sie den ' +
                  'Kunden um eine Überweisung oder ein neues Mandat.',
                { tag: day, mandat },
              )
            : t(
                'Die Rechnung kündigt den Einzug für den {tag} mit dem Mandat {mandat} an. Mit dem Mandat ' +
                  '{ersatz} können Sie einziehen; teilen Sie dem Kunden das andere Konto vorher mit.',
                { tag: day, mandat, ersatz },
              )}{' '}
          <ToDebits />
        </Notice>
      )
  }
}
