// Modal dialogs based on the native element: focus stays inside, Escape closes, and focus then returns to
// where it was.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import './dialog.css'
import { Refusal } from './Refusal.tsx'
import { t } from './text.ts'
import { useAttempt } from './use-attempt.ts'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons, the main one last. */
  footer?: ReactNode
  width?: 'small' | 'normal' | 'wide'
  /** False: only its buttons close it; Escape and clicks outside do nothing. */
  dismissible?: boolean
  /** False: clicks outside do nothing; Escape and the buttons still close it. */
  outside?: boolean
  role?: 'dialog' | 'alertdialog'
}

export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} kind="dialog-box" /> : null
}

/** A dialog that opens from the right edge, for details and filters beside a list. */
export function Drawer({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} kind="drawer" /> : null
}

function OpenDialog({
  onClose,
  title,
  children,
  footer,
  width = 'normal',
  dismissible = true,
  outside = true,
  role = 'dialog',
  kind,
}: Omit<DialogProps, 'open'> & { kind: string }) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    if (dialog && !dialog.open) dialog.showModal()
    // By default the dialog would focus its first button, which is the one that closes it.
    const first =
      dialog?.querySelector<HTMLElement>('[data-autofocus]') ??
      dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):not(:disabled)')
    first?.focus()
    return () => {
      // A modal dialog left open in a hidden view would keep the whole page inert.
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    // The handlers are for Escape and clicks outside; for keyboard users the dialog has buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={`${kind} ${kind}-${width}`}
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (dismissible) onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        // A field or menu inside has used it to close its own list.
        if (event.defaultPrevented) return
        // A second Escape would close a native dialog without a cancel event.
        event.preventDefault()
        if (dismissible) onClose()
      }}
      onMouseDown={(event) => {
        if (dismissible && outside && event.target === ref.current) onClose()
      }}
    >
      <DialogParts {...{ titleId, title, onClose, footer, dismissible }}>{children}</DialogParts>
    </dialog>
  )
}

/** What is in a dialog. */
export const DialogParts = ({
  titleId,
  title,
  dismissible = true,
  onClose,
  footer,
  children,
}: Pick<DialogProps, 'title' | 'dismissible' | 'onClose' | 'footer' | 'children'> & { titleId: string }) => (
  <>
    <div className="dialog-head">
      <h2 id={titleId}>{title}</h2>
      {dismissible && <IconButton icon="close" label={t('Schließen')} size="small" onClick={onClose} />}
    </div>
    <div className="dialog-body">{children}</div>
    {footer && <div className="dialog-foot">{footer}</div>}
  </>
)

export interface ConfirmDialogProps {
  open: boolean
  title: string
  /** Name of the record concerned. */
  record?: string
  children?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  danger?: boolean
  busy?: boolean
  /**
   * A promise keeps the dialog open until it is fulfilled; a failure is shown in it and can be tried again.
   */
  onConfirm: () => unknown
  /** Text of a failure, instead of what the error says. */
  faultText?: (error: unknown) => string
  onCancel: () => void
}
export function ConfirmDialog({ open, ...rest }: ConfirmDialogProps) {
  return open ? <OpenConfirm {...rest} /> : null
}

function OpenConfirm({
  title,
  record,
  children,
  confirmLabel,
  cancelLabel,
  danger = false,
  busy: isBusy = false,
  onConfirm,
  faultText,
  onCancel,
}: Omit<ConfirmDialogProps, 'open'>) {
  const { run, fault, ...attempt } = useAttempt(faultText)
  const busy = isBusy || attempt.busy
  return (
    <Dialog
      open
      onClose={onCancel}
      title={title}
      width="small"
      role="alertdialog"
      dismissible={!busy}
      footer={
        <>
          <Button onClick={onCancel} disabled={busy} data-autofocus>
            {cancelLabel ?? t('Abbrechen')}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={() => run(onConfirm)}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {record && <p className="confirm-record">{record}</p>}
      {children}
      {fault !== null && <Refusal title={t('Das hat nicht geklappt')}>{fault}</Refusal>}
    </Dialog>
  )
}
