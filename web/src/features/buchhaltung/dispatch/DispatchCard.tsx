// What was sent of a document, to whom and with what result; and sending it. Nothing is sent automatically.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Dispatch, DispatchKind } from '#contract/zahlung.ts'
import { rpc } from '../../../data/rpc.ts'
import { useHasRole } from '../../../data/session.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card, DateText } from '../../../ui/Display.tsx'
import { leaveFocusToHeading } from '../../../ui/leave-focus.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { logQuery, useBelegAct } from '../beleg.data.ts'
import './dispatch.css'
import { dispatchQuery } from './dispatch.data.ts'
import { mahnLevelText } from '../../../record/beleg/beleg-states.ts'
import { reasonText, wayText, stateText, stateTone } from './dispatch-words.ts'

export const SendDialog = splitOff(async () => (await import('./SendDialog.tsx')).SendDialog)

interface Sending {
  readonly art: DispatchKind
  readonly id: string
  /** The delivery to repeat. */
  readonly original?: Dispatch
}

export function DispatchCard({ art, id }: { art: 'rechnung' | 'angebot'; id: string }) {
  const query = useQuery(dispatchQuery(art, id))
  const writes = useHasRole('apus_admin')
  const [sending, setSending] = useState<Sending | null>(null)
  const client = useQueryClient()
  // The outcome of a mail also appears in the document's history.
  const outcome = query.data?.map(({ versand_id, zustand }) => `${versand_id} ${zustand}`).join()
  useEffect(() => {
    if (outcome !== undefined) void client.invalidateQueries({ queryKey: logQuery(art, id).queryKey })
  }, [client, art, id, outcome])
  return (
    <Card
      title={t('Versand')}
      actions={
        writes && (
          <Button size="small" icon="mail" onClick={() => setSending({ art, id })}>
            {t('Versenden')}
          </Button>
        )
      }
    >
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <EmptyState icon="mail" title={t('Noch nicht versendet')}>
          {t('Es wird nichts automatisch versendet.')}
        </EmptyState>
      ) : (
        <ul className="versand-list" aria-label={t('Versand')} aria-live="polite">
          {query.data.map((dispatch) => (
            <TableRow
              key={dispatch.versand_id}
              versand={dispatch}
              writes={writes}
              onAgain={() =>
                setSending({ art: dispatch.beleg_art, id: String(dispatch.beleg_id), original: dispatch })
              }
            />
          ))}
        </ul>
      )}
      {sending && <SendDialog {...sending} onClose={() => setSending(null)} />}
    </Card>
  )
}

/** Button for the next step after issuing, beside the name; disappears once something was sent. */
export function FirstDispatch({
  art,
  id,
  label,
}: {
  art: 'rechnung' | 'angebot'
  id: string
  label: string
}) {
  const { data } = useQuery(dispatchQuery(art, id))
  const [open, setOpen] = useState(false)
  if (data?.length !== 0) return null
  return (
    <>
      <Button ref={leaveFocusToHeading} variant="primary" icon="mail" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <SendDialog art={art} id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

interface RowProps {
  versand: Dispatch
  writes: boolean
  onAgain: () => void
}
function TableRow({ versand, writes, onAgain }: RowProps) {
  const withdraw = useBelegAct(() => rpc('a_withdraw_versand', { versand_id: versand.versand_id }))
  const { zustand, weg, an, stufe } = versand
  const why = reasonText(versand)
  return (
    <li>
      <div className="versand-head">
        <Badge tone={stateTone(versand)}>{stateText(versand)}</Badge>
        <strong>{an === '' ? wayText(weg) : an}</strong>
        {weg !== 'mail' && an !== '' && <span className="soft">{wayText(weg)}</span>}
        {stufe !== null && <span>{mahnLevelText(stufe)}</span>}
        <span className="soft">
          <DateText value={versand.gesendet_am ?? versand.angelegt_am} time />
        </span>
      </div>
      <div className="versand-acts">
        {writes && zustand === 'wartet' && (
          <Button
            size="small"
            variant="quiet"
            busy={withdraw.isPending}
            aria-label={t('Zurückziehen: E-Mail an {an}', { an })}
            onClick={() =>
              withdraw.mutate(undefined, {
                onSuccess: () => toast.success(t('Die E-Mail wurde zurückgezogen.')),
                onError: (error) => toast.error(messageOf(error)),
              })
            }
          >
            {t('Zurückziehen')}
          </Button>
        )}
        {writes && zustand !== 'wartet' && weg === 'mail' && (
          <Button
            size="small"
            variant="quiet"
            aria-label={t('Erneut senden an {an}', { an })}
            onClick={onAgain}
          >
            {t('Erneut senden')}
          </Button>
        )}
      </div>
      {why !== null && <p className="versand-why soft">{why}</p>}
    </li>
  )
}
