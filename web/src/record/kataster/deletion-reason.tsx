// Why a survey object is deleted: asked in the office and in the field, kept in the history.
import { type ReactNode, useState } from 'react'
import { TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

export interface DeletionReason {
  readonly field: ReactNode
  /** Null if nothing was said; the field says so then. */
  readonly given: () => string | null
}
export function useDeletionReason(): DeletionReason {
  const [text, setText] = useState('')
  const [isAsked, setAsked] = useState(false)
  const reason = text.trim()
  return {
    field: (
      <TextField
        label={t('Grund')}
        hint={t(
          'Zum Beispiel: zurückgebaut, doppelt erfasst, im Gelände nicht vorhanden. Er steht im Verlauf.',
        )}
        required
        maxLength={200}
        value={text}
        error={isAsked && reason === '' ? t('Bitte sagen Sie kurz, warum es gelöscht wird.') : undefined}
        onChange={({ target }) => setText(target.value)}
      />
    ),
    given: () => {
      setAsked(true)
      return reason === '' ? null : reason
    },
  }
}
