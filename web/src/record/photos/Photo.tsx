// A photo, fetched with the caller's token; a placeholder until it is loaded.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HabitatImageSize } from '#contract/habitat-images.ts'
import { fetchBlob } from '../../data/blob.ts'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { bytesPathOf, type PhotoTable } from './photos.ts'
import './photos.css'

interface Props {
  table: PhotoTable
  bild: number
  groesse: HabitatImageSize
  alt: string
}

export function Photo({ table, bild, groesse, alt }: Props) {
  const { data, isError } = useQuery({
    queryKey: ['foto', table, bild, groesse],
    queryFn: ({ signal }) => fetchBlob(bytesPathOf(table, bild, groesse), signal, { kept: true }),
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
      <span className="foto-leer soft">
        <Icon name="file" size={24} />
        {isError ? t('Das Foto konnte nicht geladen werden.') : t('Foto wird geladen …')}
      </span>
    )
  return <img src={url} alt={alt} />
}
