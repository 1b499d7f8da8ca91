// The photos of a tree, for the parts that show photos of any record (record/photos).
import { useQueryClient } from '@tanstack/react-query'
import { habitatImagePaths } from '#contract/habitat-images.ts'
import { eq } from '../../data/addresses.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import type { Tree } from '../../record/habitat/tree.ts'
import type { PhotosOf } from '../../record/photos/photos.ts'
import { t } from '../../ui/text.ts'
import { HABITAT_LISTS, type HabitatRights, treeKey } from './habitat.data.ts'

export function useTreePhotos({ id, kennung }: Tree, name: string, rights: HabitatRights) {
  const client = useQueryClient()
  const photos: PhotosOf = {
    table: 'habitatbilder',
    filter: eq('habitat_id', id),
    key: treeKey(id),
    name,
    upload: (photo) => habitatImagePaths.upload(kennung, photo),
    mayAdd: rights.mayChange,
    mayDelete: rights.erase,
    words: {
      none: t('Ein Foto von Stamm und Strukturen belegt, was hier erfasst ist.'),
      drop: t('Fotos des Baums'),
      far: (metres) =>
        t('Laut Kamera entstand das Foto {meter} vom Baum entfernt.', { meter: meterText(metres) }),
    },
  }
  return { photos, onChanged: () => void client.invalidateQueries({ queryKey: HABITAT_LISTS }) }
}
