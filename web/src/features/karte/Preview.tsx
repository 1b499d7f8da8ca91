// Preview of a plan's scan: requested when it scrolls into view, with the caller's token; a placeholder if
// there is none.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { filesQuery, newest, previewQuery } from './files.data.ts'
import './karte.css'

/** True once the element has been near the visible part of the page. */
function useSeen() {
  const ref = useRef<HTMLSpanElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || seen) return undefined
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      {
        rootMargin: '200px',
      },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [seen])
  return { ref, seen }
}

/** An object URL for the bytes, revoked when they are no longer shown. */
function useObjectUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return undefined
    const made = URL.createObjectURL(blob)
    // oxlint-disable-next-line react-hooks-js/set-state-in-effect
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return url
}

interface Props {
  karte: number
  name: string
  /** The newest scan with a preview, if the list knows it; null: there is none. */
  scan?: number | null
  /** Fills the available width instead of a list row. */
  gross?: boolean
}

export function Preview({ karte, name, scan: known, gross = false }: Props) {
  const { ref, seen } = useSeen()
  const storedFiles = useQuery({ ...filesQuery(karte), enabled: seen && known === undefined })
  const scan =
    known === undefined
      ? storedFiles.data?.find(({ art, kacheln }) => art === 'scan' && kacheln)?.id
      : (known ?? undefined)
  const picture = useQuery({ ...previewQuery(karte, scan), enabled: seen && scan !== undefined })
  const url = useObjectUrl(picture.data)
  return (
    <span ref={ref} className={gross ? 'karte-bild karte-bild-gross' : 'karte-bild'}>
      {url === null ? (
        <>
          <Icon name="map" size={gross ? 40 : 18} />
          {gross && (
            <span className="soft">
              {placeholder({
                waiting: seen && storedFiles.isPending,
                failed: picture.isError || storedFiles.isError,
                cutting: newest(storedFiles.data, 'scan') !== undefined,
                loading: scan !== undefined,
              })}
            </span>
          )}
        </>
      ) : (
        // In a list, the name is next to it.
        <img src={url} alt={gross ? t('Scan von {name}', { name }) : ''} />
      )}
    </span>
  )
}
function placeholder({
  waiting,
  failed,
  cutting,
  loading,
}: Record<'waiting' | 'failed' | 'cutting' | 'loading', boolean>): string {
  if (failed) return t('Die Vorschau konnte nicht geladen werden.')
  if (waiting || loading) return t('Vorschau wird geladen …')
  return cutting
    ? t('Der Scan wird für die Ansicht vorbereitet …')
    : t('Zu diesem Plan gibt es noch keinen Scan.')
}
