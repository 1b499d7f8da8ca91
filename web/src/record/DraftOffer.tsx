// Banner above a form that offers to restore or discard unsaved input from before.
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Display.tsx'
import { formatDateTime } from '../ui/format.ts'
import { t } from '../ui/text.ts'

export interface DraftOfferProps {
  /** When it was typed, ISO. */
  at: string
  /** Whether somebody has saved the record since. */
  changed: boolean
  /** Names of fields whose value in the record has changed since. */
  overtaken: readonly string[]
  onRestore: () => void
  onDrop: () => void
}

export function DraftOffer({ at, changed, overtaken, onRestore, onDrop }: DraftOfferProps) {
  return (
    <Notice
      tone={overtaken.length > 0 ? 'warning' : 'info'}
      title={t('Entwurf vom {when}', { when: formatDateTime(at) })}
      actions={
        <>
          <Button size="small" onClick={onRestore}>
            {t('Wiederherstellen')}
          </Button>
          <Button size="small" variant="quiet" onClick={onDrop}>
            {t('Entwurf verwerfen')}
          </Button>
        </>
      }
    >
      {overtaken.length > 0
        ? t(
            'Hier haben Sie etwas eingegeben und nicht gespeichert. Der Datensatz wurde seitdem geändert; der ' +
              'Entwurf hat andere Werte in: {fields}.',
            {
              fields: overtaken.join(', '),
            },
          )
        : changed
          ? t(
              'Hier haben Sie etwas eingegeben und nicht gespeichert. Der Datensatz wurde seitdem an anderen ' +
                'Stellen geändert.',
            )
          : t('Hier haben Sie etwas eingegeben und nicht gespeichert.')}
    </Notice>
  )
}
