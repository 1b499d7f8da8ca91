// Payments of a received invoice: entered by hand or from the bank, and reversed by a counter entry.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Eingang, EingangZahlung } from '#contract/eingang.ts'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { useHasRole } from '../../../data/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card, DateText } from '../../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { formatDate } from '../../../ui/format.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { EINGANG_KEY } from './eingang.data.ts'
import { TRANSFERS_PATH } from './eingang-path.ts'
import { isMoneyIn } from './payment-form.ts'

const PaymentDialog = splitOff(async () => (await import('./PaymentDialog.tsx')).PaymentDialog)
const TakeBackDialog = splitOff(async () => (await import('./PaymentDialog.tsx')).TakeBackDialog)

/** Nothing before the approval. */
export function EingangZahlungen({ eingang }: { eingang: Eingang }) {
  const { id, offen, zahllauf } = eingang
  const writes = useHasRole('apus_admin')
  const query = useQuery({
    queryKey: [...EINGANG_KEY, 'zahlungen', id, eingang.version],
    queryFn: ({ signal }) => rpc('a_get_eingang_zahlungen', { eingang_id: id }, { signal }),
    enabled: offen !== null,
  })
  const [adding, setAdding] = useState(false)
  const [taking, setTaking] = useState<EingangZahlung | null>(null)
  if (offen === null) return null
  return (
    <Card
      title={t('Zahlungen')}
      actions={
        writes &&
        Number(offen) !== 0 && (
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            {isMoneyIn(offen) ? t('Geldeingang eintragen') : t('Zahlung eintragen')}
          </Button>
        )
      }
    >
      {zahllauf !== null && (
        <p>
          <a href={`${TRANSFERS_PATH}?teil=dateien`}>
            {t('In der Überweisungsdatei für den {tag}: {betrag}', {
              tag: formatDate(zahllauf.tag),
              betrag: formatEuro(zahllauf.betrag),
            })}
          </a>
        </p>
      )}
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <EmptyState icon="euro" title={t('Noch keine Zahlungen')}>
          {t('Offen: {betrag}', { betrag: formatEuro(offen) })}
        </EmptyState>
      ) : (
        <ul className="beleg-log" aria-label={t('Zahlungen')}>
          {query.data.map((zahlung) => (
            <li key={zahlung.id}>
              <DateText value={zahlung.datum} />
              <strong className="nums">{formatEuro(zahlung.betrag)}</strong>
              <span>{zahlung.art === 'skonto' ? t('Skonto') : t('Zahlung')}</span>
              {zahlung.umsatz_id !== null && <Badge>{t('Bank')}</Badge>}
              {zahlung.gegen_id !== null && <Badge>{t('Rücknahme')}</Badge>}
              {zahlung.zurueck && <Badge>{t('zurückgenommen')}</Badge>}
              <span className="soft">{zahlung.bemerkung}</span>
              {writes && zahlung.gegen_id === null && !zahlung.zurueck && (
                <Button size="small" variant="quiet" onClick={() => setTaking(zahlung)}>
                  {t('Zurücknehmen')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {adding && <PaymentDialog eingang={eingang} offen={offen} onClose={() => setAdding(false)} />}
      {taking && <TakeBackDialog zahlung={taking} onClose={() => setTaking(null)} />}
    </Card>
  )
}
