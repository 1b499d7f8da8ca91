// Files for the bank: download, and withdrawing one that was not given to the bank.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SepaRun } from '#contract/sepa.ts'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card, DateText } from '../../../ui/Display.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { downloadRun, fetchRuns, RUNS_KEY, useSepaAct } from './sepa.data.ts'

export function Runs() {
  const query = useQuery({ queryKey: RUNS_KEY, queryFn: ({ signal }) => fetchRuns(signal) })
  const [withdrawing, setWithdrawing] = useState<SepaRun | null>(null)
  if (query.isPending) return <Skeleton lines={4} />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data.length === 0) return <EmptyState icon="file" title={t('Noch keine Datei')} />
  return (
    <Card flush>
      <SmallTable label={t('Dateien für die Bank')}>
        <HeadRow
          titles={[t('Einzug am'), t('Stand'), t('Rechnungen'), t('Summe'), t('Aktionen')]}
          left={[0, 1]}
        />
        <tbody>
          {query.data.map((run) => (
            <Row key={run.id} run={run} onWithdraw={() => setWithdrawing(run)} />
          ))}
        </tbody>
      </SmallTable>
      {withdrawing && <WithdrawDialog run={withdrawing} onClose={() => setWithdrawing(null)} />}
    </Card>
  )
}

function Row({ run, onWithdraw }: { run: SepaRun; onWithdraw: () => void }) {
  const load = useSepaAct(() => downloadRun(run))
  const download = () =>
    load.mutate(undefined, {
      onSuccess: (isSame) => {
        if (!isSame)
          toast.error(t('Die Datei unterscheidet sich von der ersten. Bitte ziehen Sie sie zurück.'))
      },
      onError: (error) => toast.error(messageOf(error)),
    })
  const day = formatDate(run.tag)
  return (
    <tr>
      <td>
        <DateText value={run.tag} />
      </td>
      <td>
        {run.zurueckgezogen_am === null ? (
          <Badge tone={run.sha256 === '' ? 'warning' : 'success'}>
            {run.sha256 === '' ? t('noch nicht heruntergeladen') : t('heruntergeladen')}
          </Badge>
        ) : (
          <Badge tone="neutral">{t('zurückgezogen: {grund}', { grund: run.grund })}</Badge>
        )}
      </td>
      <td className="cell-end nums">{formatNumber(run.anzahl)}</td>
      <td className="cell-end nums">{formatEuro(run.summe)}</td>
      <td className="cell-end">
        {run.zurueckgezogen_am === null && (
          <>
            <Button
              size="small"
              icon="download"
              busy={load.isPending}
              aria-label={t('Datei für den {tag} herunterladen', { tag: day })}
              onClick={download}
            >
              {t('Herunterladen')}
            </Button>
            <Button
              size="small"
              variant="quiet"
              aria-label={t('Datei für den {tag} zurückziehen', { tag: day })}
              onClick={onWithdraw}
            >
              {t('Zurückziehen')}
            </Button>
          </>
        )}
      </td>
    </tr>
  )
}

function WithdrawDialog({ run, onClose }: { run: SepaRun; onClose: () => void }) {
  const withdraw = useSepaAct((grund: string) => rpc('a_revoke_sepa_lauf', { lauf_id: run.id, grund }))
  const form = useDialogForm({
    initial: { grund: '' },
    check: ({ grund }) =>
      unlessFaulty(
        { grund: grund.trim() },
        { grund: grund.trim() === '' ? t('Diese Angabe fehlt.') : undefined },
      ),
    guarded: false,
    send: ({ grund }) => withdraw.mutateAsync(grund),
    onSent: () => {
      toast.success(t('Die Datei ist zurückgezogen. Ihre Rechnungen können wieder eingezogen werden.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...form.frame}
      title={t('Datei zurückziehen?')}
      submitLabel={t('Zurückziehen')}
      danger
      onClose={onClose}
    >
      <p>{t('Nur wenn die Datei nicht bei der Bank ist oder dort gelöscht wurde.')}</p>
      <TextField label={t('Grund')} required maxLength={500} {...form.text('grund')} />
    </FormDialog>
  )
}
