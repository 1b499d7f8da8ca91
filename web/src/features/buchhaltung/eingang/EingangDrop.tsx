// Takes in files one after the other and says of each what became of it.
import { useState } from 'react'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Display.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { t } from '../../../ui/text.ts'
import { useUnsavedChanges } from '../../../ui/unsaved.ts'
import { sendFile, useEingangAct } from './eingang.data.ts'
import { eingangPath } from './eingang-path.ts'

interface Outcome {
  readonly key: number
  readonly name: string
  /** Null: it was refused. */
  readonly id: number | null
  readonly fault: string
}

export function EingangDrop() {
  const add = useEingangAct(sendFile)
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [busy, setBusy] = useState(false)
  useUnsavedChanges(busy)
  async function take(files: readonly File[]) {
    if (busy) return
    setBusy(true)
    setOutcomes([])
    for (const [key, file] of files.entries()) {
      const { name } = file
      const outcome = await add.mutateAsync(file).then(
        ({ id }): Outcome => ({ key, name, id, fault: '' }),
        (error: unknown): Outcome => ({ key, name, id: null, fault: messageOf(error) }),
      )
      setOutcomes((before) => [...before, outcome])
    }
    setBusy(false)
  }
  return (
    <Card title={t('Rechnungen annehmen')}>
      <div className="stack">
        <FileDrop
          label={t('Eingangsrechnungen')}
          accept=".xml,.pdf,application/xml,text/xml,application/pdf"
          multiple
          disabled={busy}
          className="eingang-drop"
          onFiles={(files) => void take(files)}
        >
          {(choose) => (
            <>
              <Icon name="upload" size={24} />
              <div>
                <strong>{t('Rechnungen hierher ziehen')}</strong>
                <div className="soft">
                  {t(
                    'XRechnung (UBL, CII), ZUGFeRD oder PDF, je bis 20 MB. Jede Datei wird unverändert aufbewahrt.',
                  )}
                </div>
              </div>
              <Button variant="primary" busy={busy} onClick={choose}>
                {busy ? t('Datei wird gelesen …') : t('Dateien wählen')}
              </Button>
            </>
          )}
        </FileDrop>
        {outcomes.length > 0 && (
          <ul className="eingang-outcomes" aria-live="polite" aria-label={t('Ergebnis')}>
            {outcomes.map(({ key, name, id, fault }) => (
              <li key={key}>
                <Icon name={id === null ? 'warning' : 'check'} size={16} />
                {id === null ? (
                  <span>
                    <strong>{name}</strong>: {fault}
                  </span>
                ) : (
                  <a href={eingangPath(id)}>{name}</a>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}
