// The invoices for an accepted offer, including drafts and cancelled ones.
import { useQuery } from '@tanstack/react-query'
import type { InvoiceKind } from '#domain/beleg.ts'
import { decimal, formatEuro, sum } from '#domain/geld.ts'
import { eq } from '../../../data/addresses.ts'
import { selectPage } from '../../../data/rows.ts'
import { Badge, Card, DateText } from '../../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { type Angebot, belegKey, type RechnungState } from '../beleg.data.ts'
import { invoiceKindText, RECHNUNG_TONES, rechnungStateText } from '../draft-words.ts'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'

interface TableRow {
  readonly id: number
  readonly nummer: string | null
  readonly rn_datum: string
  readonly art: InvoiceKind
  readonly storno_art: InvoiceKind | null
  readonly stand: RechnungState
  readonly netto: number
  readonly bezahlt: number
}
const isAdvance = ({ art, storno_art }: TableRow): boolean => (storno_art ?? art) === 'abschlag'
const total = (amounts: readonly number[]): string =>
  formatEuro(sum(amounts.map((amount) => decimal(amount.toFixed(2)))))
const MOST = 200

export function Billing({ angebot }: { angebot: Angebot }) {
  const id = String(angebot.id)
  const invoices = useQuery({
    queryKey: [...belegKey('angebot', id), 'rechnungen'],
    queryFn: async ({ signal }) => {
      const select = ['id', 'nummer', 'rn_datum', 'art', 'storno_art', 'stand', 'netto', 'bezahlt']
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
          {rows.map(({ id: nr, nummer, rn_datum, art, stand, netto }) => (
            <li key={nr}>
              <DateText value={rn_datum} />
              <a href={stand === 'entwurf' ? RECHNUNG_KIND.draft(nr) : RECHNUNG_KIND.record(nr)}>
                {nummer ?? t('Rechnungsentwurf')}
              </a>
              {(art === 'abschlag' || art === 'schluss') && <span>{invoiceKindText(art)}</span>}
              <Badge tone={RECHNUNG_TONES[stand]}>{rechnungStateText(stand)}</Badge>
              <span className="nums beleg-log-end">{formatEuro(netto.toFixed(2))}</span>
            </li>
          ))}
          <li>
            <strong>{t('Netto in Rechnungen')}</strong>
            <strong className="nums beleg-log-end">
              {total(rows.filter((row) => !isAdvance(row)).map(({ netto }) => netto))}
            </strong>
          </li>
          {rows.some(isAdvance) && (
            <li>
              <strong>{t('Erhaltene Abschläge, brutto')}</strong>
              <strong className="nums beleg-log-end">
                {total(rows.filter(({ art }) => art === 'abschlag').map(({ bezahlt }) => bezahlt))}
              </strong>
            </li>
          )}
        </ul>
      )}
    </Card>
  )
}
