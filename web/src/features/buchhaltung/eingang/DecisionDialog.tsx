// Approves or refuses a received invoice.
import type { Eingang } from '#contract/eingang.ts'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { TextAreaField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useEingangAct } from './eingang.data.ts'

interface DecisionProps {
  eingang: Eingang
  approves: boolean
  onClose: () => void
}

export function DecisionDialog({ eingang, approves, onClose }: DecisionProps) {
  const { id, version, nummer, name, kreditor, zahlbetrag } = eingang
  const hasFaults = eingang.befunde.some(({ weight }) => weight === 'fault')
  const isNeeded = !approves || hasFaults
  const decide = useEingangAct((remark: string) =>
    rpc('a_decide_eingang', { eingang_id: id, version, freigegeben: approves, bemerkung: remark }),
  )
  const { frame, text } = useDialogForm({
    initial: { bemerkung: '' },
    check: ({ bemerkung }) =>
      unlessFaulty(bemerkung.trim(), {
        bemerkung: isNeeded && bemerkung.trim() === '' ? t('Diese Angabe fehlt.') : undefined,
      }),
    guarded: false,
    faultsFrom: 'sending',
    send: (remark) => decide.mutateAsync(remark),
    onSent: () => {
      toast.success(approves ? t('Die Rechnung ist freigegeben.') : t('Die Rechnung ist abgelehnt.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={approves ? t('Rechnung freigeben?') : t('Rechnung ablehnen?')}
      submitLabel={approves ? t('Freigeben') : t('Ablehnen')}
      danger={!approves}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p>
        {t('{nummer} von {name}: {betrag}', {
          nummer: nummer || eingang.dateiname,
          name: kreditor?.name ?? name,
          betrag: zahlbetrag === null ? '–' : formatEuro(zahlbetrag),
        })}
      </p>
      {approves && kreditor === null && name !== '' && (
        <p>{t('{name} wird dabei als Lieferant angelegt.', { name })}</p>
      )}
      {approves && hasFaults && (
        <p>{t('Die Prüfung hat Fehler gefunden. Bitte schreiben Sie, warum Sie trotzdem freigeben.')}</p>
      )}
      <TextAreaField
        label={approves ? t('Bemerkung') : t('Grund')}
        required={isNeeded}
        maxLength={2000}
        {...text('bemerkung')}
      />
    </FormDialog>
  )
}
