// Shows a new secret once.
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { t } from '../../ui/text.ts'

interface Props {
  name: string
  geheimnis: string
  onClose: () => void
}

export function ShownSecret({ name, geheimnis, onClose }: Props) {
  return (
    <ShownOnce
      title={t('Geheimnis für {name}', { name })}
      value={geheimnis}
      label={t('Geheimnis')}
      copyLabel={t('Geheimnis kopieren')}
      doneLabel={t('Ich habe es eingetragen')}
      warning={t('Es wird nur dieses eine Mal angezeigt')}
      advice={t(
        'Tragen Sie das Geheimnis jetzt im Programm ein: Damit prüft es, dass ein Ereignis wirklich von ' +
          'uns kommt. Geht das Geheimnis verloren, legen Sie ein neues an.',
      )}
      copyByHand={t(
        'Das Kopieren ist hier nicht möglich. Bitte markieren Sie das Geheimnis, und kopieren Sie es von Hand.',
      )}
      onClose={onClose}
    />
  )
}
