// Choosing scans by click or drop.
import { Button } from '../../ui/Button.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { maxFileSize } from './upload-fault.ts'
import { BESIDE_ACCEPT } from './scans.ts'
import { ACCEPT } from './upload.ts'

interface Props {
  /** Allows several files. */
  several?: boolean
  disabled?: boolean
  /** Short instruction. */
  text: string
  label: string
  onFiles: (files: readonly File[]) => void
}

export function ScanPicker({ several = false, disabled = false, text, label, onFiles }: Props) {
  return (
    <FileDrop
      label={label}
      accept={`${ACCEPT},${BESIDE_ACCEPT}`}
      multiple={several}
      disabled={disabled}
      className="karte-ablage"
      onFiles={onFiles}
    >
      {(choose) => (
        <>
          <Icon name="upload" size={24} />
          <span className="karte-ablage-text">
            <strong>{text}</strong>
            <span className="soft">
              {t('TIFF, JPEG, PNG, WebP oder PDF, bis {most}; dazu World- oder Punktdatei gleichen Namens', {
                most: maxFileSize(),
              })}
            </span>
          </span>
          <Button size="small" disabled={disabled} onClick={choose}>
            {several ? t('Dateien wählen') : t('Datei wählen')}
          </Button>
        </>
      )}
    </FileDrop>
  )
}
