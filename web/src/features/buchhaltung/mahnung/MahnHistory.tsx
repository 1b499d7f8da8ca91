// Reminders of one invoice: what was written, the due date and the fee; and the next one, if it is overdue.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MahnungRow } from '#contract/zahlung.ts'
import { formatEuro } from '#domain/geld.ts'
import { fetchBlob } from '../../../data/blob.ts'
import { useHasRole } from '../../../data/session.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, DateText } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import type { Rechnung } from '../beleg.data.ts'
import { saveBlob } from '../../../record/beleg/PdfView.tsx'
import { mahnLevelText } from '../../../record/beleg/beleg-states.ts'
import { SendDialog } from '../dispatch/DispatchCard.tsx'
import '../dispatch/dispatch.css'
import { RemindButton } from './RemindButton.tsx'
import { mahnListQuery, mahnungenQuery } from './mahnung.data.ts'

const MahnDialog = splitOff(async () => (await import('./MahnDialog.tsx')).MahnDialog)

/** Renders nothing for an invoice that is not and never was overdue. */
export function MahnHistory({ rechnung }: { rechnung: Rechnung }) {
  const id = String(rechnung.id)
  const isOverdue = rechnung.stand === 'ueberfaellig'
  const writes = useHasRole('apus_admin')
  const query = useQuery(mahnungenQuery(id))
  const list = useQuery({ ...mahnListQuery, enabled: isOverdue })
  const [writing, setWriting] = useState(false)
  const [sending, setSending] = useState<MahnungRow | null>(null)
  const row = isOverdue ? list.data?.find(({ rechnung_id }) => String(rechnung_id) === id) : undefined
  if (!isOverdue && (query.data ?? []).length === 0) return null
  return (
    <Card
      title={t('Mahnungen')}
      actions={
        writes &&
        row !== undefined &&
        row.naechste !== null &&
        row.einzug === null && (
          <RemindButton
            row={row}
            text={t('{stufe} schreiben', { stufe: mahnLevelText(row.naechste) })}
            onRemind={() => setWriting(true)}
          />
        )
      }
    >
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <p className="soft">{t('Noch nicht gemahnt.')}</p>
      ) : (
        <ul className="versand-list" aria-label={t('Mahnungen')}>
          {query.data.map((mahnung) => (
            <li key={mahnung.id}>
              <div className="versand-head">
                <strong>{mahnLevelText(mahnung.stufe)}</strong>
                <DateText value={mahnung.datum} />
                <span className="soft">
                  {t('zahlbar bis {tag}, Gebühr {betrag}', {
                    tag: formatDate(mahnung.faellig),
                    betrag: formatEuro(mahnung.gebuehr),
                  })}
                  {mahnung.zinsen_ab !== null &&
                    `, ${t('Zinsen {betrag}', { betrag: formatEuro(mahnung.zinsen) })}`}
                  {Number(mahnung.pauschale) > 0 &&
                    `, ${t('Pauschale {betrag}', { betrag: formatEuro(mahnung.pauschale) })}`}
                </span>
              </div>
              <div className="versand-acts">
                <PdfButton mahnung={mahnung} nummer={rechnung.nummer ?? ''} />
                {writes && (
                  <Button
                    size="small"
                    variant="quiet"
                    icon="mail"
                    aria-label={t('{stufe} versenden', { stufe: mahnLevelText(mahnung.stufe) })}
                    onClick={() => setSending(mahnung)}
                  >
                    {t('Versenden')}
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {writing && row !== undefined && (
        <MahnDialog rows={[row]} onClose={() => setWriting(false)} onDone={() => setWriting(false)} />
      )}
      {sending && <SendDialog art="mahnung" id={String(sending.id)} onClose={() => setSending(null)} />}
    </Card>
  )
}

function PdfButton({ mahnung, nummer }: { mahnung: MahnungRow; nummer: string }) {
  const [busy, setBusy] = useState(false)
  const load = async () => {
    setBusy(true)
    try {
      saveBlob(
        await fetchBlob(`beleg/mahnung/${mahnung.id}.pdf`),
        `Mahnung-${mahnung.stufe}-${nummer.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`,
      )
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="small"
      variant="quiet"
      icon="download"
      busy={busy}
      aria-label={t('{stufe} als PDF', { stufe: mahnLevelText(mahnung.stufe) })}
      onClick={() => void load()}
    >
      {t('PDF')}
    </Button>
  )
}
