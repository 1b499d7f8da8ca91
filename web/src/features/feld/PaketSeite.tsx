// What lies on this device and for whom: packs, the space they take, the connection, and how the application gets onto the home screen.
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, Notice } from '../../ui/Display.tsx'
import { formatBytes, formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import type { FeldPaket } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { anwendung, halteVorNeu, lesePaketeNeu, useFeldStand, waehlePaket } from './feld-stand.ts'
import { Installieren } from './Installieren.tsx'
import { brichAb, speichere, useLauf } from './paket-lauf.ts'
import { entferne, mehrOf } from './paket.ts'
import { PaketNeu } from './PaketNeu.tsx'
import { Speicherplatz } from './Speicherplatz.tsx'
import { VerbindungZeile } from './Verbindung.tsx'

export function PaketSeite() {
  const { db, sub } = useFeld()
  const { pakete, person, verbindung, vorgehalten } = useFeldStand()
  const lauf = useLauf()
  const [entfernt, setEntfernt] = useState<FeldPaket | null>(null)
  const angemeldet = verbindung === 'angemeldet'
  return (
    <div className="feld-inhalt stack">
      <h2 className="visually-hidden">{t('Auf diesem Gerät')}</h2>
      {lauf !== null && <LaufKarte />}
      {vorgehalten === false && (
        <Notice
          tone="warning"
          title={t('Noch nicht ohne Netz bereit')}
          actions={
            <Button size="small" onClick={() => void halteVorNeu()}>
              {t('Erneut versuchen')}
            </Button>
          }
        >
          {t('Die Anwendung selbst konnte nicht auf dem Gerät abgelegt werden. In privaten Fenstern geht das nicht.')}
        </Notice>
      )}
      {pakete.map((paket) => (
        <PaketKarte key={paket.idHQ} paket={paket} gesperrt={!angemeldet || lauf !== null} onEntfernen={() => setEntfernt(paket)} />
      ))}
      <Card title={pakete.length === 0 ? t('Forstbetrieb mitnehmen') : t('Weiteren Forstbetrieb mitnehmen')}>
        {angemeldet ? (
          <PaketNeu
            key={pakete.length}
            vorhanden={pakete.map(({ idHQ }) => idHQ)}
            onSpeichern={(wunsch) => void speichere(db, sub, wunsch)}
          />
        ) : (
          <p className="soft">{t('Dafür braucht es eine Verbindung und Ihre Anmeldung.')}</p>
        )}
      </Card>
      <Card title={t('Anmeldung')}>
        <div className="stack">
          <p>
            {t('Auf diesem Gerät arbeitet {name}.', { name: person?.name ?? '' })}{' '}
            <span className="soft">{t('Zuletzt angemeldet: {when}', { when: formatDateTime(person?.bestaetigt_am) })}</span>
          </p>
          <VerbindungZeile />
          <div className="actions">
            <Button icon="logout" onClick={() => anwendung()?.abmelden()}>
              {t('Abmelden')}
            </Button>
          </div>
        </div>
      </Card>
      <Installieren />
      <Speicherplatz key={pakete.map(({ bytes }) => bytes).join()} />
      {entfernt !== null && (
        <ConfirmDialog
          open
          danger
          title={t('Paket entfernen?')}
          record={entfernt.sHQ}
          confirmLabel={t('Entfernen')}
          onCancel={() => setEntfernt(null)}
          onConfirm={() => {
            setEntfernt(null)
            entferne(db, sub, entfernt.idHQ)
              .then(lesePaketeNeu)
              .catch((error: unknown) => toast.error(error instanceof Error ? error.message : t('Das hat nicht geklappt')))
          }}
        >
          <p>{t('Bestände, Bäume und Karte gehen von diesem Gerät. Was noch nicht übertragen ist, bleibt.')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

const TAG_MS = 86_400_000
function PaketKarte({ paket, gesperrt, onEntfernen }: { paket: FeldPaket; gesperrt: boolean; onEntfernen: () => void }) {
  const { db, sub, paket: offen } = useFeld()
  const { go } = useView()
  const { teil, bestaende, karte } = mehrOf(paket)
  const [jetzt, setJetzt] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setJetzt(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  const tage = Math.floor((jetzt - Date.parse(paket.geholt_am)) / TAG_MS)
  return (
    <Card title={paket.sHQ} actions={paket.idHQ === offen?.idHQ ? <Badge tone="success">{t('geöffnet')}</Badge> : undefined}>
      <div className="stack">
        <p>
          {bestaende.length === 1 ? t('1 Bestand') : t('{n} Bestände', { n: formatNumber(bestaende.length) })} ·{' '}
          {paket.baeume === 1 ? t('1 Baum') : t('{n} Bäume', { n: formatNumber(paket.baeume) })} · {formatBytes(paket.bytes)}
          {teil.art !== 'ganz' && <> · {teil.art === 'kasten' ? t('Kartenausschnitt') : teil.auswahl.filter(Boolean).join(' / ')}</>}
        </p>
        <p className="soft">
          {karte === null
            ? t('Ohne Hintergrundkarte')
            : t('{name} bis Zoomstufe {z}, {n} Kacheln', { name: karte.titel, z: karte.max, n: formatNumber(karte.kacheln) })}
          {karte !== null && karte.fehlend > 0 && ` · ${t('{n} fehlen', { n: formatNumber(karte.fehlend) })}`}
        </p>
        <p className={tage >= 14 ? 'feld-alt' : 'soft'}>
          {t('Stand: {when}', { when: formatDateTime(paket.geholt_am) })}
          {tage >= 14 && ` · ${t('{n} Tage alt, bitte aktualisieren', { n: tage })}`}
        </p>
        <div className="actions">
          <Button
            variant="primary"
            onClick={() => {
              waehlePaket(paket.idHQ)
              go('/feld')
            }}
          >
            {t('Zur Karte')}
          </Button>
          <Button
            icon="refresh"
            disabled={gesperrt}
            onClick={() => void speichere(db, sub, { idHQ: paket.idHQ, sHQ: paket.sHQ, teil, karte: undefined })}
          >
            {t('Aktualisieren')}
          </Button>
          <Button icon="trash" onClick={onEntfernen}>
            {t('Entfernen')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

export function LaufKarte() {
  const lauf = useLauf()
  if (lauf === null) return null
  const { kacheln } = lauf
  return (
    <section className="feld-lauf" aria-label={t('{name} wird gespeichert', { name: lauf.sHQ })}>
      <output>
        {kacheln === null
          ? t('{name}: Bestände und Bäume werden geholt …', { name: lauf.sHQ })
          : t('{name}: Hintergrundkarte', { name: lauf.sHQ })}
      </output>
      <progress max={kacheln?.alle ?? 4} value={kacheln?.fertig ?? lauf.schritte} aria-label={t('Fortschritt')} />
      <div className="feld-lauf-fuss">
        <span className="soft nums">
          {kacheln !== null &&
            t('{a} von {b} Kacheln, {size}', {
              a: formatNumber(kacheln.fertig),
              b: formatNumber(kacheln.alle),
              size: formatBytes(kacheln.bytes),
            })}
        </span>
        <Button onClick={brichAb}>{t('Abbrechen')}</Button>
      </div>
    </section>
  )
}
