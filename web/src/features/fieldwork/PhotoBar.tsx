// Photos of a tree or a survey object that are on this device: taken one after another, shown at once, removable
// until they are sent.
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import type { Table } from '#domain/vermessung/fields.ts'
import { newId } from '../../data/new-id.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { presentTime } from './device-clock.ts'
import type { ImageState, FieldworkImage, Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { DiscardPhoto } from './DiscardPhoto.tsx'
import { readPhoto } from './photo.ts'
import { watch } from './queue-watch.ts'
import { fetchImages } from './queue-read.ts'
import { rememberImage } from './queue.ts'
import { unsent } from './capture.ts'

interface Props {
  baum: Identifier
  /** Of a survey object. */
  tabelle?: Table
  idHQ: number
  /** Photos of an unsaved form are drafts along with it. */
  stand: Extract<ImageState, 'entwurf' | 'wartet'>
  onCount?: (count: number) => void
  /** Until they are stored, a form cannot be saved with them. */
  onTaking?: (taking: boolean) => void
}

export function PhotoBar({ baum, tabelle, idHQ, stand, onCount, onTaking }: Props) {
  const pictures = useImages(baum, onCount)
  const { taking, faults, take } = useTaking({
    baum,
    idHQ,
    stand,
    ...(tabelle && { tabelle }),
    ...(onTaking && { onTaking }),
  })
  const [discarded, setDiscarding] = useState<FieldworkImage | null>(null)
  return (
    <div className="erf-fotos">
      {pictures.length > 0 && (
        <ul aria-label={t('Fotos auf diesem Gerät')}>
          {pictures.map((picture, at) => (
            <li key={picture.kennung}>
              <Preview bild={picture} alt={t('Foto {n}', { n: at + 1 })} />
              <IconButton
                icon="trash"
                size="small"
                label={t('Foto {n} verwerfen', { n: at + 1 })}
                onClick={() => setDiscarding(picture)}
              />
            </li>
          ))}
        </ul>
      )}
      <Sources taking={taking > 0} onFiles={(files) => void take(files)} />
      <output className="visually-hidden">
        {pictures.length === 1 ? t('1 Foto gespeichert') : t('{n} Fotos gespeichert', { n: pictures.length })}
      </output>
      {faults.map((fault) => (
        <Notice key={fault} tone="danger" title={t('Foto nicht gespeichert')}>
          {fault}
        </Notice>
      ))}
      {discarded !== null && <DiscardPhoto bild={discarded} onClose={() => setDiscarding(null)} />}
    </div>
  )
}

/** Says why a form cannot be saved yet. */
export const StillReading = () => (
  <output className="soft erf-gesichert">
    {t('Die Fotos werden noch gelesen. Danach können Sie speichern.')}
  </output>
)

/** The photos of a tree on this device, read again when something changes. */
function useImages(tree: Identifier, onCount: Props['onCount']): readonly FieldworkImage[] {
  const { db, sub } = useFieldwork()
  const [pictures, setImages] = useState<readonly FieldworkImage[]>([])
  useEffect(() => {
    let gone = false
    const read = () =>
      void fetchImages(db, sub, tree).then(
        (found) => {
          if (gone) return
          setImages(found)
          onCount?.(found.length)
        },
        (error: unknown) => console.error('photos on this device could not be read', error),
      )
    read()
    const stop = watch(read)
    return () => {
      gone = true
      stop()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- onCount is only called
  }, [db, sub, tree])
  return pictures
}

/** Stores photos; `taking` counts those under way. */
function useTaking({ baum, tabelle, idHQ, stand, onTaking }: Omit<Props, 'onCount'>) {
  const { db, sub } = useFieldwork()
  const [taking, setTaking] = useState(0)
  const [faults, setFaults] = useState<readonly string[]>([])
  async function store(file: File): Promise<void> {
    const photo = await readPhoto(file)
    const of = { baum, idHQ, ...(tabelle && { tabelle }) }
    const about = { sub, kennung: newId(), ...of, stand, bemerkung: null }
    await rememberImage(db, { ...photo, ...about, ...unsent(presentTime().toISOString()) })
  }
  async function take(files: readonly File[]): Promise<void> {
    setFaults([])
    setTaking(files.length)
    onTaking?.(true)
    // Sequential: a phone has little memory for several full-size pictures at once.
    for (const file of files) {
      try {
        // oxlint-disable-next-line no-await-in-loop
        await store(file)
      } catch (error) {
        setFaults((before) => [...before, faultText(error, file.name)])
      }
      setTaking((left) => left - 1)
    }
    onTaking?.(false)
  }
  return { taking, faults, take }
}

const faultText = (error: unknown, name: string): string =>
  error instanceof ToldError
    ? error.message
    : t('{name} ließ sich nicht speichern. Bitte nehmen Sie das Foto noch einmal auf.', { name })

function Sources({ taking, onFiles }: { taking: boolean; onFiles: (files: readonly File[]) => void }) {
  const camera = useRef<HTMLInputElement>(null)
  const gallery = useRef<HTMLInputElement>(null)
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Allows picking the same file again.
    target.value = ''
    onFiles(files)
  }
  return (
    <>
      <div className="erf-taten">
        <Button icon="camera" busy={taking} onClick={() => camera.current?.click()}>
          {t('Foto aufnehmen')}
        </Button>
        <Button icon="image" disabled={taking} onClick={() => gallery.current?.click()}>
          {t('Galerie')}
        </Button>
      </div>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t('Foto aufnehmen')}
        onChange={onChange}
      />
      <input
        ref={gallery}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        hidden
        aria-label={t('Galerie')}
        onChange={onChange}
      />
    </>
  )
}

/** The thumbnail; if the browser could not draw one, it may still be able to show the photo itself. */
function Preview({ bild, alt }: { bild: Pick<FieldworkImage, 'vorschau' | 'original'>; alt: string }) {
  const [url, setUrl] = useState<string | null>(null)
  const source = bild.vorschau ?? bild.original
  useEffect(() => {
    const made = URL.createObjectURL(source)
    // oxlint-disable-next-line react-hooks-js/set-state-in-effect
    setUrl(made)
    return () => URL.revokeObjectURL(made)
    // Each read of the storage creates a new object for the same photo.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return url === null ? <Icon name="file" size={24} /> : <img src={url} alt={alt} />
}
