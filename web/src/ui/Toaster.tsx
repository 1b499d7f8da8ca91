// Shows toasts above everything else, announced as status or alert.
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Button, IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { t } from './text.ts'
import './toaster.css'
import {
  currentToasts,
  dismissToast,
  pauseToasts,
  resumeToasts,
  subscribeToasts,
  toast,
  type Toast,
} from './toasts.ts'

export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = box
    if (!current) return
    // Reopened each time: the popover shown last is on top, even of a dialog opened meanwhile.
    if (current.matches(':popover-open')) current.hidePopover()
    if (toasts.length > 0) current.showPopover()
  }, [toasts])
  return (
    // The handlers only pause the timers while someone is reading.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      popover="manual"
      className="toaster"
      onMouseEnter={pauseToasts}
      onMouseLeave={resumeToasts}
      onFocus={pauseToasts}
      onBlur={resumeToasts}
      onKeyDown={(event) => {
        if (event.key === 'Escape') for (const { id } of toasts) dismissToast(id)
      }}
    >
      <output>
        {toasts
          .filter(({ tone }) => tone !== 'error')
          .map((toast) => (
            <ToastLine key={toast.id} toast={toast} />
          ))}
      </output>
      <div role="alert">
        {toasts
          .filter(({ tone }) => tone === 'error')
          .map((toast) => (
            <ToastLine key={toast.id} toast={toast} />
          ))}
      </div>
    </div>
  )
}

async function takeBack({ id, undo }: Toast) {
  dismissToast(id)
  try {
    await undo?.()
    toast.info(t('Rückgängig gemacht.'))
  } catch (error) {
    console.warn('a change could not be taken back', error)
    toast.error(t('Das ließ sich nicht rückgängig machen. Bitte prüfen Sie den Stand auf der Seite.'))
  }
}

function ToastLine({ toast: line }: { toast: Toast }) {
  const { id, tone, text, undo } = line
  return (
    <div className={`toast toast-${tone}`}>
      <Icon name={tone === 'success' ? 'check' : tone === 'error' ? 'warning' : 'info'} />
      <span>{text}</span>
      {undo && (
        <Button size="small" className="toast-undo" onClick={() => void takeBack(line)}>
          {t('Rückgängig')}
        </Button>
      )}
      <IconButton icon="close" label={t('Meldung schließen')} size="small" onClick={() => dismissToast(id)} />
    </div>
  )
}
