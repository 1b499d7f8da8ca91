// Files of a plan, above its jobs. Staff upload and delete, customers download.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type KarteFile, kartePaths } from '#contract/karte-files.ts'
import { epsgName } from '#domain/epsg.ts'
import { ownRequests } from '../../data/client.ts'
import { fetchBlob } from '../../data/blob.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Notice } from '../../ui/Display.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { saveFile } from '../../ui/export/save-file.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { Jobs } from './Jobs.tsx'
import { filesQuery, forgetFiles, useFileActs, pathOf } from './files.data.ts'
import { begunUploads, uploadScan } from './upload.ts'
import type { KarteRow } from './karte.data.ts'
import { georefName } from './karte-words.ts'
import { ScanPicker } from './ScanPicker.tsx'
import { addScans } from './scans.ts'
import { UploadRow, useUploads } from './UploadBar.tsx'

export function Files({ karte, staff }: { karte: KarteRow; staff: boolean }) {
  return (
    <div className="stack">
      {staff && <NewScan karte={karte} />}
      <List karte={karte} staff={staff} />
      {staff && <Jobs karte={karte} />}
    </div>
  )
}

function NewScan({ karte }: { karte: KarteRow }) {
  const client = useQueryClient()
  const upload = useUploads().find((one) => one.karte === karte.id)
  const busy = upload !== undefined && upload.stand !== 'fertig' && upload.stand !== 'fehler'
  const begun = begunUploads(karte.id)
  function take(files: readonly File[]) {
    const { scans, alone } = addScans([], files)
    const [scan, ...others] = scans
    if (scan === undefined || others.length > 0)
      return toast.error(
        scan === undefined
          ? t('Bitte wählen Sie den Scan dazu: Eine World- oder Punktdatei allein genügt nicht.')
          : t('Ein Plan hat einen Scan. Bitte wählen Sie eine Datei, und dazu ihre World- oder Punktdatei.'),
      )
    // With one scan it is clear what a file of another name belongs to.
    const beside = scan.beside ?? alone[0] ?? null
    if (!uploadScan(karte.id, scan.file, () => forgetFiles(client, karte.id), beside))
      toast.error(t('Zu diesem Plan läuft schon ein Upload.'))
    return undefined
  }
  return (
    <Card title={t('Scan hochladen')}>
      <div className="stack">
        {upload && <UploadRow upload={upload} />}
        {begun.length > 0 && (
          <Notice tone="info" title={t('Ein Upload ist begonnen')}>
            {t(
              'Wählen Sie {datei} noch einmal: Es geht dort weiter, wo die Übertragung stehen geblieben ist.',
              {
                datei: begun.join(', '),
              },
            )}
          </Notice>
        )}
        {!busy && (
          <ScanPicker
            label={t('Scan')}
            text={t('Scan hierher ziehen')}
            several
            onFiles={(files) => take(files)}
          />
        )}
        <p className="soft">
          {t('Ein neuer Scan ersetzt den bisherigen nicht: Alle Dateien bleiben, die neueste zählt.')}
        </p>
      </div>
    </Card>
  )
}

