// Opens the jump-to search on any page: Ctrl+K, ⌘K or the button. The search itself is loaded on first use.
import { useEffect } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useOpened } from '../shell/use-opened.ts'
import './jump-button.css'
import { collectTyping } from './typed-early.ts'

const load = async () => (await import('./JumpDialog.tsx')).JumpDialog
const failed = () =>
  t('Die Suche konnte nicht geladen werden. Bitte prüfen Sie die Verbindung oder laden Sie die Seite neu.')

export function JumpButton() {
  const [Dialog, setOpen] = useOpened(load, failed)
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
      if (document.querySelector('dialog[open]')) return
      collectTyping()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [setOpen])
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
      {Dialog && <Dialog onClose={() => setOpen(false)} />}
    </>
  )
}
