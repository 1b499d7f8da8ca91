// The large view of a photo: to the next one, as the tree's title picture, deleting.
import { useState } from 'react'
import { eq } from '../../data/addresses.ts'
import { removeOne, updateOne } from '../../data/rows.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { fact, Facts, Notice } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import type { HabitatRights } from './habitat.data.ts'
import { isFar, type Picture } from './pictures.data.ts'
import { Photo } from './Photo.tsx'

interface Props {
  bild: Picture
  /** Name of the tree. */
  baum: string
  rights: HabitatRights
  bilder: readonly Picture[]
  onChoose: (id: number) => void
  onChanged: () => void
  onClose: () => void
}

export function LargePicture({ bild, baum, rights, bilder, onChoose, onChanged, onClose }: Props) {
  const { busy, fault, setFault, carryOut } = useChange(onChanged)
  const [removing, setRemoving] = useState(false)
  const at = bilder.findIndex(({ id }) => id === bild.id)
  const go = (to: Picture | undefined) => {
    setFault(null)
    if (to) onChoose(to.id)
  }
  async function remove(): Promise<void> {
    const done = await carryOut(
      () => removeOne('habitatbilder', [eq('id', bild.id)]),
      t('Das Foto ist gelöscht.'),
    )
    setRemoving(false)
    if (done) onClose()
  }
  const makeTitle = () =>
    carryOut(
      () => updateOne('habitatbilder', [eq('id', bild.id)], { titelbild: true }),
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
          {rights.mayChange && !bild.titelbild && (
            <Button busy={busy} onClick={() => void makeTitle()}>
              {t('Als Titelfoto')}
            </Button>
          )}
          {rights.erase && (
            <Button icon="trash" variant="danger" onClick={() => setRemoving(true)}>
              {t('Löschen')}
            </Button>
          )}
        </>
      }
    >
      <Content bild={bild} baum={baum} fault={fault} />
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

function Content({ bild, baum, fault }: Pick<Props, 'bild' | 'baum'> & { fault: string | null }) {
  return (
    <div className="stack">
      <div className="habitat-foto-gross">
        {bild.gross === null ? (
          <span className="habitat-foto-leer soft">{t('Das Foto wird aufbereitet …')}</span>
        ) : (
          <Photo
            key={bild.id}
            bild={bild.id}
            groesse="gross"
            alt={t('Foto von {name}: {datei}', { name: baum, datei: bild.dateiname })}
          />
        )}
      </div>
      {isFar(bild) && (
        <Notice tone="warning">
          {t('Laut Kamera entstand das Foto {meter} vom Baum entfernt.', {
            meter: meterText(Number(bild.exif_abweichung_m)),
          })}
        </Notice>
      )}
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