function List({ karte, staff }: { karte: KarteRow; staff: boolean }) {
  const query = useQuery(filesQuery(karte.id))
  const [removing, setRemoving] = useState<KarteFile | null>(null)
  const { remove } = useFileActs(karte.id)
  if (query.isPending)
    return (
      <Card title={t('Dateien')}>
        <Skeleton lines={4} />
      </Card>
    )
  if (query.isError && query.data === undefined)
    return (
      <Card title={t('Dateien')}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  const storedFiles = query.data ?? []
  if (storedFiles.length === 0)
    return (
      <Card title={t('Dateien')}>
        <EmptyState icon="file" title={t('Noch keine Dateien')}>
          {staff
            ? t('Laden Sie den Scan hoch; nach dem Georeferenzieren liegt hier auch das Ergebnis.')
            : t('Sobald der Plan eingescannt ist, können Sie ihn hier herunterladen.')}
        </EmptyState>
      </Card>
    )
  // The newest of each kind counts; the list is sorted newest first.
  const counting = new Set(
    ['scan', 'ergebnis'].map((art) => storedFiles.find((file) => file.art === art)?.id),
  )
  return (
    <Card title={t('Dateien')}>
      <ul className="karte-dateien">
        {storedFiles.map((file) => (
          <li key={file.id}>
            <StoredFile
              karte={karte}
              datei={file}
              counts={counting.has(file.id)}
              onRemove={staff ? () => setRemoving(file) : undefined}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        title={t('Datei löschen?')}
        record={removing?.name ?? ''}
        confirmLabel={t('Löschen')}
        danger
        busy={remove.isPending}
        onConfirm={() =>
          removing &&
          remove.mutateAsync(removing.id).then(() => {
            toast.success(t('{name} wurde gelöscht.', { name: removing.name }))
            setRemoving(null)
          })
        }
        onCancel={() => setRemoving(null)}
      >
        <p>
          {removing?.art === 'scan'
            ? t(
                'Die Passpunkte bleiben. Sie gelten aber nur für einen Scan in denselben Pixeln. Das ' +
                  'Löschen lässt sich nicht rückgängig machen.',
              )
            : t(
                'Aus Scan und Passpunkten lässt sich das Ergebnis neu berechnen. Das Löschen lässt ' +
                  'sich nicht rückgängig machen.',
              )}
        </p>
      </ConfirmDialog>
    </Card>
  )
}

function StoredFile({
  karte,
  datei,
  counts,
  onRemove,
}: {
  karte: KarteRow
  datei: KarteFile
  counts: boolean
  onRemove: (() => void) | undefined
}) {
  const [loading, setLoading] = useState(false)
  const pixels = t('{breite} × {hoehe} Pixel', {
    breite: formatNumber(datei.breite),
    hoehe: formatNumber(datei.hoehe),
  })
  const facts = [
    formatBytes(datei.groesse),
    pixels,
    ...(datei.dpi === null ? [] : [t('{n} dpi', { n: formatNumber(Math.round(datei.dpi)) })]),
    ...(datei.epsg === null ? [] : [epsgName(datei.epsg)]),
    ...(datei.georef_typ === null ? [] : [georefName(datei.georef_typ)]),
    ...greyFacts(datei),
  ]
  return (
    <div className="karte-datei">
      <div className="karte-datei-text">
        <p className="karte-datei-kopf">
          <strong>{datei.name}</strong>
          <Badge tone={counts ? 'success' : 'neutral'}>
            {datei.art === 'scan' ? t('Scan') : t('Georeferenziert (GeoTIFF)')}
          </Badge>
          {!counts && <span className="soft">{t('ältere Fassung')}</span>}
        </p>
        <p className="soft nums">{facts.join(' · ')}</p>
        <p className="soft">
          <DateText value={datei.angelegt_am} time />
          {datei.wer !== null && ` · ${datei.wer}`}
        </p>
        {datei.beschaedigt && (
          <Notice tone="warning" title={t('Der Scan hat schadhafte Stellen')}>
            {t(
              'Ein Teil der Bilddaten fehlt oder ist falsch, oft durch einen Fehler beim Kopieren. Bitte sehen Sie ' +
                'nach, ob im Bild Streifen oder Flächen fehlen, und laden Sie die Datei dann noch einmal von der ' +
                'Quelle hoch.',
            )}
          </Notice>
        )}
        <details className="karte-hash">
          <summary>{t('Prüfsumme (SHA-256)')}</summary>
          <code>{datei.sha256}</code>
        </details>
      </div>
      <div className="karte-datei-taten">
        <Button
          size="small"
          icon="download"
          busy={loading}
          aria-label={t('{name} herunterladen', { name: datei.name })}
          onClick={() => {
            setLoading(true)
            void save(karte.id, datei)
              .catch((error: unknown) => toast.error(messageOf(error)))
              .finally(() => setLoading(false))
          }}
        >
          {t('Herunterladen')}
        </Button>
        {onRemove && (
          <IconButton
            icon="trash"
            size="small"
            label={t('{name} löschen', { name: datei.name })}
            onClick={onRemove}
          />
        )}
      </div>
    </div>
  )
}

/** Which values of a scan of more than eight bits are shown black and white. */
function greyFacts({ grau_von: start, grau_bis: bis }: KarteFile): string[] {
  if (start === null || bis === null) return []
  const places = Number.isInteger(start) && Number.isInteger(bis) ? 0 : 2
  return [
    t('Werte {von} (schwarz) bis {bis} (weiß)', {
      von: formatNumber(start, places),
      bis: formatNumber(bis, places),
    }),
  ]
}

const HOURS_2 = 2 * 60 * 60_000

interface SaveWindow {
  showSaveFilePicker?: (options: {
    suggestedName: string
  }) => Promise<{ createWritable: () => Promise<WritableStream<Uint8Array>> }>
}
/** Streams to disk where the browser can: a scan of two gigabytes does not fit into memory. */
async function save(karte: number, file: KarteFile): Promise<void> {
  const path = pathOf(kartePaths.datei(karte, file.id))
  const { showSaveFilePicker } = window as unknown as SaveWindow
  if (showSaveFilePicker && file.groesse > 200_000_000) {
    const handle = await showSaveFilePicker.call(window, { suggestedName: file.name }).catch(() => null)
    if (handle === null) return
    const answer = await fetch(ownRequests.address(path), {
      headers: { Authorization: `Bearer ${ownRequests.token() ?? ''}` },
    })
    if (answer.ok && answer.body) return answer.body.pipeTo(await handle.createWritable())
  }
  saveFile(await fetchBlob(path, undefined, { timeoutMs: HOURS_2 }), file.name)
}
