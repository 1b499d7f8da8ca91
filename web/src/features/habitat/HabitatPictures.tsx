// Photos of a tree: thumbnails, a large view on demand, and upload.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Tree } from '../../record/habitat/tree.ts'
import { Badge, Card } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { treeKey, type HabitatRights, HABITAT_LISTS } from './habitat.data.ts'
import { LargePicture } from './LargePicture.tsx'
import { isFar, type Picture, picturesQuery } from './pictures.data.ts'
import { Photo } from './Photo.tsx'
import { PhotoUploads } from './PhotoUploads.tsx'

interface Props {
  baum: Tree
  name: string
  rights: HabitatRights
}
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
  const pictures = query.data
  const chosen = pictures?.find(({ id }) => id === offen)
  return (
    <Card
      title={
        pictures && pictures.length > 0 ? t('Fotos ({n})', { n: formatNumber(pictures.length) }) : t('Fotos')
      }
    >
      <div className="stack">
        {pictures === undefined ? (
          query.isPending ? (
            <Skeleton lines={3} />
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )
        ) : pictures.length === 0 ? (
          <EmptyState icon="file" title={t('Noch kein Foto')}>
            {t('Ein Foto von Stamm und Strukturen belegt, was hier erfasst ist.')}
          </EmptyState>
        ) : (
          <Thumbnails bilder={pictures} onOpen={setOpen} />
        )}
        {rights.mayChange && <PhotoUploads baum={baum.kennung} onDone={refresh} />}
      </div>
      {chosen && pictures && (
        <LargePicture
          bild={chosen}
          baum={name}
          rights={rights}
          bilder={pictures}
          onChoose={setOpen}
          onChanged={refresh}
          onClose={() => setOpen(null)}
        />
      )}
    </Card>
  )
}
interface ThumbnailProps {
  bilder: readonly Picture[]
  onOpen: (id: number) => void
}
const Thumbnails = ({ bilder, onOpen }: ThumbnailProps) => (
  <ul className="habitat-fotos">
    {bilder.map((picture, at) => (
      <li key={picture.id}>
        <button type="button" className="habitat-foto" onClick={() => onOpen(picture.id)}>
          {picture.klein === null ? (
            <span className="habitat-foto-leer soft">
              <Icon name="clock" size={24} />
              {t('Das Foto wird aufbereitet …')}
            </span>
          ) : (
            <Photo bild={picture.id} groesse="klein" alt="" />
          )}
          <span className="visually-hidden">
            {t('Foto {n} groß zeigen: {datei}', { n: at + 1, datei: picture.dateiname })}
          </span>
        </button>
        <span className="soft">{formatDate(picture.aufgenommen_am ?? picture.created_at)}</span>
        {picture.titelbild && <Badge>{t('Titelfoto')}</Badge>}
        {isFar(picture) && <Badge tone="warning">{t('andere Lage')}</Badge>}
      </li>
    ))}
  </ul>
)
