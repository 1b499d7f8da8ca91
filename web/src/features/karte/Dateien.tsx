// Files of a plan and the work on them. Staff upload and delete, customers take along what is there.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type KarteAuftrag, type KarteDatei, karteWege } from '#contract/karte-dateien.ts'
import { epsgName } from '#domain/epsg.ts'
import { ownRequests } from '../../data/client.ts'
import { fetchBlob } from '../../data/blob.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Notice } from '../../ui/Display.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { saveFile } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { auftragFehler } from './auftrag-fehler.ts'
import { artName, standName, standTone } from './auftrag-words.ts'
import { auftraegeQuery, dateienQuery, forgetDateien, isActive, newest, useDateiActs, wegOf } from './dateien.data.ts'
import { begonnene, hochladen } from './hochladen.ts'
import type { KarteRow } from './karte.data.ts'
import { georefName } from './karte-words.ts'
import { ScanWahl } from './ScanWahl.tsx'
import { UploadZeile, useHochladen } from './UploadLeiste.tsx'

export function Dateien({ karte, staff }: { karte: KarteRow; staff: boolean }) {
  return (
    <div className="stack">
      {staff && <NeuerScan karte={karte} />}
      <Liste karte={karte} staff={staff} />
      {staff && <Auftraege karte={karte} />}
    </div>
  )
}

function NeuerScan({ karte }: { karte: KarteRow }) {
  const client = useQueryClient()
  const upload = useHochladen().find((one) => one.karte === karte.id)
  const busy = upload !== undefined && upload.stand !== 'fertig' && upload.stand !== 'fehler'
  const begun = begonnene(karte.id)
  return (
    <Card title={t('Scan hochladen')}>
      <div className="stack">
        {upload && <UploadZeile upload={upload} />}
        {begun.length > 0 && (
          <Notice tone="info" title={t('Ein Upload ist begonnen')}>
            {t('Wählen Sie {datei} noch einmal: Es geht dort weiter, wo die Übertragung stehen geblieben ist.', {
              datei: begun.join(', '),
            })}
          </Notice>
        )}
        {!busy && (
          <ScanWahl
            label={t('Scan')}
            text={t('Scan hierher ziehen')}
            onFiles={([file]) => {
              if (file && !hochladen(karte.id, file, () => forgetDateien(client, karte.id)))
                toast.error(t('Zu diesem Plan läuft schon ein Upload.'))
            }}
          />
        )}
        <p className="soft">{t('Ein neuer Scan ersetzt den bisherigen nicht: Alle Dateien bleiben, die neueste zählt.')}</p>
      </div>
    </Card>
  )
}

