// Which blocks the start page shows, and in which order. Each change applies at once and is personal.
import { Button, IconButton } from '../../ui/Button.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { setPreference } from '../../ui/preferences.ts'
import { t } from '../../ui/text.ts'
import { type Block, blockName, moved } from './blocks.ts'

interface Props {
  blocks: readonly Block[]
  hidden: readonly string[]
  onClose: () => void
}

export function ArrangeDialog({ blocks, hidden, onClose }: Props) {
  const show = (block: Block, shown: boolean) =>
    setPreference(
      'deskHidden',
      shown ? hidden.filter((one) => one !== block) : [...new Set([...hidden, block])],
    )
  const move = (block: Block, by: -1 | 1) => setPreference('deskOrder', moved(blocks, block, by))
  const reset = () => {
    setPreference('deskOrder', undefined)
    setPreference('deskHidden', undefined)
  }
  return (
    <Dialog
      open
      title={t('Startseite anpassen')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={reset}>{t('Zurücksetzen')}</Button>
          <Button variant="primary" onClick={onClose}>
            {t('Fertig')}
          </Button>
        </>
      }
    >
      <p>{t('Wählen Sie, was Ihre Startseite zeigt und in welcher Reihenfolge.')}</p>
      <ol className="desk-order">
        {blocks.map((block, at) => (
          <li key={block}>
            <Switch
              label={blockName(block)}
              checked={!hidden.includes(block)}
              onChange={(shown) => show(block, shown)}
            />
            <IconButton
              icon="sortUp"
              label={t('{name} nach oben', { name: blockName(block) })}
              disabled={at === 0}
              onClick={() => move(block, -1)}
            />
            <IconButton
              icon="sortDown"
              label={t('{name} nach unten', { name: blockName(block) })}
              disabled={at === blocks.length - 1}
              onClick={() => move(block, 1)}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
