// The mandates of one customer, on their page: what they have signed, and entering another.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Mandat } from '#contract/sepa.ts'
import { formatIban } from '#domain/iban.ts'
import { rpc } from '../../../data/rpc.ts'
import { useHasRole } from '../../../data/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { kindText, stateText, TONES } from './mandate-words.ts'
import { RevokeDialog } from './RevokeDialog.tsx'
import { MANDATES_KEY } from './sepa.data.ts'

const MandateDialog = splitOff(async () => (await import('./MandateDialog.tsx')).MandateDialog)

export function Mandates({ id }: { id: string }) {
  const query = useQuery({
    queryKey: [...MANDATES_KEY, id],
    queryFn: ({ signal }) => rpc('a_get_mandate', { kunde_id: id }, { signal }),
  })
  const writes = useHasRole('apus_admin')
  const [adding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<Mandat | null>(null)
  return (
    <Card
      title={t('Lastschriftmandate')}
      actions={
        writes && (
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            {t('Mandat eintragen')}
          </Button>
        )
      }
    >
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <EmptyState icon="card" title={t('Noch kein Mandat')}>
          {t('Hat der Kunde eines unterschrieben, kündigen seine Rechnungen den Einzug an.')}
        </EmptyState>
      ) : (
        <ul className="beleg-log" aria-label={t('Lastschriftmandate')}>
          {query.data.map((mandat) => (
            <li key={mandat.id}>
              <strong>{mandat.referenz}</strong>
              <Badge tone={TONES[mandat.stand]}>{stateText(mandat.stand)}</Badge>
              <span>
                {mandat.inhaber}, <span className="nums">{formatIban(mandat.iban)}</span>
              </span>
              <span className="soft">
                {kindText(mandat)}, {t('unterschrieben am {tag}', { tag: formatDate(mandat.unterschrieben) })}
                {mandat.zuletzt !== null &&
                  `, ${t('zuletzt eingezogen am {tag}', { tag: formatDate(mandat.zuletzt) })}`}
              </span>
              {writes && mandat.widerrufen_am === null && (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={t('Mandat {referenz} widerrufen', { referenz: mandat.referenz })}
                  onClick={() => setRevoking(mandat)}
                >
                  {t('Widerrufen')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {revoking && <RevokeDialog mandat={revoking} onClose={() => setRevoking(null)} />}
      {adding && <MandateDialog kunde={id} onClose={() => setAdding(false)} />}
    </Card>
  )
}