function Liste({ karte, staff }: { karte: KarteRow; staff: boolean }) {
  const query = useQuery(dateienQuery(karte.id))
  const [removing, setRemoving] = useState<KarteDatei | null>(null)
  const { remove } = useDateiActs(karte.id)
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
  const dateien = query.data ?? []
  if (dateien.length === 0)
    return (
      <Card title={t('Dateien')}>
        <EmptyState icon="file" title={t('Noch keine Dateien')}>
          {staff
            ? t('Laden Sie den Scan hoch; nach dem Georeferenzieren liegt hier auch das Ergebnis.')
            : t('Sobald der Plan eingescannt ist, können Sie ihn hier herunterladen.')}
        </EmptyState>
      </Card>
    )
  // The newest of each kind counts; the list comes with the newest first.
  const counting = new Set(['scan', 'ergebnis'].map((art) => dateien.find((datei) => datei.art === art)?.id))
  return (
    <Card title={t('Dateien')}>
      <ul className="karte-dateien">
        {dateien.map((datei) => (
          <li key={datei.id}>
            <Datei karte={karte} datei={datei} counts={counting.has(datei.id)} onRemove={staff ? () => setRemoving(datei) : undefined} />
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
          remove.mutate(removing.id, {
            onSuccess: () => toast.success(t('{name} wurde gelöscht.', { name: removing.name })),
            onError: (error) => toast.error(messageOf(error)),
            onSettled: () => setRemoving(null),
          })
        }
        onCancel={() => setRemoving(null)}
      >
        <p>
          {removing?.art === 'scan'
            ? t(
                'Die Passpunkte bleiben. Sie gelten aber nur für einen Scan in denselben Pixeln. Das Löschen lässt sich nicht rückgängig machen.',
              )
            : t('Aus Scan und Passpunkten lässt sich das Ergebnis neu berechnen. Das Löschen lässt sich nicht rückgängig machen.')}
        </p>
      </ConfirmDialog>
    </Card>
  )
}

function Datei({
  karte,
  datei,
  counts,
  onRemove,
}: {
  karte: KarteRow
  datei: KarteDatei
  counts: boolean
  onRemove: (() => void) | undefined
}) {
  const [loading, setLoading] = useState(false)
  const pixels = t('{breite} × {hoehe} Pixel', { breite: formatNumber(datei.breite), hoehe: formatNumber(datei.hoehe) })
  const facts = [
    formatBytes(datei.groesse),
    pixels,
    ...(datei.dpi === null ? [] : [t('{n} dpi', { n: formatNumber(Math.round(datei.dpi)) })]),
    ...(datei.epsg === null ? [] : [epsgName(datei.epsg)]),
    ...(datei.georef_typ === null ? [] : [georefName(datei.georef_typ)]),
  ]
  return (
    <div className="karte-datei">
      <div className="karte-datei-text">
        <p className="karte-datei-kopf">
          <strong>{datei.name}</strong>
          <Badge tone={counts ? 'success' : 'neutral'}>{datei.art === 'scan' ? t('Scan') : t('Georeferenziert (GeoTIFF)')}</Badge>
          {!counts && <span className="soft">{t('ältere Fassung')}</span>}
        </p>
        <p className="soft nums">{facts.join(' · ')}</p>
        <p className="soft">
          <DateText value={datei.angelegt_am} time />
          {datei.wer !== null && ` · ${datei.wer}`}
        </p>
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
        {onRemove && <IconButton icon="trash" size="small" label={t('{name} löschen', { name: datei.name })} onClick={onRemove} />}
      </div>
    </div>
  )
}

const HOURS_2 = 2 * 60 * 60_000

interface SaveWindow {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{ createWritable: () => Promise<WritableStream<Uint8Array>> }>
}
/** Straight to the disk where the browser can: a scan of two gigabytes has no place in its memory. */
async function save(karte: number, datei: KarteDatei): Promise<void> {
  const path = wegOf(karteWege.datei(karte, datei.id))
  const { showSaveFilePicker } = window as unknown as SaveWindow
  if (showSaveFilePicker && datei.groesse > 200_000_000) {
    const handle = await showSaveFilePicker.call(window, { suggestedName: datei.name }).catch(() => null)
    if (handle === null) return
    const answer = await fetch(ownRequests.address(path), { headers: { Authorization: `Bearer ${ownRequests.token() ?? ''}` } })
    if (answer.ok && answer.body) return answer.body.pipeTo(await handle.createWritable())
  }
  saveFile(await fetchBlob(path, undefined, { timeoutMs: HOURS_2 }), datei.name)
}

function Auftraege({ karte }: { karte: KarteRow }) {
  const query = useQuery(auftraegeQuery(karte.id))
  const dateien = useQuery(dateienQuery(karte.id))
  const { cancel, again, cutAgain } = useDateiActs(karte.id)
  const client = useQueryClient()
  const auftraege = query.data ?? []
  const active = auftraege.filter(isActive).length
  const before = useRef(active)
  // What came to its end has brought a file, or another stage of the plan.
  useEffect(() => {
    if (active < before.current) forgetDateien(client, karte.id)
    before.current = active
  }, [active, client, karte.id])
  if (query.isError && query.data === undefined)
    return (
      <Card title={t('Aufträge')}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  if (auftraege.length === 0) return null
  const report = { onError: (error: unknown) => toast.error(messageOf(error)) }
  const reordered = { ...report, onSuccess: () => toast.success(t('Der Auftrag ist neu gestellt.')) }
  const scan = newest(dateien.data, 'scan')
  /** The last of its kind alone: the newest scan that is not cut, or the result of what stands now. */
  const againOf = (auftrag: KarteAuftrag, nr: number): (() => void) | undefined => {
    if (auftrag.art === 'entzerren') return nr === 0 && active === 0 ? () => again.mutate(auftrag, reordered) : undefined
    const ended = auftrag.stand === 'fehlgeschlagen' || auftrag.stand === 'abgebrochen'
    const last = auftraege.find(({ art }) => art === 'kacheln') === auftrag
    return ended && last && scan !== undefined && !scan.kacheln ? () => cutAgain.mutate(scan.id, reordered) : undefined
  }
  return (
    <Card title={t('Aufträge')}>
      <ul className="karte-dateien">
        {auftraege.map((auftrag, nr) => (
          <li key={auftrag.id}>
            <Auftrag
              auftrag={auftrag}
              onCancel={isActive(auftrag) ? () => cancel.mutate(auftrag.id, report) : undefined}
              onAgain={againOf(auftrag, nr)}
              busy={cancel.isPending || again.isPending || cutAgain.isPending}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Auftrag({
  auftrag,
  onCancel,
  onAgain,
  busy,
}: {
  auftrag: KarteAuftrag
  onCancel: (() => void) | undefined
  onAgain: (() => void) | undefined
  busy: boolean
}) {
  const { art, stand, fortschritt, fehler, einzelheit, angelegt_am, beendet_am, wer, werte } = auftrag
  return (
    <div className="karte-datei">
      <div className="karte-datei-text">
        <p className="karte-datei-kopf">
          <strong>{artName(art)}</strong>
          <Badge tone={standTone(stand)}>{stand === 'laeuft' ? t('läuft, {n} %', { n: Math.round(fortschritt) }) : standName(stand)}</Badge>
        </p>
        <p className="soft">
          <DateText value={beendet_am ?? angelegt_am} time />
          {wer !== null && ` · ${wer}`}
          {werte !== null && ` · ${georefName(werte.georef_typ)} · ${epsgName(werte.epsg)}`}
        </p>
        {stand === 'laeuft' && <progress aria-label={t('Fortschritt: {was}', { was: artName(art) })} max={100} value={fortschritt} />}
        {stand === 'fehlgeschlagen' && (
          <Notice tone="danger" title={t('Der Auftrag ist fehlgeschlagen')}>
            {auftragFehler(fehler, einzelheit)}
          </Notice>
        )}
      </div>
      <div className="karte-datei-taten">
        {onCancel && (
          <Button size="small" busy={busy} onClick={onCancel}>
            {t('Abbrechen')}
          </Button>
        )}
        {onAgain && (
          <Button size="small" icon="refresh" busy={busy} onClick={onAgain}>
            {t('Noch einmal')}
          </Button>
        )}
      </div>
    </div>
  )
}
