// Photos of a tree that are on this device: taken one after another, shown at once, removable until they are
// sent.
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react'
import { newId } from '../../record/habitat/new-id.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import type { ImageState, FieldworkImage, Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { DiscardPhoto } from './DiscardPhoto.tsx'
import { readPhoto } from './photo.ts'
import { watch, fetchImages, rememberImage } from './queue.ts'
import { unsent } from './capture.ts'

interface Props {
  baum: Identifier
  idHQ: number
  /** Photos of an unsaved form are drafts along with it. */
  stand: Extract<ImageState, 'entwurf' | 'wartet'>
  onCount?: (anzahl: number) => void
}

export function PhotoBar({ baum, idHQ, stand, onCount }: Props) {
  const { db, sub } = useFieldwork()
  const [bilder, setImages] = useState<readonly FieldworkImage[]>([])
  const [taking, setTaking] = useState(0)
  const [faults, setFaults] = useState<readonly string[]>([])
  const [weg, setDiscarding] = useState<FieldworkImage | null>(null)
  const camera = useRef<HTMLInputElement>(null)
  const gallery = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    let gone = false
    const read = () =>
      void fetchImages(db, sub, baum).then(
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
  }, [db, sub, baum])

  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Allows picking the same file again.
    target.value = ''
    setFaults([])
    setTaking(files.length)
    // Sequential: a phone has little memory for several full-size pictures at once.
    for (const file of files) {
      try {
        // oxlint-disable-next-line no-await-in-loop
        const photo = await readPhoto(file)
        // oxlint-disable-next-line no-await-in-loop
        await rememberImage(db, {
          ...photo,
          sub,
          kennung: newId(),
          baum,
          idHQ,
          stand,
          bemerkung: null,
          ...unsent(new Date().toISOString()),
        })
      } catch (error) {
        const told =
          error instanceof ToldError
            ? error.message
            : t('{name} ließ sich nicht speichern. Bitte nehmen Sie das Foto noch einmal auf.', {
                name: file.name,
              })
        setFaults((before) => [...before, told])
      }
      setTaking((left) => left - 1)
    }
  }
  return (
    <div className="erf-fotos">
      {bilder.length > 0 && (
        <ul aria-label={t('Fotos auf diesem Gerät')}>
          {bilder.map((bild, at) => (
            <li key={bild.kennung}>
              <Preview bild={bild} alt={t('Foto {n}', { n: at + 1 })} />
              <IconButton
                icon="trash"
                size="small"
                label={t('Foto {n} verwerfen', { n: at + 1 })}
                onClick={() => setDiscarding(bild)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="erf-taten">
        <Button icon="camera" busy={taking > 0} onClick={() => camera.current?.click()}>
          {t('Foto aufnehmen')}
        </Button>
        <Button icon="image" disabled={taking > 0} onClick={() => gallery.current?.click()}>
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
        onChange={(event) => void take(event)}
      />
      <input
        ref={gallery}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple
        hidden
        aria-label={t('Galerie')}
        onChange={(event) => void take(event)}
      />
      <output id={id} className="visually-hidden">
        {bilder.length === 1 ? t('1 Foto gespeichert') : t('{n} Fotos gespeichert', { n: bilder.length })}
      </output>
      {faults.map((fault) => (
        <Notice key={fault} tone="danger" title={t('Foto nicht gespeichert')}>
          {fault}
        </Notice>
      ))}
      {weg !== null && <DiscardPhoto bild={weg} onClose={() => setDiscarding(null)} />}
    </div>
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
    // oxlint-disable-next-line react/exhaustive-deps -- each read of the storage creates a new object for the same photo
  }, [])
  return url === null ? <Icon name="file" size={24} /> : <img src={url} alt={alt} />
}
