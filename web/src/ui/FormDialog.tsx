// A form in a dialog: errors are shown above its buttons, where they are in sight however long the form is,
// and closing with unsaved input asks first. The caller keeps the page's own guard (unsaved.ts) and lifts it
// after saving.
import { type FormEvent, type ReactNode, type Ref, useId, useState } from 'react'
import { Button } from './Button.tsx'
import { ConfirmDialog, Dialog } from './Dialog.tsx'
import { Notice } from './Display.tsx'
import { t } from './text.ts'

export interface FormDialogProps {
  title: string
  width?: 'small' | 'normal' | 'wide'
  className?: string
  formRef?: Ref<HTMLFormElement>
  submitLabel: string
  /** Sending cannot be undone. */
  danger?: boolean
  busy: boolean
  disabled?: boolean
  /** There is input that closing would lose. */
  dirty?: boolean
  /** Text about what would be lost. */
  unsaved?: string
  /** Error that does not belong to a single field. */
  fault: string | null
  faultTitle?: string
  onSubmit: (event: FormEvent) => unknown
  onClose: () => void
  /** Ends what is under way, for what takes long and changes nothing. */
  onStop?: () => void
  children: ReactNode
}

export function FormDialog({
  title,
  className = 'stack',
  formRef,
  submitLabel,
  danger = false,
  busy,
  disabled,
  dirty = false,
  unsaved,
  fault,
  ...rest
}: FormDialogProps) {
  const { width, faultTitle = t('Nicht angelegt'), onSubmit, onClose, onStop, children } = rest
  const formId = useId()
  const [leaving, setLeaving] = useState(false)
  const leave = () => (dirty ? setLeaving(true) : onClose())
  return (
    <>
      <Dialog
        open
        title={title}
        {...(width !== undefined && { width })}
        onClose={leave}
        dismissible={!busy}
        footer={
          <>
            <Fault title={faultTitle} text={fault} />
            {busy && onStop ? (
              <Button onClick={onStop}>{t('Anhalten')}</Button>
            ) : (
              <Button onClick={leave} disabled={busy}>
                {t('Abbrechen')}
              </Button>
            )}
            <Button
              type="submit"
              form={formId}
              variant={danger ? 'danger' : 'primary'}
              busy={busy}
              disabled={disabled}
            >
              {submitLabel}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          ref={formRef}
          className={className}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) void onSubmit(event)
          }}
        >
          {children}
        </form>
      </Dialog>
      <DiscardInput open={leaving} unsaved={unsaved} onDiscard={onClose} onStay={() => setLeaving(false)} />
    </>
  )
}

const Fault = ({ title, text }: { title: string; text: string | null }) =>
  text === null ? null : (
    <Notice tone="danger" title={title}>
      {text}
    </Notice>
  )

function DiscardInput({
  open,
  unsaved,
  onDiscard,
  onStay,
}: {
  open: boolean
  unsaved: string | undefined
  onDiscard: () => void
  onStay: () => void
}) {
  return (
    <ConfirmDialog
      open={open}
      title={t('Eingaben verwerfen?')}
      confirmLabel={t('Verwerfen')}
      cancelLabel={t('Weiter bearbeiten')}
      danger
      onConfirm={onDiscard}
      onCancel={onStay}
    >
      <p>{unsaved ?? t('Was Sie hier eingetragen haben, ist noch nicht gespeichert.')}</p>
    </ConfirmDialog>
  )
}
