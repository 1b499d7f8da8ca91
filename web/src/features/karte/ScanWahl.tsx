// Choosing scans by click or drop.
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { ACCEPT } from './hochladen.ts'

interface Props {
  /** Several at once. */
  mehrere?: boolean
  disabled?: boolean
  /** What to do here, in a few words. */
  text: string
  label: string
  onFiles: (files: readonly File[]) => void
}

export function ScanWahl({ mehrere = false, disabled = false, text, label, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])]
    if (chosen.length > 0 && !disabled) onFiles(mehrere ? chosen : chosen.slice(0, 1))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <div
      className={over ? 'karte-ablage karte-ablage-hier' : 'karte-ablage'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={24} />
      <span className="karte-ablage-text">
        <strong>{text}</strong>
        <span className="soft">{t('TIFF, JPEG, PNG, WebP oder PDF, bis 2 GB')}</span>
      </span>
      <Button size="small" disabled={disabled} onClick={() => input.current?.click()}>
        {mehrere ? t('Dateien wählen') : t('Datei wählen')}
      </Button>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        accept={ACCEPT}
        multiple={mehrere}
        onChange={({ target }) => {
          take(target.files)
          // The same file again, mended meanwhile, must count as a choice.
          target.value = ''
        }}
      />
    </div>
  )
}
