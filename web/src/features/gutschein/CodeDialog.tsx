// Shows the code of a voucher once.
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { t } from '../../ui/text.ts'
import { gutscheinName } from './gutschein-words.ts'

export function CodeDialog({ id, code, onClose }: { id: number; code: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={t('Code für {name}', { name: gutscheinName(id) })}
      value={code}
      label={t('Gutscheincode')}
      large
      copyLabel={t('Code kopieren')}
      doneLabel={t('Ich habe den Code notiert')}
      warning={t('Dieser Code wird nur dieses eine Mal angezeigt')}
      advice={t(
        'Er ist nur verschlüsselt gespeichert. Geht er verloren, löschen Sie den Gutschein und legen einen ' +
          'neuen an.',
      )}
      copyByHand={t(
        'Das Kopieren ist hier nicht möglich. Bitte markieren Sie den Code und kopieren Sie ihn von Hand.',
      )}
      onClose={onClose}
    />
  )
}
