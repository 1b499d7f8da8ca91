// A due period that is not billed, with the reason.
import type { SerieDueRow } from '#contract/serie.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { TextAreaField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useSerieAct } from './serie.data.ts'

export function SkipDialog({ row, onClose }: { row: SerieDueRow; onClose: () => void }) {
  const { serie_id, nr, titel, zeitraum, kunde } = row
  const skip = useSerieAct((reason: string) => rpc('a_skip_serie', { serie_id, nr, grund: reason }))
  const { frame, text } = useDialogForm({
    initial: { grund: '' },
    check: ({ grund }) =>
      unlessFaulty(grund.trim(), {
        grund: grund.trim() === '' ? t('Bitte schreiben Sie, warum nicht abgerechnet wird.') : undefined,
      }),
    guarded: false,
    faultsFrom: 'sending',
    send: (reason) => skip.mutateAsync(reason),
    onSent: () => {
      toast.success(t('Der Zeitraum ist ausgelassen.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Zeitraum auslassen')}
      submitLabel={t('Auslassen')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p>
        {t('{titel}, {zeitraum}, für {kunde}. Der Zeitraum ist dann nicht mehr fällig.', {
          titel,
          zeitraum,
          kunde,
        })}
      </p>
      <TextAreaField label={t('Grund')} required maxLength={500} {...text('grund')} />
    </FormDialog>
  )
}
