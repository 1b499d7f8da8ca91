// Asks before a photo goes that lies on this device alone.
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { FeldBild } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { verwirfBild } from './schlange.ts'

export function FotoVerwerfen({ bild, onClose }: { bild: Pick<FeldBild, 'kennung' | 'groesse'>; onClose: () => void }) {
  const { db, sub } = useFeld()
  return (
    <ConfirmDialog
      open
      danger
      title={t('Foto verwerfen?')}
      confirmLabel={t('Verwerfen')}
      onConfirm={() => {
        void verwirfBild(db, sub, bild.kennung)
        onClose()
      }}
      onCancel={onClose}
    >
      <p>{t('Das Foto liegt nur auf diesem Gerät ({size}) und ist dann weg.', { size: formatBytes(bild.groesse) })}</p>
    </ConfirmDialog>
  )
}
