// Where the file of an import is put down: dragged or chosen, and how large it may be.
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import './import.css'

interface Props {
  /** What can be read, in words, and the endings the file dialog offers. */
  formate: string
  accept: string
  most: number
  busy: boolean
  onFile: (file: File) => void
  /** A file that is refused at once: why. */
  onRefused: (text: string) => void
  onCancel: () => void
  /** What is good to know before. */
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
