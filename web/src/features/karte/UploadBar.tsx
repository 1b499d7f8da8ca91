// Uploads in progress, shown wherever plans are shown: progress, pause and resume.
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { filesQuery, newest } from './files.data.ts'
import { FurtherPages } from './FurtherPages.tsx'
import { KARTE_LISTS } from './karte.data.ts'
import type { BesidePlace } from './place-beside.ts'
import { cancel, resumeUpload, type Uploading, uploadList, pauseUpload, subscribeUploads } from './upload.ts'

export const useUploads = (): readonly Uploading[] => useSyncExternalStore(subscribeUploads, uploadList)

export function stateText({ stand, done, size }: Pick<Uploading, 'stand' | 'done' | 'size'>): string {
  const percent = size === 0 ? 0 : Math.floor((done / size) * 100)
  switch (stand) {
    case 'wartet':
      return t('wartet auf die anderen Uploads')
    case 'pruefsumme':
      return t('Prüfsumme wird gebildet, {n} %', { n: percent })
    case 'laedt':
      return t('{done} von {size}, {n} %', { done: formatBytes(done), size: formatBytes(size), n: percent })
    case 'unterbrochen':
      return t(
        'Verbindung unterbrochen bei {n} %. Es geht automatisch weiter, sobald das Netz wieder da ist.',
        { n: percent },
      )
    case 'pausiert':
      return t('angehalten bei {n} %', { n: percent })
    case 'prueft':
      return t('übertragen, der Server prüft den Scan …')
    case 'fertig':
      return t('fertig, {size}', { size: formatBytes(size) })
    case 'fehler':
      return t('nicht hochgeladen')
  }
}

/** `asLink`: links to the plan, for use outside its page. */
export function UploadRow({ upload, asLink = false }: { upload: Uploading; asLink?: boolean }) {
  const { karte, name, size, stand, done, fehler, lage, pages } = upload
  return (
    <div className="karte-upload">
      <div className="karte-upload-kopf">
        <span className="karte-upload-name">{asLink ? <a href={`/karten/${karte}`}>{name}</a> : name}</span>
        <output className="soft nums">{stateText(upload)}</output>
        {(stand === 'laedt' || stand === 'unterbrochen') && (
          <Button size="small" onClick={() => pauseUpload(karte)} aria-label={t('{name} anhalten', { name })}>
            {t('Anhalten')}
          </Button>
        )}
        {(stand === 'pausiert' || stand === 'fehler' || stand === 'unterbrochen') && (
          <Button
            size="small"
            icon="refresh"
            onClick={() => resumeUpload(karte)}
            aria-label={t('{name} fortsetzen', { name })}
          >
            {stand === 'fehler' ? t('Noch einmal') : t('Fortsetzen')}
          </Button>
        )}
        <IconButton
          icon="close"
          size="small"
          label={
            stand === 'fertig' || stand === 'fehler'
              ? t('{name} ausblenden', { name })
              : t('Upload von {name} abbrechen', { name })
          }
          onClick={() => cancel(karte)}
        />
      </div>
      {stand !== 'fertig' && stand !== 'fehler' && (
        <progress
          aria-label={t('Fortschritt von {name}', { name })}
          max={Math.max(1, size)}
          {...(stand !== 'prueft' && { value: done })}
        />
      )}
      {fehler && (
        <Notice tone="danger" title={t('Der Scan wurde nicht angenommen')}>
          {fehler()}
        </Notice>
      )}
      {stand === 'fertig' && lage !== null && <PlaceNotice karte={karte} lage={lage} />}
      {stand === 'fertig' && pages !== null && <FurtherPages karte={karte} {...pages} />}
    </div>
  )
}

/** What became of the place that the file, or one beside it, has. */
function PlaceNotice({ karte, lage }: { karte: number; lage: BesidePlace }) {
  const isGood = lage === 'uebernommen' || lage === 'punkte'
  return (
    <Notice tone={isGood ? 'success' : 'warning'} title={placeTitle(lage)}>
      <p>{placeText(lage)}</p>
      {lage !== 'uebernommen' && <a href={`/karten/${karte}/georef`}>{t('Zu den Passpunkten')}</a>}
    </Notice>
  )
}
const placeTitle = (place: BesidePlace): string => {
  if (place === 'uebernommen') return t('Die Lage wurde übernommen')
  return place === 'punkte' || place === 'annahme'
    ? t('Die Passpunkte wurden übernommen')
    : t('Die Lage wurde nicht übernommen')
}
function placeText(place: BesidePlace): string {
  switch (place) {
    case 'uebernommen':
      return t('Der Scan bringt seine Lage mit. Das georeferenzierte Ergebnis wird gerade erzeugt.')
    case 'punkte':
      return t('Bitte prüfen Sie Verfahren und Restfehler, und entzerren Sie dann.')
    case 'annahme':
      return t(
        'Der Scan nennt sein Koordinatensystem nicht und wurde in dem des Plans gelesen. Bitte prüfen Sie, ob es ' +
          'stimmt, und entzerren Sie dann.',
      )
    case 'vorhanden':
      return t('Der Plan hat schon Passpunkte. Sie gelten weiter.')
    case 'system':
      return t(
        'Das Koordinatensystem ist nicht genannt, oder wir kennen es nicht. Bitte setzen Sie Passpunkte.',
      )
    case 'unklar':
      return t('Die Angaben sind nicht eindeutig. Bitte lesen Sie die Datei bei den Passpunkten ein.')
    case 'unlesbar':
      return t('Die Datei neben dem Scan ist weder World-Datei noch Punktdatei. Bitte prüfen Sie sie.')
  }
}

/** Refreshes lists once the server has tiled a new scan, so that they show its preview. */
function useSmallPictures(uploads: readonly Uploading[]) {
  const client = useQueryClient()
  const fresh = uploads.filter(({ stand }) => stand === 'fertig').map(({ karte }) => karte)
  const cut = useQueries({ queries: fresh.map((karte) => filesQuery(karte)) }).filter(
    ({ data }) => newest(data, 'scan')?.kacheln,
  ).length
  const before = useRef(cut)
  useEffect(() => {
    if (cut > before.current) void client.invalidateQueries({ queryKey: KARTE_LISTS })
    before.current = cut
  }, [cut, client])
}

export function UploadBar() {
  const uploads = useUploads()
  useSmallPictures(uploads)
  if (uploads.length === 0) return null
  const open = uploads.filter(({ stand }) => stand !== 'fertig').length
  return (
    <Card
      title={
        open === 0
          ? t('Alle Scans sind hochgeladen')
          : t('Scans werden hochgeladen: {done} von {total} fertig', {
              done: formatNumber(uploads.length - open),
              total: formatNumber(uploads.length),
            })
      }
    >
      <div className="stack">
        {uploads.map((upload) => (
          <UploadRow key={upload.karte} upload={upload} asLink />
        ))}
      </div>
    </Card>
  )
}
