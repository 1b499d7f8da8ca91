// The invoices for an accepted offer, including drafts and cancelled ones.
import { useQuery } from '@tanstack/react-query'
import { decimal, formatEuro, sum } from '#domain/geld.ts'
import { eq } from '../../../data/addresses.ts'
import { selectPage } from '../../../data/rows.ts'
import { Badge, Card, DateText } from '../../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { type Angebot, belegKey, type RechnungState } from '../beleg.data.ts'
import { RECHNUNG_TONES, rechnungStateText } from '../draft-words.ts'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'

interface TableRow {
  readonly id: number
  readonly nummer: string | null
  readonly rn_datum: string
  readonly stand: RechnungState
  readonly netto: number
}
const MOST = 200

export function Billing({ angebot }: { angebot: Angebot }) {
  const id = String(angebot.id)
  const invoices = useQuery({
    queryKey: [...belegKey('angebot', id), 'rechnungen'],
    queryFn: async ({ signal }) => {
      const select = ['id', 'nummer', 'rn_datum', 'stand', 'netto']
      const order = [{ column: 'id' }]
      return (
        await selectPage<TableRow>('rechnung_liste', {
          select,
          filters: [eq('angebot_id', id)],
          order,
          limit: MOST,
          count: 'none',
          signal,
        })
      ).rows
    },
    staleTime: 0,
  })
  const { data: rows } = invoices
  return (
    <Card title={t('Abrechnung')}>
      {invoices.isError ? (
        <ErrorState error={invoices.error} onRetry={() => void invoices.refetch()} />
      ) : rows === undefined ? (
        <Skeleton lines={4} />
      ) : rows.length === 0 ? (
        <p className="soft">{t('Von diesem Angebot ist noch nichts in Rechnung gestellt.')}</p>
      ) : (
        <ul className="beleg-log" aria-label={t('Rechnungen zu diesem Angebot')}>
          {rows.map(({ id: nr, nummer, rn_datum, stand, netto }) => (
            <li key={nr}>
              <DateText value={rn_datum} />
              <a href={stand === 'entwurf' ? RECHNUNG_KIND.draft(nr) : RECHNUNG_KIND.record(nr)}>
                {nummer ?? t('Rechnungsentwurf')}
              </a>
              <Badge tone={RECHNUNG_TONES[stand]}>{rechnungStateText(stand)}</Badge>
              <span className="nums beleg-log-end">{formatEuro(netto.toFixed(2))}</span>
            </li>
          ))}
          <li>
            <strong>{t('Netto in Rechnungen')}</strong>
            <strong className="nums beleg-log-end">
              {formatEuro(sum(rows.map(({ netto }) => decimal(netto.toFixed(2)))))}
            </strong>
          </li>
        </ul>
      )}
    </Card>
  )
}
