// The large view of a photo: to the next one, as a tree's title picture, its remark, deleting.
import { useState } from 'react'
import { eq } from '../../data/addresses.ts'
import { removeOne, updateOne } from '../../data/rows.ts'
import { messageOf } from '../record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { fact, Facts, Notice } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { isFar, type PhotosOf, type Picture } from './photos.ts'
import { Photo } from './Photo.tsx'

interface Props {
  photos: PhotosOf
  bild: Picture
  bilder: readonly Picture[]
  onChoose: (id: number) => void
  onChanged: () => void
  onClose: () => void
}

export function LargePicture({ photos, bild, bilder, onChoose, onChanged, onClose }: Props) {
  const { table, mayAdd, mayDelete } = photos
  const { busy, fault, setFault, carryOut } = useChange(onChanged)
  const [removing, setRemoving] = useState(false)
  const at = bilder.findIndex(({ id }) => id === bild.id)
  const go = (to: Picture | undefined) => {
    setFault(null)
    if (to) onChoose(to.id)
  }
  async function remove(): Promise<void> {
    const done = await carryOut(() => removeOne(table, [eq('id', bild.id)]), t('Das Foto ist gelöscht.'))
    setRemoving(false)
    if (done) onClose()
  }
  const makeTitle = () =>
    carryOut(
      () => updateOne(table, [eq('id', bild.id)], { titelbild: true }),
      t('Das Titelfoto ist gesetzt.'),
    )
  return (
    <Dialog
      open
      width="wide"
      title={t('Foto {n} von {alle}', { n: at + 1, alle: bilder.length })}
      onClose={onClose}
      footer={
        <>
          <Button icon="chevronLeft" disabled={at <= 0} onClick={() => go(bilder[at - 1])}>
            {t('Voriges')}
          </Button>
          <Button icon="chevronRight" disabled={at >= bilder.length - 1} onClick={() => go(bilder[at + 1])}>
            {t('Nächstes')}
          </Button>
          {mayAdd && bild.titelbild === false && (
            <Button busy={busy} onClick={() => void makeTitle()}>
              {t('Als Titelfoto')}
            </Button>
          )}
          {mayDelete && (
            <Button icon="trash" variant="danger" onClick={() => setRemoving(true)}>
              {t('Löschen')}
            </Button>
          )}
        </>
      }
    >
      <Content photos={photos} bild={bild} fault={fault} />
      {removing && (
        <ConfirmDialog
          open
          danger
          title={t('Foto löschen?')}
          record={bild.dateiname}
          confirmLabel={t('Löschen')}
          busy={busy}
          onConfirm={() => void remove()}
          onCancel={() => setRemoving(false)}
        >
          {t('Das lässt sich nicht rückgängig machen.')}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

/** Changes the photo on the server; whether it worked. */
function useChange(onChanged: () => void) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  async function carryOut(what: () => Promise<unknown>, done: string): Promise<boolean> {
    setBusy(true)
    setFault(null)
    try {
      await what()
      onChanged()
      toast.success(done)
      return true
    } catch (error) {
      setFault(messageOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, setFault, carryOut }
}

function Content({ photos, bild, fault }: Pick<Props, 'photos' | 'bild'> & { fault: string | null }) {
  const { table, name, words } = photos
  return (
    <div className="stack">
      <div className="foto-gross">
        {bild.gross === null ? (
          <span className="foto-leer soft">{t('Das Foto wird aufbereitet …')}</span>
        ) : (
          <Photo
            key={bild.id}
            table={table}
            bild={bild.id}
            groesse="gross"
            alt={t('Foto von {name}: {datei}', { name, datei: bild.dateiname })}
          />
        )}
      </div>
      {isFar(bild) && <Notice tone="warning">{words.far(Number(bild.exif_abweichung_m))}</Notice>}
      <Facts
        facts={[
          fact(t('Datei'), bild.dateiname),
          fact(t('Aufgenommen'), bild.aufgenommen_am === null ? null : formatDateTime(bild.aufgenommen_am)),
          fact(
            t('Hochgeladen'),
            bild.created_by === null
              ? formatDateTime(bild.created_at)
              : `${formatDateTime(bild.created_at)}, ${bild.created_by}`,
          ),
          ...(bild.bemerkung === null ? [] : [fact(t('Bemerkung'), bild.bemerkung)]),
        ]}
      />
      {fault !== null && <Refusal title={t('Nicht gespeichert')}>{fault}</Refusal>}
    </div>
  )
}
