// A code or secret that is shown once. Closing does not ask, so the dialog explains this and closes only with its
// button.
import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Notice } from './Display.tsx'
import './shown-once.css'
import { t } from './text.ts'
import { useUnsavedChanges } from './unsaved.ts'

export interface ShownOnceProps {
  title: string
  value: string
  /** What it is, for screen readers. */
  label: string
  /** Short codes that are read out or typed. */
  large?: boolean
  copyLabel: string
  doneLabel: string
  /** That it is shown this one time, and what to do with it now. */
  warning: string
  advice: string
  /** Where the browser does not copy. */
  copyByHand: string
  children?: ReactNode
  onClose: () => void
}

export function ShownOnce({ value, label, large = false, children, ...words }: ShownOnceProps) {
  const [copied, setCopied] = useState<boolean | null>(null)
  // Reloading the page now would lose it.
  useUnsavedChanges(true)
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <Dialog
      open
      dismissible={false}
      title={words.title}
      onClose={words.onClose}
      footer={
        <>
          <Button icon="file" onClick={() => void copy()} data-autofocus>
            {copied ? t('Kopiert') : words.copyLabel}
          </Button>
          <Button variant="primary" onClick={words.onClose}>
            {words.doneLabel}
          </Button>
        </>
      }
    >
      <div className="stack">
        <output className={large ? 'shown-once shown-once-large' : 'shown-once'} aria-label={label}>
          {value}
        </output>
        <Notice tone="warning" title={words.warning}>
          {words.advice}
        </Notice>
        <p aria-live="polite" className="soft">
          {copied === false && words.copyByHand}
        </p>
        {children}
      </div>
    </Dialog>
  )
}
