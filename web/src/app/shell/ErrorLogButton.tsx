// Button in the top bar for the error log; shown if there are entries.
import { useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useErrorLog } from '../error-log.ts'

const ErrorLogDialog = splitOff(async () => (await import('./ErrorLogDialog.tsx')).ErrorLogDialog, null, {
  optional: true,
})

export function ErrorLogButton() {
  const { length } = useErrorLog()
  const [open, setOpen] = useState(false)
  const label = t('Fehlerprotokoll: {count}', { count: length })
  return (
    <>
      <button
        type="button"
        className="error-log-button"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        <Icon name="warning" size={16} />
        <span className="nums" aria-hidden="true">
          {length}
        </span>
      </button>
      {open && <ErrorLogDialog onClose={() => setOpen(false)} />}
    </>
  )
}
