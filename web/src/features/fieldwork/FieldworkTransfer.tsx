// What waits on this device and why, and how to resolve it: by sync, by a decision, or by exporting a file.
import { type ReactNode, useEffect, useState } from 'react'
import { treeName } from '../../record/habitat/habitat-words.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Badge, Notice } from '../../ui/Display.tsx'
import { saveFile } from '../../ui/export/cells.ts'
import { formatBytes, formatDateTime, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useSync } from './sync-here.ts'
import type { SyncRunner, Run } from './sync-runner.ts'
import './capture.css'
import { treeViewOf } from './capture.ts'
import type { FieldworkCapture, Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { DiscardPhoto } from './DiscardPhoto.tsx'
import { useRuleText } from './rule-text.ts'
import { watch, type ImageRow, fetchQueue, type Queue, retry } from './queue.ts'

export function FieldworkTransfer({ anmelden }: { anmelden?: ReactNode }) {
  const { db, sub } = useFieldwork()
  const sync = useSync()
  const [queue, setQueue] = useState<Queue | null>(null)
  const [fehler, setError] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    const read = () =>
      void fetchQueue(db, sub).then(
        (found) => !gone && setQueue(found),
        (error: unknown) => !gone && setError(error),
      )
    read()
    const stop = watch(read)
    return () => {
      gone = true
      stop()
    }
  }, [db, sub])
  if (fehler !== null) return <ErrorState error={fehler} />
  if (queue === null) return <Skeleton lines={6} />
  const { erfassungen, bilder } = queue
  const leer = erfassungen.length === 0 && bilder.length === 0
  const seit = [...erfassungen, ...bilder].map((one) => one.seit).toSorted()[0]
  const groesse = bilder.reduce((sum, bild) => sum + bild.groesse, 0)
  const undecided = erfassungen.filter(({ stand }) => stand !== 'wartet')
  const waiting = erfassungen.filter(({ stand }) => stand === 'wartet')
  return (
    <div className="erf-form">
      <h2 className="visually-hidden">{t('Übertragen')}</h2>
      <section className="erf-teil" aria-label={t('Stand der Übertragung')}>
        {leer ? (
          <EmptyState icon="check" title={t('Alles ist übertragen')}>
            {t(
              'Auf diesem Gerät wartet nichts. Was Sie erfassen, erscheint hier, bis der Server es bestätigt hat.',
            )}
          </EmptyState>
        ) : (
          <>
            <p className="erf-summe">
              <strong>
                {[
                  erfassungen.length === 1
                    ? t('1 Baum')
                    : t('{n} Bäume', { n: formatNumber(erfassungen.length) }),
                  bilder.length === 0
                    ? null
                    : bilder.length === 1
                      ? t('1 Foto, {size}', { size: formatBytes(groesse) })
                      : t('{n} Fotos, {size}', {
                          n: formatNumber(bilder.length),
                          size: formatBytes(groesse),
                        }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </strong>
              {seit !== undefined && (
                <span className="soft"> {t('warten seit {when}', { when: formatDateTime(seit) })}</span>
              )}
            </p>
            <TransferRun sync={sync} run={sync.stand} anmelden={anmelden} />
          </>
        )}
      </section>
      {undecided.length > 0 && (
        <section className="erf-teil" aria-label={t('Zu entscheiden')}>
          <h3>{t('Zu entscheiden')}</h3>
          <ul className="erf-liste">
            {undecided.map((capture) => (
              <TableRow key={capture.kennung} capture={capture} queue={queue} />
            ))}
          </ul>
        </section>
      )}
      <RefusedImages
        bilder={bilder.filter(({ stand }) => stand === 'abgelehnt')}
        nameOf={(kennung) => treeNameOf(queue, kennung)}
      />
      {waiting.length + bilder.length > 0 && (
        <section className="erf-teil" aria-label={t('Wartet auf Übertragung')}>
          <h3>{t('Wartet auf Übertragung')}</h3>
          <WaitingList waiting={waiting} queue={queue} />
        </section>
      )}
      {!leer && <Rescue />}
    </div>
  )
}

function treeNameOf({ erfassungen, baeume }: Queue, kennung: Identifier): string {
  const capture = erfassungen.find((one) => one.kennung === kennung)
  const baum = baeume.get(kennung)
  if (capture !== undefined) {
    const treeView = treeViewOf(undefined, capture)
    if (treeView !== null) return treeName(treeView.werte)
  }
  return baum === undefined ? t('Baum') : treeName(baum)
}

function TransferRun({ sync, run, anmelden }: { sync: SyncRunner; run: Run; anmelden: ReactNode }) {
  const { stand, fortschritt } = run
  const running = stand === 'laeuft'
  return (
    <>
      <div aria-live="polite">
        {running && (
          <div className="erf-gang">
            <progress
              aria-label={t('Fortschritt')}
              max={Math.max(
                1,
                fortschritt === null
                  ? 1
                  : fortschritt.art === 'bilder'
                    ? fortschritt.totalBytes
                    : fortschritt.total,
              )}
              {...(fortschritt !== null && {
                value: fortschritt.art === 'bilder' ? fortschritt.bytes : fortschritt.fertig,
              })}
            />
            <span className="soft nums">
              {fortschritt === null
                ? t('Die Übertragung beginnt …')
                : fortschritt.art === 'baeume'
                  ? t('Bäume werden übertragen: {n} von {all}', {
                      n: fortschritt.fertig,
                      all: fortschritt.total,
                    })
                  : t('Fotos werden übertragen: {n} von {all}, {size} von {total}', {
                      n: fortschritt.fertig,
                      all: fortschritt.total,
                      size: formatBytes(fortschritt.bytes),
                      total: formatBytes(fortschritt.totalBytes),
                    })}
            </span>
          </div>
        )}
        {stand === 'anderswo' && (
          <p className="soft">{t('Ein anderes Fenster dieses Geräts überträgt gerade.')}</p>
        )}
        {stand === 'angehalten' && <p className="soft">{t('Die Übertragung ist angehalten.')}</p>}
        {stand === 'wartet' && run.fehler === null && (
          <p className="soft">{t('Kein Netz. Es geht von selbst weiter, sobald es wieder da ist.')}</p>
        )}
        {run.fehler !== null && (
          <Notice
            tone={stand === 'fehler' ? 'danger' : 'warning'}
            title={
              stand === 'anmeldung'
                ? t('Anmeldung nötig')
                : stand === 'wartet'
                  ? t('Keine Verbindung')
                  : t('Die Übertragung ist unterbrochen')
            }
            {...(stand === 'anmeldung' && anmelden !== undefined && { actions: anmelden })}
          >
            {run.fehler}
            {run.retryAt !== null && stand !== 'anmeldung' && (
              <div className="soft">
                {t('Nächster Versuch um {time}.', {
                  time: new Date(run.retryAt).toLocaleTimeString('de-DE'),
                })}
              </div>
            )}
          </Notice>
        )}
      </div>
      <div className="erf-taten">
        {running ? (
          <Button icon="close" onClick={sync.pause}>
            {t('Anhalten')}
          </Button>
        ) : (
          <Button variant="primary" icon="upload" onClick={sync.start}>
            {stand === 'angehalten' ? t('Fortsetzen') : t('Jetzt übertragen')}
          </Button>
        )}
      </div>
    </>
  )
}

function TableRow({ capture, queue }: { capture: FieldworkCapture; queue: Queue }) {
  const { stand, kennung, antwort } = capture
  const grund = useRuleText(antwort?.regel ?? null)
  const what =
    stand === 'konflikt'
      ? t('Jemand anderes hat diesen Baum auch geändert.')
      : stand === 'geloescht'
        ? t('Auf dem Server gelöscht.')
        : grund
  const next =
    stand === 'konflikt'
      ? t('Entscheiden')
      : stand === 'geloescht'
        ? t('Neu anlegen oder verwerfen')
        : t('Berichtigen')
  return (
    <li>
      <div>
        <strong>{treeNameOf(queue, kennung)}</strong>
        <div className="soft">{what}</div>
      </div>
      <ButtonLink href={`/feld/baum/${kennung}${stand === 'abgelehnt' ? '?form=aendern' : ''}`}>
        {next}
      </ButtonLink>
    </li>
  )
}

const SHOWN = 50
function WaitingList({ waiting, queue }: { waiting: readonly FieldworkCapture[]; queue: Queue }) {
  const { bilder } = queue
  const [alle, setAll] = useState(false)
  const photos = new Map<Identifier, number>()
  for (const { baum, stand } of bilder)
    if (stand !== 'abgelehnt') photos.set(baum, (photos.get(baum) ?? 0) + 1)
  const trees = new Map(waiting.map((one) => [one.kennung, one]))
  const rows = [...new Set([...trees.keys(), ...photos.keys()])]
  return (
    <>
      <ul className="erf-liste">
        {rows.slice(0, alle ? undefined : SHOWN).map((kennung) => {
          const capture = trees.get(kennung)
          const count = photos.get(kennung) ?? 0
          return (
            <li key={kennung}>
              <a className="erf-zeile" href={`/feld/baum/${kennung}`}>
                <strong>{treeNameOf(queue, kennung)}</strong>
                <span className="soft">{capture !== undefined && formatDateTime(capture.seit)}</span>
              </a>
              <span className="erf-marken">
                {capture !== undefined && (
                  <Badge tone="info">
                    {capture.unterwegs !== null
                      ? t('unterwegs')
                      : capture.version === null
                        ? t('neu')
                        : t('geändert')}
                  </Badge>
                )}
                {count > 0 && <Badge>{count === 1 ? t('1 Foto') : t('{n} Fotos', { n: count })}</Badge>}
              </span>
            </li>
          )
        })}
      </ul>
      {!alle && rows.length > SHOWN && (
        <Button onClick={() => setAll(true)}>{t('Alle {n} zeigen', { n: formatNumber(rows.length) })}</Button>
      )}
    </>
  )
}

function RefusedImages({
  bilder,
  nameOf,
}: {
  bilder: readonly ImageRow[]
  nameOf: (kennung: Identifier) => string
}) {
  const { db, sub } = useFieldwork()
  const [weg, setDiscarding] = useState<ImageRow | null>(null)
  if (bilder.length === 0) return null
  return (
    <section className="erf-teil" aria-label={t('Fotos, die nicht angenommen wurden')}>
      <h3>{t('Fotos, die nicht angenommen wurden')}</h3>
      <ul className="erf-liste">
        {bilder.map((bild) => (
          <li key={bild.kennung}>
            <div>
              <strong>{nameOf(bild.baum)}</strong>
              <div className="soft">{bild.fehler}</div>
            </div>
            <div className="erf-taten">
              <Button onClick={() => void retry(db, sub, bild.kennung)}>{t('Noch einmal senden')}</Button>
              <Button onClick={() => setDiscarding(bild)}>{t('Verwerfen')}</Button>
            </div>
          </li>
        ))}
      </ul>
      {weg !== null && <DiscardPhoto bild={weg} onClose={() => setDiscarding(null)} />}
    </section>
  )
}

function Rescue() {
  const { db, sub } = useFieldwork()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setFault(null)
    try {
      const { rescueFile } = await import('./rescue.ts')
      const { name, datei } = await rescueFile(db, sub, new Date())
      saveFile(datei, name)
    } catch (error) {
      setFault(
        error instanceof ToldError
          ? error.message
          : t(
              'Die Datei ließ sich nicht erstellen. Schaffen Sie Platz auf dem Gerät und versuchen Sie es noch einmal.',
            ),
      )
    }
    setBusy(false)
  }
  return (
    <details className="erf-teil erf-mehrdazu">
      <summary>{t('Als Datei sichern')}</summary>
      <p className="soft">
        {t(
          'Falls sich gar nichts mehr übertragen lässt: alles, was auf diesem Gerät wartet, als eine Datei mit den Angaben und Fotos. Hier bleibt es trotzdem liegen.',
        )}
      </p>
      <Button icon="download" busy={busy} onClick={() => void save()}>
        {t('Datei sichern')}
      </Button>
      {fault !== null && (
        <Notice tone="danger" title={t('Nicht gesichert')}>
          {fault}
        </Notice>
      )}
    </details>
  )
}
