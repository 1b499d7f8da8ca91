// Payments of an invoice: entered by hand and reversed by a counter entry, never deleted.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Zahlung } from '#contract/zahlung.ts'
import { decimal, formatEuro, sign } from '#domain/geld.ts'
import { useHasRole } from '../../../data/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card, DateText } from '../../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { useAsked } from '../../../ui/use-asked.ts'
import type { Rechnung } from '../beleg.data.ts'
import { paymentsQuery } from './payments.data.ts'
import { zahlungKindText } from './zahlung-words.ts'

const ZahlungDialog = splitOff(async () => (await import('./ZahlungDialog.tsx')).ZahlungDialog)
const ReversalDialog = splitOff(async () => (await import('./ReversalDialog.tsx')).ReversalDialog)

export function Zahlungen({ rechnung }: { rechnung: Rechnung }) {
  const writes = useHasRole('apus_admin')
  const query = useQuery(paymentsQuery(rechnung.id))
  const adding = useAsked('zahlung', 'neu')
  const [taking, setTaking] = useState<Zahlung | null>(null)
  // A cancelled invoice can only be paid back.
  const isOwed = sign(decimal(rechnung.offen)) < 0
  const canBook = writes && rechnung.schluss_id === null && (rechnung.storno_id === null || isOwed)
  return (
    <Card
      title={t('Zahlungen')}
      actions={
        canBook && (
          <Button size="small" icon="plus" onClick={adding.open}>
            {isOwed ? t('Rückzahlung eintragen') : t('Zahlung eintragen')}
          </Button>
        )
      }
    >
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <EmptyState icon="euro" title={t('Noch keine Zahlungen')}>
          {t('Offen: {betrag}', { betrag: formatEuro(rechnung.offen) })}
        </EmptyState>
      ) : (
        <ul className="beleg-log" aria-label={t('Zahlungen')}>
          {query.data.map((zahlung) => (
            <li key={zahlung.id}>
              <DateText value={zahlung.datum} />
              <strong className="nums">{formatEuro(zahlung.betrag)}</strong>
              <span>{zahlungKindText(zahlung.art)}</span>
              {zahlung.gegen_id !== null && <Badge>{t('Rücknahme')}</Badge>}
              {zahlung.zurueck && <Badge>{t('zurückgenommen')}</Badge>}
              <span className="soft">{zahlung.bemerkung}</span>
              {writes && zahlung.gegen_id === null && !zahlung.zurueck && rechnung.schluss_id === null && (
                <Button size="small" variant="quiet" onClick={() => setTaking(zahlung)}>
                  {t('Zurücknehmen')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {adding.isOpen && canBook && <ZahlungDialog rechnung={rechnung} onClose={adding.close} />}
      {taking && (
        <ReversalDialog rechnung_id={rechnung.id} zahlung={taking} onClose={() => setTaking(null)} />
      )}
    </Card>
  )
}
