// Uploads photos of a record: chosen, dropped or taken with the camera; what fails stays with its reason.
import { useRef, useState } from 'react'
import { newId } from '../../data/new-id.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { PHOTO_TYPES, sendPhoto } from './photo-upload.ts'
import type { PhotosOf } from './photos.ts'

interface PhotoUpload {
  readonly kennung: string
  readonly file: File
  readonly done: number
  readonly fault: string | null
  readonly stand: 'wartet' | 'laedt' | 'fehler'
}

interface Props {
  photos: Pick<PhotosOf, 'upload' | 'words'>
  onDone: () => void
}

export function PhotoUploads(props: Props) {
  const { uploads, take, send, drop } = usePhotoUploads(props)
  return (
    <>
      <PhotoPicker label={props.photos.words.drop} onFiles={(files) => void take(files)} />
      {uploads.map((upload) => (
        <div key={upload.kennung} className="foto-sendung">
          <span>{upload.file.name}</span>
          {upload.stand === 'fehler' ? (
            <Failed
              fault={upload.fault}
              onRetry={() => void send(upload)}
              onDrop={() => drop(upload.kennung)}
            />
          ) : (
            <progress
              aria-label={t('Fortschritt von {name}', { name: upload.file.name })}
              max={Math.max(1, upload.file.size)}
              value={upload.stand === 'wartet' ? 0 : upload.done}
            />
          )}
        </div>
      ))}
    </>
  )
}

const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : t('Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.')

function usePhotoUploads({ photos: { upload }, onDone }: Props) {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>([])
  // Failed ones too: nobody has them but this page.
  useUnsavedChanges(uploads.length > 0)
  const change = (identifier: string, to: Partial<PhotoUpload>) =>
    setUploads((all) => all.map((one) => (one.kennung === identifier ? { ...one, ...to } : one)))
  const drop = (identifier: string) => setUploads((all) => all.filter((one) => one.kennung !== identifier))
  async function send({ kennung, file }: Pick<PhotoUpload, 'kennung' | 'file'>): Promise<void> {
    change(kennung, { stand: 'laedt', fault: null, done: 0 })
    try {
      await sendPhoto({ path: upload(kennung), file, onProgress: (done) => change(kennung, { done }) })
      drop(kennung)
      onDone()
    } catch (error) {
      change(kennung, { stand: 'fehler', fault: textOf(error) })
    }
  }
  /** Sequential, because they share the same connection. */
  async function take(files: readonly File[]): Promise<void> {
    const fresh = files.map(
      (file): PhotoUpload => ({ kennung: newId(), file, done: 0, fault: null, stand: 'wartet' }),
    )
    setUploads((all) => [...all, ...fresh])
    // oxlint-disable-next-line no-await-in-loop
    for (const one of fresh) await send(one)
  }
  return { uploads, take, send, drop }
}

interface PickerProps {
  label: string
  onFiles: (files: readonly File[]) => void
}
function PhotoPicker({ label, onFiles }: PickerProps) {
  const camera = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileDrop label={label} accept={PHOTO_TYPES} multiple className="foto-ablage" onFiles={onFiles}>
        {(choose) => (
          <>
            <span className="soft">{t('Fotos hierher ziehen')}</span>
            <Button size="small" icon="upload" onClick={choose}>
              {t('Fotos wählen')}
            </Button>
            <Button size="small" icon="mobile" onClick={() => camera.current?.click()}>
              {t('Mit der Kamera')}
            </Button>
          </>
        )}
      </FileDrop>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}

interface FailedProps {
  fault: string | null
  onRetry: () => void
  onDrop: () => void
}
const Failed = ({ fault, onRetry, onDrop }: FailedProps) => (
  <Notice
    tone="danger"
    title={t('Nicht hochgeladen')}
    actions={
      <>
        <Button size="small" icon="refresh" onClick={onRetry}>
          {t('Noch einmal')}
        </Button>
        <Button size="small" icon="close" onClick={onDrop}>
          {t('Verwerfen')}
        </Button>
      </>
    }
  >
    {fault}
  </Notice>
)
