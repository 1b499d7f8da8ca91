// Files for the bank, of direct debits or credit transfers: download, and withdrawing one that was not given to the
// bank.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEuro } from '#domain/geld.ts'
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
import { checkReason } from '../reason.ts'
import type { BankFile, BankFileKind } from './bank-files.ts'

interface Props<File extends BankFile> {
  kind: BankFileKind<File>
}

function useFileAct<Takes, Answers>(
  { changes }: Pick<BankFileKind<never>, 'changes'>,
  mutationFn: (takes: Takes) => Promise<Answers>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => {
      for (const queryKey of changes) void client.invalidateQueries({ queryKey })
    },
  })
}

export function BankFiles<File extends BankFile>({ kind }: Props<File>) {
  const query = useQuery({ queryKey: kind.queryKey, queryFn: ({ signal }) => kind.load(signal) })
  const [withdrawing, setWithdrawing] = useState<File | null>(null)
  if (query.isPending) return <Skeleton lines={4} />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data.length === 0) return <EmptyState icon="file" title={t('Noch keine Datei')} />
  return (
    <Card flush>
      <SmallTable label={t('Dateien für die Bank')}>
        <HeadRow
          titles={[kind.words().day, t('Stand'), t('Rechnungen'), t('Summe'), t('Aktionen')]}
          left={[0, 1]}
        />
        <tbody>
          {query.data.map((file) => (
            <Row key={file.id} kind={kind} file={file} onWithdraw={() => setWithdrawing(file)} />
          ))}
        </tbody>
      </SmallTable>
      {withdrawing && <WithdrawDialog kind={kind} file={withdrawing} onClose={() => setWithdrawing(null)} />}
    </Card>
  )
}

function StateBadge({ sha256, zurueckgezogen_am, grund, offen }: BankFile) {
  if (zurueckgezogen_am !== null)
    return <Badge tone="neutral">{t('zurückgezogen: {grund}', { grund })}</Badge>
  if (offen === 0) return <Badge tone="success">{t('von der Bank ausgeführt')}</Badge>
  return (
    <Badge tone={sha256 === '' ? 'warning' : 'success'}>
      {sha256 === '' ? t('noch nicht heruntergeladen') : t('heruntergeladen')}
    </Badge>
  )
}

function Row<File extends BankFile>({
  kind,
  file,
  onWithdraw,
}: Props<File> & { file: File; onWithdraw: () => void }) {
  const load = useFileAct(kind, () => kind.download(file))
  const download = () =>
    load.mutate(undefined, {
      onSuccess: (isSame) => {
        if (!isSame)
          toast.error(t('Die Datei unterscheidet sich von der ersten. Bitte ziehen Sie sie zurück.'))
      },
      onError: (error) => toast.error(messageOf(error)),
    })
  const day = formatDate(file.tag)
  const last = kind.lastDay?.(file) ?? file.tag
  return (
    <tr>
      <td>
        <DateText value={file.tag} />
        {last !== file.tag && ` ${t('bis {tag}', { tag: formatDate(last) })}`}
      </td>
      <td>
        <StateBadge {...file} />
      </td>
      <td className="cell-end nums">{formatNumber(file.anzahl)}</td>
      <td className="cell-end nums">{formatEuro(file.summe)}</td>
      <td className="cell-end">
        {file.zurueckgezogen_am === null && (
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
            {file.offen !== 0 && (
              <Button
                size="small"
                variant="quiet"
                aria-label={t('Datei für den {tag} zurückziehen', { tag: day })}
                onClick={onWithdraw}
              >
                {t('Zurückziehen')}
              </Button>
            )}
          </>
        )}
      </td>
    </tr>
  )
}

function WithdrawDialog<File extends BankFile>({
  kind,
  file,
  onClose,
}: Props<File> & { file: File; onClose: () => void }) {
  const withdraw = useFileAct(kind, (reason: string) => kind.withdraw(file.id, reason))
  const form = useDialogForm({
    initial: { grund: '' },
    check: checkReason,
    guarded: false,
    send: (reason) => withdraw.mutateAsync(reason),
    onSent: () => {
      toast.success(kind.words().withdrawn)
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
