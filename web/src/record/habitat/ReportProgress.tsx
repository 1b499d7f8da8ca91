// Progress of creating a report or evidence, with a way to cancel.
import { useEffect, useRef, useState } from 'react'
import { type Step, postForFile } from '../../data/file-stream.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { saveFile } from '../../ui/export/save-file.ts'
import { formatNumber } from '../../ui/format.ts'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import './report.css'

function stepText({ schritt, fertig, von }: Step): string {
  switch (schritt) {
    case 'warten':
      return t('Es werden gerade andere Berichte erstellt. Ihrer kommt gleich an die Reihe …')
    case 'lesen':
      return t('Die Bäume werden gelesen …')
    case 'fotos':
      return t('Fotos: {n} von {total} …', { n: formatNumber(fertig), total: formatNumber(von) })
    case 'setzen':
      return von > 1
        ? t('Teil {n} von {total} wird gesetzt …', { n: formatNumber(fertig + 1), total: formatNumber(von) })
        : t('Der Bericht wird gesetzt …')
    case 'packen':
      return t('Die Dateien werden zusammengestellt …')
  }
}
const READING: Step = { art: 'schritt', schritt: 'lesen', fertig: 0, von: 0 }

interface Props {
  title: string
  weg: string
  /** The request body; computed again for each attempt. */
  jobSpec: (signal: AbortSignal) => Promise<object> | object
  /** Message shown when the file is complete. */
  done: string
  onDone?: () => void
  onClose: () => void
}

export function ReportProgress({ title, ...given }: Props) {
  const [step, setStep] = useState(READING)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(1)
  const order = useRef(given)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const { weg, jobSpec, done, onDone, onClose } = order.current
    async function run() {
      const body = await jobSpec(signal)
      const { blob, name } = await postForFile(weg, body, { signal, onStep: setStep })
      if (signal.aborted) return
      saveFile(blob, name)
      toast.success(done)
      onDone?.()
      onClose()
    }
    run().catch((fault: unknown) => {
      if (!signal.aborted) setError(fault)
    })
    return () => stop.abort()
  }, [attempt])
  const again = () => {
    setError(null)
    setStep(READING)
    setAttempt(attempt + 1)
  }
  return (
    <Dialog
      open
      title={title}
      width="small"
      dismissible={false}
      onClose={given.onClose}
      footer={<Button onClick={given.onClose}>{error === null ? t('Abbrechen') : t('Schließen')}</Button>}
    >
      {error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <div className="bericht-fortschritt">
          <output>{stepText(step)}</output>
          <progress
            aria-label={t('Fortschritt')}
            {...(step.von > 0 && { value: step.fertig, max: step.von })}
          />
        </div>
      )}
    </Dialog>
  )
}
