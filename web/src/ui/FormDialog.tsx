// A form in a window: what was refused stands above the fields, and leaving with something typed is asked back. The caller keeps the page's own guard (unsaved.ts), which it lifts
// when it has saved.
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
  /** Something is typed that leaving would lose. */
  dirty: boolean
  /** What is lost by leaving. */
  unsaved: string
  /** What was refused, beyond single fields. */
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
