// A form in a dialog: errors are shown above the fields, and closing with unsaved input asks first. The
// caller keeps the page's own guard (unsaved.ts) and lifts it after saving.
import { type FormEvent, type ReactNode, type Ref, useId, useState } from 'react'
import { Button } from './Button.tsx'
import { ConfirmDialog, Dialog } from './Dialog.tsx'
import { Notice } from './Display.tsx'
import { t } from './text.ts'

interface Props {
  title: string
  width?: 'small' | 'normal' | 'wide'
  className?: string
  formRef?: Ref<HTMLFormElement>
  submitLabel: string
  busy: boolean
  disabled?: boolean
  /** There is input that closing would lose. */
  dirty: boolean
  /** Text about what would be lost. */
  unsaved: string
  /** Error that does not belong to a single field. */
  fault: string | null
  faultTitle?: string
  onSubmit: (event: FormEvent) => unknown
  onClose: () => void
  children: ReactNode
}

export function FormDialog({
  title,
  className = 'stack',
  formRef,
  submitLabel,
  busy,
  disabled,
  dirty,
  unsaved,
  fault,
  ...rest
}: Props) {
  const { width, faultTitle = t('Nicht angelegt'), onSubmit, onClose, children } = rest
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
            <Button onClick={leave} disabled={busy}>
              {t('Abbrechen')}
            </Button>
            <Button type="submit" form={formId} variant="primary" busy={busy} disabled={disabled}>
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
          {fault !== null && (
            <Notice tone="danger" title={faultTitle}>
              {fault}
            </Notice>
          )}
          {children}
        </form>
      </Dialog>
      <ConfirmDialog
        open={leaving}
        title={t('Eingaben verwerfen?')}
        confirmLabel={t('Verwerfen')}
        cancelLabel={t('Weiter bearbeiten')}
        danger
        onConfirm={onClose}
        onCancel={() => setLeaving(false)}
      >
        <p>{unsaved}</p>
      </ConfirmDialog>
    </>
  )
}
