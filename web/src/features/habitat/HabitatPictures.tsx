// Photos of a tree: thumbnails, a large view on demand, and upload.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HabitatImage } from '#contract/habitat-images.ts'
import { eq } from '../../data/addresses.ts'
import { removeOne, selectRows, updateOne } from '../../data/rows.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Badge, Card, fact, Facts, Notice } from '../../ui/Display.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { formatDate, formatDateTime, formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { Photo } from './Photo.tsx'
import { PHOTO_TYPES, sendPhoto } from './photo-upload.ts'
import type { Tree } from '../../record/habitat/tree.ts'
import { treeKey, type HabitatRights, HABITAT_LISTS } from './habitat.data.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import { newId } from '../../record/habitat/new-id.ts'

interface Props {
  baum: Tree
  name: string
  rights: HabitatRights
}
const SELECT = [
  'id',
  'dateiname',
  'breite',
  'hoehe',
  'klein',
  'gross',
  'aufgenommen_am',
  'exif_abweichung_m',
  'bemerkung',
  'titelbild',
  'created_at',
  'created_by',
] as const satisfies readonly (keyof HabitatImage)[]
type Picture = Pick<HabitatImage, (typeof SELECT)[number]>
/** Metres; a photo taken further away is probably of another tree. */
const FAR_M = 30

const picturesQuery = (baum: number) => ({
  queryKey: [...treeKey(baum), 'bilder'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    selectRows<Picture>('habitatbilder', {
      select: SELECT,
      filters: [eq('habitat_id', baum)],
      order: [{ column: 'titelbild', descending: true }, { column: 'id' }],
      limit: 100,
      signal,
    }),
})

export function HabitatPictures({ baum, name, rights }: Props) {
  const client = useQueryClient()
  // The sizes of a photo are rendered a moment after its upload.
  const query = useQuery({
    ...picturesQuery(baum.id),
    refetchInterval: ({ state }) => (state.data?.some(({ klein }) => klein === null) ? 2_000 : false),
  })
  const [offen, setOpen] = useState<number | null>(null)
  const refresh = () => {
    void client.invalidateQueries({ queryKey: [...treeKey(baum.id), 'bilder'] })
    void client.invalidateQueries({ queryKey: HABITAT_LISTS })
  }
  const bilder = query.data
  const chosen = bilder?.find(({ id }) => id === offen)
  return (
    <Card
      title={bilder && bilder.length > 0 ? t('Fotos ({n})', { n: formatNumber(bilder.length) }) : t('Fotos')}
    >
      <div className="stack">
        {bilder === undefined ? (
          query.isPending ? (
            <Skeleton lines={3} />
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )
        ) : bilder.length === 0 ? (
          <EmptyState icon="file" title={t('Noch kein Foto')}>
            {t('Ein Foto von Stamm und Strukturen belegt, was hier erfasst ist.')}
          </EmptyState>
        ) : (
          <ul className="habitat-fotos">
            {bilder.map((bild, at) => (
              <li key={bild.id}>
                <button type="button" className="habitat-foto" onClick={() => setOpen(bild.id)}>
                  {bild.klein === null ? (
                    <span className="habitat-foto-leer soft">
                      <Icon name="clock" size={24} />
                      {t('Das Foto wird aufbereitet …')}
                    </span>
                  ) : (
                    <Photo bild={bild.id} groesse="klein" alt="" />
                  )}
                  <span className="visually-hidden">
                    {t('Foto {n} groß zeigen: {datei}', { n: at + 1, datei: bild.dateiname })}
                  </span>
                </button>
                <span className="soft">{formatDate(bild.aufgenommen_am ?? bild.created_at)}</span>
                {bild.titelbild && <Badge>{t('Titelbild')}</Badge>}
                {isFar(bild) && <Badge tone="warning">{t('andere Lage')}</Badge>}
              </li>
            ))}
          </ul>
        )}
        {rights.mayChange && <UploadPart baum={baum} onDone={refresh} />}
      </div>
      {chosen && bilder && (
        <Gross
          bild={chosen}
          baum={name}
          rights={rights}
          bilder={bilder}
          onChoose={setOpen}
          onChanged={refresh}
          onClose={() => setOpen(null)}
        />
      )}
    </Card>
  )
}
const isFar = ({ exif_abweichung_m }: Picture): boolean =>
  exif_abweichung_m !== null && Number(exif_abweichung_m) > FAR_M

interface GrossProps {
  bild: Picture
  baum: string
  rights: HabitatRights
  bilder: readonly Picture[]
  onChoose: (id: number) => void
  onChanged: () => void
  onClose: () => void
}
function Gross({ bild, baum, rights, bilder, onChoose, onChanged, onClose }: GrossProps) {
  const [busy, setBusy] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const at = bilder.findIndex(({ id }) => id === bild.id)
  const go = (to: Picture | undefined) => {
    setFault(null)
    if (to) onChoose(to.id)
  }
  async function carryOut(what: () => Promise<unknown>, done: string, close: boolean): Promise<void> {
    setBusy(true)
    setFault(null)
    try {
      await what()
      onChanged()
      toast.success(done)
      if (close) onClose()
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
      setRemoving(false)
    }
  }
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
            <Button
              busy={busy}
              onClick={() =>
                void carryOut(
                  () => updateOne('habitatbilder', [eq('id', bild.id)], { titelbild: true }),
                  t('Das Titelbild ist gesetzt.'),
                  false,
                )
              }
            >
              {t('Als Titelbild')}
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
        {fault !== null && (
          <Notice tone="danger" title={t('Nicht gespeichert')}>
            {fault}
          </Notice>
        )}
      </div>
      {removing && (
        <ConfirmDialog
          open
          danger
          title={t('Foto löschen?')}
          record={bild.dateiname}
          confirmLabel={t('Löschen')}
          busy={busy}
          onConfirm={() =>
            void carryOut(
              () => removeOne('habitatbilder', [eq('id', bild.id)]),
              t('Das Foto ist gelöscht.'),
              true,
            )
          }
          onCancel={() => setRemoving(false)}
        >
          {t('Das lässt sich nicht rückgängig machen.')}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

interface PhotoUpload {
  readonly kennung: string
  readonly file: File
  readonly done: number
  readonly fault: string | null
  readonly stand: 'wartet' | 'laedt' | 'fehler'
}

function UploadPart({ baum, onDone }: { baum: Tree; onDone: () => void }) {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>([])
  const camera = useRef<HTMLInputElement>(null)
  useUnsavedChanges(uploads.some(({ stand }) => stand !== 'fehler'))
  const change = (kennung: string, to: Partial<PhotoUpload>) =>
    setUploads((all) => all.map((one) => (one.kennung === kennung ? { ...one, ...to } : one)))
  const drop = (kennung: string) => setUploads((all) => all.filter((one) => one.kennung !== kennung))
  async function send({ kennung, file }: Pick<PhotoUpload, 'kennung' | 'file'>): Promise<void> {
    change(kennung, { stand: 'laedt', fault: null, done: 0 })
    try {
      await sendPhoto({ baum: baum.kennung, kennung, file, onProgress: (done) => change(kennung, { done }) })
      drop(kennung)
      onDone()
    } catch (error) {
      change(kennung, {
        stand: 'fehler',
        fault:
          error instanceof Error
            ? error.message
            : t('Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.'),
      })
    }
  }
  /** Sequential, because they share the same connection. */
  async function take(files: readonly File[]): Promise<void> {
    const fresh = files.map((file) => ({
      kennung: newId(),
      file,
      done: 0,
      fault: null,
      stand: 'wartet' as const,
    }))
    setUploads((all) => [...all, ...fresh])
    // oxlint-disable-next-line no-await-in-loop
    for (const one of fresh) await send(one)
  }
  return (
    <>
      <FileDrop
        label={t('Fotos des Baums')}
        accept={PHOTO_TYPES}
        multiple
        className="habitat-ablage"
        onFiles={(files) => void take(files)}
      >
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
          if (files.length > 0) void take(files)
        }}
      />
      {uploads.map(({ kennung, file, done, fault, stand }) => (
        <div key={kennung} className="habitat-sendung">
          <span>{file.name}</span>
          {stand === 'fehler' ? (
            <Notice
              tone="danger"
              title={t('Nicht hochgeladen')}
              actions={
                <>
                  <Button size="small" icon="refresh" onClick={() => void send({ kennung, file })}>
                    {t('Noch einmal')}
                  </Button>
                  <Button size="small" icon="close" onClick={() => drop(kennung)}>
                    {t('Verwerfen')}
                  </Button>
                </>
              }
            >
              {fault}
            </Notice>
          ) : (
            <progress
              aria-label={t('Fortschritt von {name}', { name: file.name })}
              max={Math.max(1, file.size)}
              value={stand === 'wartet' ? 0 : done}
            />
          )}
        </div>
      ))}
    </>
  )
}
