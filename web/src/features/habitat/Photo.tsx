// A photo, fetched with the caller's token; a placeholder until it is loaded.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type HabitatImageSize, habitatImagePaths } from '#contract/habitat-images.ts'
import { fetchBlob } from '../../data/blob.ts'
import { pathOf } from '../../karte/path.ts'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'

export function Photo({ bild, groesse, alt }: { bild: number; groesse: HabitatImageSize; alt: string }) {
  const { data, isError } = useQuery({
    queryKey: ['habitat', 'foto', bild, groesse],
    queryFn: ({ signal }) =>
      fetchBlob(pathOf(habitatImagePaths.bytes(bild, groesse)), signal, { kept: true }),
    staleTime: Infinity,
  })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!data) return undefined
    const made = URL.createObjectURL(data)
    // oxlint-disable-next-line react-hooks-js/set-state-in-effect
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [data])
  if (url === null)
    return (
      <span className="habitat-foto-leer soft">
        <Icon name="file" size={24} />
        {isError ? t('Das Foto konnte nicht geladen werden.') : t('Foto wird geladen …')}
      </span>
    )
  return <img src={url} alt={alt} />
}
