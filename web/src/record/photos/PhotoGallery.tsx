// Photos of a record: thumbnails, a large view on demand, and upload.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge, Card } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { LargePicture } from './LargePicture.tsx'
import { isFar, type PhotosOf, type PhotoTable, type Picture, picturesQuery } from './photos.ts'
import { Photo } from './Photo.tsx'
import { PhotoUploads } from './PhotoUploads.tsx'
import './photos.css'

interface Props {
  photos: PhotosOf
  /** Called after a change. */
  onChanged?: () => void
}

/** In its own card, with its number. */
export function PhotoCard(props: Props) {
  const count = useQuery(picturesQuery(props.photos)).data?.length ?? 0
  return (
    <Card title={count > 0 ? t('Fotos ({n})', { n: formatNumber(count) }) : t('Fotos')}>
      <PhotoGallery {...props} />
    </Card>
  )
}

export function PhotoGallery({ photos, onChanged }: Props) {
  const { table, key, mayAdd, words } = photos
  const client = useQueryClient()
  // The sizes of a photo are rendered a moment after its upload.
  const query = useQuery({
    ...picturesQuery(photos),
    refetchInterval: ({ state }) => (state.data?.some(({ klein }) => klein === null) ? 2_000 : false),
  })
  const [open, setOpen] = useState<number | null>(null)
  const refresh = () => {
    void client.invalidateQueries({ queryKey: [...key, 'bilder'] })
    void client.invalidateQueries({ queryKey: [...key, 'verlauf'] })
    onChanged?.()
  }
  const pictures = query.data
  const chosen = pictures?.find(({ id }) => id === open)
  return (
    <>
      <div className="stack">
        {pictures === undefined ? (
          query.isPending ? (
            <Skeleton lines={3} />
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )
        ) : pictures.length === 0 ? (
          <EmptyState icon="file" title={t('Noch kein Foto')}>
            {words.none}
          </EmptyState>
        ) : (
          <Thumbnails table={table} bilder={pictures} onOpen={setOpen} />
        )}
        {mayAdd && <PhotoUploads photos={photos} onDone={refresh} />}
      </div>
      {chosen && pictures && (
        <LargePicture
          photos={photos}
          bild={chosen}
          bilder={pictures}
          onChoose={setOpen}
          onChanged={refresh}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
interface ThumbnailProps {
  table: PhotoTable
  bilder: readonly Picture[]
  onOpen: (id: number) => void
}
const Thumbnails = ({ table, bilder, onOpen }: ThumbnailProps) => (
  <ul className="fotos">
    {bilder.map((picture, at) => (
      <li key={picture.id}>
        <button type="button" className="foto" onClick={() => onOpen(picture.id)}>
          {picture.klein === null ? (
            <span className="foto-leer soft">
              <Icon name="clock" size={24} />
              {t('Das Foto wird aufbereitet …')}
            </span>
          ) : (
            <Photo table={table} bild={picture.id} groesse="klein" alt="" />
          )}
          <span className="visually-hidden">
            {t('Foto {n} groß zeigen: {datei}', { n: at + 1, datei: picture.dateiname })}
          </span>
        </button>
        <span className="soft">{formatDate(picture.aufgenommen_am ?? picture.created_at)}</span>
        {picture.titelbild === true && <Badge>{t('Titelfoto')}</Badge>}
        {isFar(picture) && <Badge tone="warning">{t('andere Lage')}</Badge>}
      </li>
    ))}
  </ul>
)
