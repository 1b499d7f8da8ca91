// Asks for the name of a saved view.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'

const cleanName = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()

interface Props {
  title: string
  submitLabel: string
  initial?: string
  hint?: string | undefined
  busy: boolean
  /** `refuse` shows what is wrong with the name. */
  onName: (name: string, refuse: (text: string) => void) => void
  onClose: () => void
  children?: ReactNode
}

export function NameDialog({
  title,
  submitLabel,
  initial = '',
  hint,
  busy,
  onName,
  onClose,
  children,
}: Props) {
  const formId = useId()
  const [name, setName] = useState(initial)
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const clean = cleanName(name)
    if (clean === '') setError(t('Bitte einen Namen eingeben.'))
    else onName(clean, setError)
  }
  return (
    <Dialog
      open
      title={title}
      width="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" onSubmit={submit} noValidate>
        <TextField
          label={t('Name')}
          value={name}
          maxLength={80}
          required
          autoComplete="off"
          error={error}
          hint={hint}
          onChange={({ target }) => {
            setName(target.value)
            setError(undefined)
          }}
        />
        {children}
      </form>
    </Dialog>
  )
}
