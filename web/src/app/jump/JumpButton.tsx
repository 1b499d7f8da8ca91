// Opens the jump-to search on any page: Ctrl+K, ⌘K or the button. The search itself is loaded on first use.
import { type ComponentType, useEffect, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import './jump-button.css'

export function JumpButton() {
  const [open, setOpen] = useState(false)
  const [Dialog, setDialog] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  useEffect(() => {
    if (open && !Dialog)
      import('./JumpDialog.tsx').then(
        ({ JumpDialog }) => setDialog(() => JumpDialog),
        () => {
          setOpen(false)
          toast.error(
            t(
              'Die Suche konnte nicht geladen werden. Bitte prüfen Sie die Verbindung oder laden Sie die Seite neu.',
            ),
          )
        },
      )
  }, [open, Dialog])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        event.ctrlKey === event.metaKey ||
        event.altKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      // On top of another dialog it would navigate away from that one.
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className="jump-button"
        title={t('Suchen und springen (Strg+K)')}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className="jump-button-text">
          {t('Suchen')} <kbd>{t('Strg K')}</kbd>
        </span>
      </button>
      {open && Dialog && <Dialog onClose={() => setOpen(false)} />}
    </>
  )
}
