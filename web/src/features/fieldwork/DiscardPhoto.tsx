// Confirms before discarding a photo that exists only on this device.
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { FieldworkImage } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { discardImage } from './queue.ts'

export function DiscardPhoto({
  bild,
  onClose,
}: {
  bild: Pick<FieldworkImage, 'kennung' | 'groesse'>
  onClose: () => void
}) {
  const { db, sub } = useFieldwork()
  return (
    <ConfirmDialog
      open
      danger
      title={t('Foto verwerfen?')}
      confirmLabel={t('Verwerfen')}
      onConfirm={() => discardImage(db, sub, bild.kennung).then(onClose)}
      onCancel={onClose}
    >
      <p>
        {t('Das Foto liegt nur auf diesem Gerät ({size}) und ist dann weg.', {
          size: formatBytes(bild.groesse),
        })}
      </p>
    </ConfirmDialog>
  )
}
