// Frame around the steps of every import of external files: current step, faults, and one action at a time.
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { Refusal } from '../../ui/Refusal.tsx'
import { Page, Stack } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { ImportSteps } from './ImportSteps.tsx'

const STEPS = ['datei', 'zuordnung', 'pruefung', 'ergebnis'] as const
export type Step = (typeof STEPS)[number]

interface Props {
  schritt: Step
  subtitle: string
  /** Link back to where the import belongs. */
  actions?: ReactNode
  /** The latest fault. */
  fehler?: string | null
  children: ReactNode
}

export function ImportFrame({ schritt, subtitle, actions, fehler = null, children }: Props) {
  const titles: Record<Step, string> = {
    datei: t('Datei wählen'),
    zuordnung: t('Spalten zuordnen'),
    pruefung: t('Prüfen'),
    ergebnis: t('Ergebnis'),
  }
  return (
    <Page subtitle={subtitle} actions={actions}>
      <Stack>
        <ImportSteps titles={STEPS.map((name) => titles[name])} now={STEPS.indexOf(schritt)} />
        {fehler !== null && <Refusal title={t('Das hat nicht geklappt')}>{fehler}</Refusal>}
        {children}
      </Stack>
    </Page>
  )
}

const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : t('Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.')

/** Runs one action at a time; failures are reported, unless the person cancelled it. */
export function useAction() {
  const [control, setControl] = useState<AbortController | null>(null)
  const [fault, setError] = useState<string | null>(null)
  async function act<T>(work: (signal: AbortSignal) => Promise<T>, done: (made: T) => void): Promise<void> {
    if (control !== null) return
    const mine = new AbortController()
    setControl(mine)
    setError(null)
    try {
      done(await work(mine.signal))
    } catch (error) {
      if (!mine.signal.aborted) setError(sentenceOf(error))
    } finally {
      setControl(null)
    }
  }
  return { busy: control !== null, fehler: fault, act, refuse: setError, cancel: () => control?.abort() }
}
