// What waits on this device and why, and the way out for all of it: the sync, a choice, or a file.
import { type ReactNode, useEffect, useState } from 'react'
import { baumName } from '../../record/habitat/habitat-words.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Badge, Notice } from '../../ui/Display.tsx'
import { saveFile } from '../../ui/export/cells.ts'
import { formatBytes, formatDateTime, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useAbgleich } from './abgleich-hier.ts'
import type { AbgleichLauf, Lauf } from './abgleich-lauf.ts'
import './erfassung.css'
import { sichtOf } from './erfassung.ts'
import type { FeldErfassung, Kennung } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { FotoVerwerfen } from './FotoVerwerfen.tsx'
import { useRegeltext } from './regeltext.ts'
import { beobachte, type BildZeile, fetchSchlange, type Schlange, versucheErneut } from './schlange.ts'

export function FeldUebertragen({ anmelden }: { anmelden?: ReactNode }) {
  const { db, sub } = useFeld()
  const abgleich = useAbgleich()
  const [schlange, setSchlange] = useState<Schlange | null>(null)
  const [fehler, setFehler] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    const read = () =>
      void fetchSchlange(db, sub).then(
        (found) => !gone && setSchlange(found),
        (error: unknown) => !gone && setFehler(error),
      )
    read()
    const stop = beobachte(read)
    return () => {
      gone = true
      stop()
    }
  }, [db, sub])
  if (fehler !== null) return <ErrorState error={fehler} />
  if (schlange === null) return <Skeleton lines={6} />
  const { erfassungen, bilder } = schlange
  const leer = erfassungen.length === 0 && bilder.length === 0
  const seit = [...erfassungen, ...bilder].map((one) => one.seit).toSorted()[0]
  const groesse = bilder.reduce((sum, bild) => sum + bild.groesse, 0)
  const klaeren = erfassungen.filter(({ stand }) => stand !== 'wartet')
  const warten = erfassungen.filter(({ stand }) => stand === 'wartet')
  return (
    <div className="erf-form">
      <h2 className="visually-hidden">{t('Übertragen')}</h2>
      <section className="erf-teil" aria-label={t('Stand der Übertragung')}>
        {leer ? (
          <EmptyState icon="check" title={t('Alles ist übertragen')}>
            {t('Auf diesem Gerät wartet nichts. Was Sie erfassen, erscheint hier, bis der Server es bestätigt hat.')}
          </EmptyState>
        ) : (
          <>
            <p className="erf-summe">
              <strong>
                {[
                  erfassungen.length === 1 ? t('1 Baum') : t('{n} Bäume', { n: formatNumber(erfassungen.length) }),
                  bilder.length === 0
                    ? null
                    : bilder.length === 1
                      ? t('1 Foto, {size}', { size: formatBytes(groesse) })
                      : t('{n} Fotos, {size}', { n: formatNumber(bilder.length), size: formatBytes(groesse) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </strong>
              {seit !== undefined && <span className="soft"> {t('warten seit {when}', { when: formatDateTime(seit) })}</span>}
            </p>
            <Gang abgleich={abgleich} lauf={abgleich.stand} anmelden={anmelden} />
          </>
        )}
      </section>
      {klaeren.length > 0 && (
        <section className="erf-teil" aria-label={t('Zu entscheiden')}>
          <h3>{t('Zu entscheiden')}</h3>
          <ul className="erf-liste">
            {klaeren.map((erfassung) => (
              <Zeile key={erfassung.kennung} erfassung={erfassung} schlange={schlange} />
            ))}
          </ul>
        </section>
      )}
      <BilderOffen bilder={bilder.filter(({ stand }) => stand === 'abgelehnt')} nameOf={(kennung) => nameVon(schlange, kennung)} />
      {warten.length + bilder.length > 0 && (
        <section className="erf-teil" aria-label={t('Wartet auf Übertragung')}>
          <h3>{t('Wartet auf Übertragung')}</h3>
          <Wartende warten={warten} schlange={schlange} />
        </section>
      )}
      {!leer && <Rettung />}
    </div>
  )
}

function nameVon({ erfassungen, baeume }: Schlange, kennung: Kennung): string {
  const erfassung = erfassungen.find((one) => one.kennung === kennung)
  const baum = baeume.get(kennung)
  if (erfassung !== undefined) {
    const sicht = sichtOf(undefined, erfassung)
    if (sicht !== null) return baumName(sicht.werte)
  }
  return baum === undefined ? t('Baum') : baumName(baum)
}

function Gang({ abgleich, lauf, anmelden }: { abgleich: AbgleichLauf; lauf: Lauf; anmelden: ReactNode }) {
  const { stand, fortschritt } = lauf
  const laeuft = stand === 'laeuft'
  return (
    <>
      <div aria-live="polite">
        {laeuft && (
          <div className="erf-gang">
            <progress
              aria-label={t('Fortschritt')}
              max={Math.max(1, fortschritt === null ? 1 : fortschritt.art === 'bilder' ? fortschritt.bytesGesamt : fortschritt.gesamt)}
              {...(fortschritt !== null && { value: fortschritt.art === 'bilder' ? fortschritt.bytes : fortschritt.fertig })}
            />
            <span className="soft nums">
              {fortschritt === null
                ? t('Die Übertragung beginnt …')
                : fortschritt.art === 'baeume'
                  ? t('Bäume werden übertragen: {n} von {all}', { n: fortschritt.fertig, all: fortschritt.gesamt })
                  : t('Fotos werden übertragen: {n} von {all}, {size} von {total}', {
                      n: fortschritt.fertig,
                      all: fortschritt.gesamt,
                      size: formatBytes(fortschritt.bytes),
                      total: formatBytes(fortschritt.bytesGesamt),
                    })}
            </span>
          </div>
        )}
        {stand === 'anderswo' && <p className="soft">{t('Ein anderes Fenster dieses Geräts überträgt gerade.')}</p>}
        {stand === 'angehalten' && <p className="soft">{t('Die Übertragung ist angehalten.')}</p>}
        {stand === 'wartet' && lauf.fehler === null && (
          <p className="soft">{t('Kein Netz. Es geht von selbst weiter, sobald es wieder da ist.')}</p>
        )}
        {lauf.fehler !== null && (
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
            {lauf.fehler}
            {lauf.wieder !== null && stand !== 'anmeldung' && (
              <div className="soft">{t('Nächster Versuch um {time}.', { time: new Date(lauf.wieder).toLocaleTimeString('de-DE') })}</div>
            )}
          </Notice>
        )}
      </div>
      <div className="erf-taten">
        {laeuft ? (
          <Button icon="close" onClick={abgleich.halteAn}>
            {t('Anhalten')}
          </Button>
        ) : (
          <Button variant="primary" icon="upload" onClick={abgleich.starte}>
            {stand === 'angehalten' ? t('Fortsetzen') : t('Jetzt übertragen')}
          </Button>
        )}
      </div>
    </>
  )
}

function Zeile({ erfassung, schlange }: { erfassung: FeldErfassung; schlange: Schlange }) {
  const { stand, kennung, antwort } = erfassung
  const grund = useRegeltext(antwort?.regel ?? null)
  const what =
    stand === 'konflikt'
      ? t('Jemand anderes hat diesen Baum auch geändert.')
      : stand === 'geloescht'
        ? t('Auf dem Server gelöscht.')
        : grund
  const next = stand === 'konflikt' ? t('Entscheiden') : stand === 'geloescht' ? t('Neu anlegen oder verwerfen') : t('Berichtigen')
  return (
    <li>
      <div>
        <strong>{nameVon(schlange, kennung)}</strong>
        <div className="soft">{what}</div>
      </div>
      <ButtonLink href={`/feld/baum/${kennung}${stand === 'abgelehnt' ? '?form=aendern' : ''}`}>{next}</ButtonLink>
    </li>
  )
}

const GEZEIGT = 50
function Wartende({ warten, schlange }: { warten: readonly FeldErfassung[]; schlange: Schlange }) {
  const { bilder } = schlange
  const [alle, setAlle] = useState(false)
  const photos = new Map<Kennung, number>()
  for (const { baum, stand } of bilder) if (stand !== 'abgelehnt') photos.set(baum, (photos.get(baum) ?? 0) + 1)
  const trees = new Map(warten.map((one) => [one.kennung, one]))
  const rows = [...new Set([...trees.keys(), ...photos.keys()])]
  return (
    <>
      <ul className="erf-liste">
        {rows.slice(0, alle ? undefined : GEZEIGT).map((kennung) => {
          const erfassung = trees.get(kennung)
          const count = photos.get(kennung) ?? 0
          return (
            <li key={kennung}>
              <a className="erf-zeile" href={`/feld/baum/${kennung}`}>
                <strong>{nameVon(schlange, kennung)}</strong>
                <span className="soft">{erfassung !== undefined && formatDateTime(erfassung.seit)}</span>
              </a>
              <span className="erf-marken">
                {erfassung !== undefined && (
                  <Badge tone="info">
                    {erfassung.unterwegs !== null ? t('unterwegs') : erfassung.version === null ? t('neu') : t('geändert')}
                  </Badge>
                )}
                {count > 0 && <Badge>{count === 1 ? t('1 Foto') : t('{n} Fotos', { n: count })}</Badge>}
              </span>
            </li>
          )
        })}
      </ul>
      {!alle && rows.length > GEZEIGT && (
        <Button onClick={() => setAlle(true)}>{t('Alle {n} zeigen', { n: formatNumber(rows.length) })}</Button>
      )}
    </>
  )
}

function BilderOffen({ bilder, nameOf }: { bilder: readonly BildZeile[]; nameOf: (kennung: Kennung) => string }) {
  const { db, sub } = useFeld()
  const [weg, setWeg] = useState<BildZeile | null>(null)
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
              <Button onClick={() => void versucheErneut(db, sub, bild.kennung)}>{t('Noch einmal senden')}</Button>
              <Button onClick={() => setWeg(bild)}>{t('Verwerfen')}</Button>
            </div>
          </li>
        ))}
      </ul>
      {weg !== null && <FotoVerwerfen bild={weg} onClose={() => setWeg(null)} />}
    </section>
  )
}

function Rettung() {
  const { db, sub } = useFeld()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setFault(null)
    try {
      const { rettungsdatei } = await import('./rettung.ts')
      const { name, datei } = await rettungsdatei(db, sub, new Date())
      saveFile(datei, name)
    } catch (error) {
      setFault(
        error instanceof ToldError
          ? error.message
          : t('Die Datei ließ sich nicht erstellen. Schaffen Sie Platz auf dem Gerät und versuchen Sie es noch einmal.'),
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
