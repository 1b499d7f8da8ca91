// What waits on this device and why, and how to resolve it: by sync, by a decision, or by exporting a file.
import { type ReactNode, useState } from 'react'
import { treeName } from '../../record/habitat/habitat-words.ts'
import { treeOf } from '../../record/habitat/tree.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Badge, Notice } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { saveFile } from '../../ui/export/save-file.ts'
import { formatBytes, formatDateTime, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useSync } from './sync-here.ts'
import type { SyncRunner, Run } from './sync-runner.ts'
import './capture.css'
import { type AnyCapture, type Identifier, isSurveyTable } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { DiscardPhoto } from './DiscardPhoto.tsx'
import { useRuleText } from './rule-text.ts'
import { type ImageRow, fetchQueue, type Queue } from './queue-read.ts'
import { retry } from './queue.ts'
import { entryHref, entryName, objectName } from './survey-words.ts'
import { surveyValuesOf, type SurveyValues } from '../../record/kataster/survey-values.ts'
import { useStored } from './use-stored.ts'

export function FieldworkTransfer({ anmelden }: { anmelden?: ReactNode }) {
  const sync = useSync()
  const { data: queue, fehler } = useStored(fetchQueue)
  if (fehler !== null) return <ErrorState error={fehler} />
  if (queue === null) return <Skeleton lines={6} />
  const { erfassungen, bilder } = queue
  const leer = erfassungen.length === 0 && bilder.length === 0
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
            <Summary queue={queue} />
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
        nameOf={(identifier) => treeNameOf(queue, identifier)}
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

function Summary({ queue: { erfassungen, bilder } }: { queue: Queue }) {
  const since = [...erfassungen, ...bilder].map((one) => one.seit).toSorted()[0]
  const size = bilder.reduce((sum, picture) => sum + picture.groesse, 0)
  const objects = erfassungen.filter(({ tabelle }) => isSurveyTable(tabelle)).length
  const borders = erfassungen.filter(({ tabelle }) => tabelle === 'grenzvorschlag').length
  const trees = erfassungen.length - objects - borders
  const ofOthers = objects + borders > 0 || bilder.some(({ tabelle }) => tabelle !== undefined)
  return (
    <p className="erf-summe">
      <strong>
        {[
          ofOthers && trees === 0
            ? null
            : trees === 1
              ? t('1 Baum')
              : t('{n} Bäume', { n: formatNumber(trees) }),
          objects === 0
            ? null
            : objects === 1
              ? t('1 Objekt')
              : t('{n} Objekte', { n: formatNumber(objects) }),
          borders === 0
            ? null
            : borders === 1
              ? t('1 Grenze')
              : t('{n} Grenzen', { n: formatNumber(borders) }),
          bilder.length === 0
            ? null
            : bilder.length === 1
              ? t('1 Foto, {size}', { size: formatBytes(size) })
              : t('{n} Fotos, {size}', {
                  n: formatNumber(bilder.length),
                  size: formatBytes(size),
                }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </strong>
      {since !== undefined && (
        <span className="soft"> {t('warten seit {when}', { when: formatDateTime(since) })}</span>
      )}
    </p>
  )
}

function treeNameOf({ erfassungen, baeume }: Queue, identifier: Identifier): string {
  const capture = erfassungen.find((one) => one.kennung === identifier)
  const known = baeume.get(identifier)
  if (capture !== undefined) return entryName(capture)
  if (known === undefined) return t('Eintrag')
  return known.tabelle === undefined
    ? treeName(treeOf(known.baum))
    : objectName(known.tabelle, surveyValuesOf(known.baum))
}

function TransferRun({ sync, run, anmelden }: { sync: SyncRunner; run: Run; anmelden: ReactNode }) {
  const { stand } = run
  const running = stand === 'laeuft'
  return (
    <>
      <div aria-live="polite">
        {running && <Gauge fortschritt={run.fortschritt} />}
        {stand === 'anderswo' && (
          <p className="soft">{t('Ein anderes Fenster dieses Geräts überträgt gerade.')}</p>
        )}
        {stand === 'angehalten' && <p className="soft">{t('Die Übertragung ist angehalten.')}</p>}
        {stand === 'wartet' && run.fehler === null && (
          <p className="soft">{t('Kein Netz. Es geht automatisch weiter, sobald es wieder da ist.')}</p>
        )}
        {run.fehler !== null && <RunFault run={run} anmelden={anmelden} />}
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

function Gauge({ fortschritt }: Pick<Run, 'fortschritt'>) {
  return (
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
            ? t('Erfassungen werden übertragen: {n} von {all}', {
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
  )
}

function RunFault({ run, anmelden }: { run: Run; anmelden: ReactNode }) {
  const { stand } = run
  return (
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
  )
}

function TableRow({ capture, queue }: { capture: AnyCapture; queue: Queue }) {
  const { stand, kennung, antwort, tabelle } = capture
  const reason = useRuleText(antwort?.regel ?? null)
  const what =
    stand === 'konflikt'
      ? tabelle === undefined
        ? t('Jemand anderes hat diesen Baum auch geändert.')
        : t('Jemand anderes hat dieses Objekt auch geändert.')
      : stand === 'geloescht'
        ? t('Auf dem Server gelöscht.')
        : reason
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
      <ButtonLink href={`${entryHref(capture)}${stand === 'abgelehnt' ? '?form=aendern' : ''}`}>
        {next}
      </ButtonLink>
    </li>
  )
}

const isDeletion = ({ tabelle, werte }: AnyCapture): boolean =>
  isSurveyTable(tabelle) && (werte as Partial<SurveyValues>)['geloescht'] === true

const SHOWN = 50
function WaitingList({ waiting, queue }: { waiting: readonly AnyCapture[]; queue: Queue }) {
  const { bilder } = queue
  const [all, setAll] = useState(false)
  const photos = new Map<Identifier, number>()
  for (const { baum, stand } of bilder)
    if (stand !== 'abgelehnt') photos.set(baum, (photos.get(baum) ?? 0) + 1)
  const trees = new Map(waiting.map((one) => [one.kennung, one]))
  const rows = [...new Set([...trees.keys(), ...photos.keys()])]
  const kinds = new Map(bilder.map(({ baum, tabelle }) => [baum, tabelle]))
  return (
    <>
      <ul className="erf-liste">
        {rows.slice(0, all ? undefined : SHOWN).map((identifier) => {
          const capture = trees.get(identifier)
          const count = photos.get(identifier) ?? 0
          return (
            <li key={identifier}>
              <a
                className="erf-zeile"
                href={entryHref(capture ?? { tabelle: kinds.get(identifier), kennung: identifier })}
              >
                <strong>{treeNameOf(queue, identifier)}</strong>
                <span className="soft">{capture !== undefined && formatDateTime(capture.seit)}</span>
              </a>
              <span className="erf-marken">
                {capture !== undefined && (
                  <Badge tone="info">
                    {capture.unterwegs !== null
                      ? t('unterwegs')
                      : isDeletion(capture)
                        ? t('wird gelöscht')
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
      {!all && rows.length > SHOWN && (
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
  nameOf: (identifier: Identifier) => string
}) {
  const { db, sub } = useFieldwork()
  const [discarded, setDiscarding] = useState<ImageRow | null>(null)
  if (bilder.length === 0) return null
  return (
    <section className="erf-teil" aria-label={t('Fotos, die nicht angenommen wurden')}>
      <h3>{t('Fotos, die nicht angenommen wurden')}</h3>
      <ul className="erf-liste">
        {bilder.map((picture) => (
          <li key={picture.kennung}>
            <div>
              <strong>{nameOf(picture.baum)}</strong>
              <div className="soft">{picture.fehler}</div>
            </div>
            <div className="erf-taten">
              <Button onClick={() => void retry(db, sub, picture.kennung)}>{t('Noch einmal senden')}</Button>
              <Button onClick={() => setDiscarding(picture)}>{t('Verwerfen')}</Button>
            </div>
          </li>
        ))}
      </ul>
      {discarded !== null && <DiscardPhoto bild={discarded} onClose={() => setDiscarding(null)} />}
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
          'Falls sich gar nichts mehr übertragen lässt: alles, was auf diesem Gerät wartet, als eine ' +
            'Datei mit den Angaben und Fotos. Hier bleibt es trotzdem liegen.',
        )}
      </p>
      <Button icon="download" busy={busy} onClick={() => void save()}>
        {t('Datei sichern')}
      </Button>
      {fault !== null && <Refusal title={t('Nicht gesichert')}>{fault}</Refusal>}
    </details>
  )
}
