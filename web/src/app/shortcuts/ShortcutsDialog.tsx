// The keys that work on the page behind this dialog.
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { workingGroups } from './shortcuts.ts'
import './shortcuts.css'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [groups] = useState(() => workingGroups(document))
  return (
    <Dialog
      open
      title={t('Tastenkürzel auf dieser Seite')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Schließen')}
        </Button>
      }
    >
      {/* Focusable, so that the arrow keys scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="shortcuts" aria-label={t('Tastenkürzel')} tabIndex={0} data-autofocus>
        {groups.map(({ title, where, keys }) => (
          <section key={where}>
            <h3>{title}</h3>
            <dl>
              {keys.map((shortcut) => (
                <div key={shortcut.keys.join()}>
                  <dt>
                    {shortcut.keys.map((press) => (
                      <Press key={press} press={press} />
                    ))}
                  </dt>
                  <dd>{shortcut.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  )
}

const Press = ({ press }: { press: string }) => (
  <span className="shortcuts-press">
    {press.split(/(?<=.)\+/).map((key) => (
      <kbd key={key}>{keyName(key)}</kbd>
    ))}
  </span>
)

/** What is printed on the key. */
function keyName(key: string): string {
  const names: Readonly<Record<string, () => string>> = {
    Control: () => t('Strg'),
    Shift: () => t('Umschalt'),
    ArrowUp: () => '↑',
    ArrowDown: () => '↓',
    ArrowLeft: () => '←',
    ArrowRight: () => '→',
    Enter: () => t('Enter'),
    Escape: () => 'Esc',
    Delete: () => t('Entf'),
    Backspace: () => t('Rücktaste'),
    Home: () => t('Pos 1'),
    End: () => t('Ende'),
    PageUp: () => t('Bild ↑'),
    PageDown: () => t('Bild ↓'),
    ' ': () => t('Leertaste'),
  }
  return names[key]?.() ?? key
}
