// Asks before a mandate is revoked: that is final.
import type { Mandat } from '#contract/sepa.ts'
import { rpc } from '../../../data/rpc.ts'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useSepaAct } from './sepa.data.ts'

export function RevokeDialog({
  mandat: { id, referenz, kunde, inhaber },
  onClose,
}: {
  mandat: Mandat
  onClose: () => void
}) {
  const revoke = useSepaAct(() => rpc('a_revoke_mandat', { mandat_id: id }))
  return (
    <ConfirmDialog
      open
      title={t('Mandat widerrufen?')}
      record={`${referenz}, ${kunde ?? inhaber}`}
      confirmLabel={t('Endgültig widerrufen')}
      danger
      onCancel={onClose}
      onConfirm={() =>
        revoke.mutateAsync(undefined).then(() => {
          toast.success(t('Das Mandat ist widerrufen.'))
          onClose()
        })
      }
    >
      <p>
        {t(
          'Angekündigte Einzüge mit diesem Mandat fallen weg: Bitten Sie den Kunden um Überweisung, oder ' +
            'ziehen Sie mit einem neuen Mandat ein. Was schon in einer Datei für die Bank steht, zieht sie ' +
            'trotzdem ein.',
        )}
      </p>
      <p>{t('Der Widerruf ist endgültig. Ein neues Mandat braucht eine andere Referenz.')}</p>
    </ConfirmDialog>
  )
}
