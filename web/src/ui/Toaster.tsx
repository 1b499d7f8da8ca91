// Shows toasts above everything else, announced as status or alert.
import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { Button, IconButton } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { t } from './text.ts'
import { type Box, type Corner, cornerFor, covers } from './toast-place.ts'
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

/** What a message can be about: the record, field or bar that was used last, and all faults in sight. */
const SUBJECT = 'tr, li, .field, .checkbox, .record-save, .dialog-foot, .page-actions, .toolbar, .actions'
const ALWAYS = '[aria-invalid="true"], .record-save-dirty'
/** What keys lead to; a surface such as a map is too large to keep clear of. */
const STOP = 'a, button, input, select, textarea, summary, td'

/** `now`: where they are. What was pressed may be gone, such as the row that was deleted. */
function useSubjects(): { readonly now: () => readonly Box[] } {
  const pressed = useRef<{ readonly element: Element; readonly box: Box } | null>(null)
  useEffect(() => {
    const note = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest('.toaster')) return
      const element = target.closest(SUBJECT) ?? target
      pressed.current = { element, box: element.getBoundingClientRect() }
    }
    const events = ['pointerdown', 'keydown'] as const
    for (const name of events) document.addEventListener(name, note, true)
    return () => {
      for (const name of events) document.removeEventListener(name, note, true)
    }
  }, [])
  return useMemo(
    () => ({
      now: () => {
        const { activeElement } = document
        const focused =
          activeElement?.closest(SUBJECT) ?? activeElement?.closest(`:where(${STOP}):not(.toaster *)`)
        const last = pressed.current
        return [
          ...document.querySelectorAll(ALWAYS),
          ...(focused ? [focused] : []),
          ...(last?.element.isConnected ? [last.element] : []),
        ]
          .map((element): Box => element.getBoundingClientRect())
          .concat(last && !last.element.isConnected ? [last.box] : [])
      },
    }),
    [],
  )
}

/** Who moves on by keyboard while a message is shown finds nothing behind it. */
function useWayForFocus(toaster: RefObject<HTMLElement | null>, place: () => void): void {
  const onFocus = useEffectEvent(({ target }: FocusEvent) => {
    const { current } = toaster
    if (!current?.matches(':popover-open') || !(target as Element).matches(STOP)) return
    // The next picture shows where the focus has been scrolled to.
    requestAnimationFrame(() => {
      if (current.contains(target as Element)) return
      if (covers(current.getBoundingClientRect(), (target as Element).getBoundingClientRect())) place()
    })
  })
  useEffect(() => {
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
}

function boxAt(toaster: HTMLElement, corner: Corner): Box {
  toaster.dataset['corner'] = corner
  return toaster.getBoundingClientRect()
}

export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts)
  const box = useRef<HTMLDivElement>(null)
  const subjects = useSubjects()
  const place = useCallback(() => {
    const { current } = box
    if (current) current.dataset['corner'] = cornerFor((corner) => boxAt(current, corner), subjects.now())
  }, [subjects])
  useWayForFocus(box, place)
  useEffect(() => {
    const { current } = box
    if (!current) return
    // Reopened each time: the popover shown last is on top, even of a dialog opened meanwhile.
    if (current.matches(':popover-open')) current.hidePopover()
    if (toasts.length === 0) return
    current.showPopover()
    place()
  }, [toasts, place])
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

export function ToastLine({ toast: line }: { toast: Toast }) {
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
