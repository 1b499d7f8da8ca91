// What a dialog was asked to do: it stays open while that runs and when it fails, and tells why.
import { useState } from 'react'
import { t } from './text.ts'
import { ToldError } from './told-error.ts'

export const notDone = (error: unknown): string =>
  error instanceof ToldError ? error.message : t('Nichts ist verloren. Bitte versuchen Sie es noch einmal.')

export interface Attempt {
  readonly busy: boolean
  readonly fault: string | null
  /** Begins it, unless it runs already. Who asked closes the dialog once it has succeeded. */
  readonly run: (act: () => unknown) => void
}
export function useAttempt(textOf: (error: unknown) => string = notDone): Attempt {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const attempt = async (act: () => unknown) => {
    setFault(null)
    try {
      const work = act()
      if (!(work instanceof Promise)) return
      setBusy(true)
      await work
    } catch (error) {
      setFault(textOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, run: (act) => void (busy || attempt(act)) }
}
