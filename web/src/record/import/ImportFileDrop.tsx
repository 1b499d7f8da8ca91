// Drop zone for the file of an import, with its size limit.
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import './import.css'

interface Props {
  /** Readable formats in words, and the extensions for the file dialog. */
  formate: string
  accept: string
  most: number
  busy: boolean
  onFile: (file: File) => void
  /** Called with the reason if the file is refused right away. */
  onRefused: (text: string) => void
  onCancel: () => void
  /** Hints shown beforehand. */
  children: ReactNode
}

export function ImportFileDrop({
  formate,
  accept,
  most,
  busy,
  onFile,
  onRefused,
  onCancel,
  children,
}: Props) {
  function take(file: File | undefined): void {
    if (file === undefined) return
    if (file.size > most)
      onRefused(
        t('Die Datei ist größer als {mb} MB. Bitte teilen Sie sie auf.', {
          mb: formatNumber(most / 1_048_576),
        }),
      )
    else if (file.size === 0) onRefused(t('Die Datei ist leer.'))
    else onFile(file)
  }
  return (
    <>
      <FileDrop
        label={t('Importdatei')}
        accept={accept}
        disabled={busy}
        className="import-drop"
        onFiles={([file]) => take(file)}
      >
        {(choose) => (
          <>
            <Icon name="upload" size={32} />
            <p>
              <strong>{t('Datei hierher ziehen')}</strong>
            </p>
            <p className="soft">{formate}</p>
            <Button variant="primary" busy={busy} onClick={choose}>
              {busy ? t('Datei wird hochgeladen und gelesen …') : t('Datei wählen')}
            </Button>
            {busy && <Button onClick={onCancel}>{t('Abbrechen')}</Button>}
          </>
        )}
      </FileDrop>
      <div className="import-hints">{children}</div>
    </>
  )
}
