// What is stored on this device and for whom: packs, used space, the connection, and installing on the home
// screen.
import { useEffect, useState } from 'react'
import { hasOneOf, type Role } from '#domain/roles.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, Notice } from '../../ui/Display.tsx'
import { formatBytes, formatDateTime, formatNumber } from '../../ui/format.ts'
import { splitOff } from '../../ui/split-off.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { type FieldworkPacket, isSurvey } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import {
  application,
  retryOfflineReady,
  refetchPackets,
  type FieldworkState,
  useFieldworkState,
  choosePacket,
} from './fieldwork-state.ts'
import { InstallCard } from './InstallCard.tsx'
import { abortRun, persist, type Requested, useRun } from './packet-run.ts'
import { detailsOf, remove, SURVEYORS } from './packet.ts'
import { NewPacket } from './NewPacket.tsx'
import { ReceiverCard } from './ReceiverCard.tsx'
import { StorageCard } from './StorageCard.tsx'
import { ConnectionRow } from './Connection.tsx'

/** Loaded only for those who survey. */
const NewSurvey = splitOff(async () => (await import('./NewSurvey.tsx')).NewSurvey, <Skeleton lines={1} />)

export function PacketPage() {
  const { db, sub } = useFieldwork()
  const { pakete, person, connection, offlineReady } = useFieldworkState()
  const run = useRun()
  const [removed, setRemoved] = useState<FieldworkPacket | null>(null)
  const isSignedIn = connection === 'angemeldet'
  const forests = pakete.filter((packet) => !isSurvey(packet))
  const taking = {
    vorhanden: pakete.map(({ idHQ }) => idHQ),
    onSave: (request: Requested) => void persist(db, sub, request),
  }
  return (
    <div className="feld-inhalt stack">
      <h2 className="visually-hidden">{t('Auf diesem Gerät')}</h2>
      {run !== null && <RunCard />}
      {offlineReady === false && <NotReady />}
      {pakete.map((packet) => (
        <PacketCard
          key={packet.idHQ}
          packet={packet}
          gesperrt={!isSignedIn || run !== null}
          onRemove={() => setRemoved(packet)}
        />
      ))}
      {hasOneOf(person?.roles ?? [], FORESTERS) && (
        <Card
          title={forests.length === 0 ? t('Forstbetrieb mitnehmen') : t('Weiteren Forstbetrieb mitnehmen')}
        >
          {isSignedIn ? <NewPacket key={pakete.length} {...taking} /> : <NeedsConnection />}
        </Card>
      )}
      {hasOneOf(person?.roles ?? [], SURVEYORS) && (
        <Card title={t('Vermessung eines Kunden mitnehmen')}>
          {isSignedIn ? <NewSurvey key={pakete.length} {...taking} /> : <NeedsConnection />}
        </Card>
      )}
      <SignInCard person={person} />
      <ReceiverCard />
      <InstallCard />
      <StorageCard key={pakete.map(({ bytes }) => bytes).join()} />
      {removed !== null && (
        <ConfirmDialog
          open
          danger
          title={t('Paket entfernen?')}
          record={removed.sHQ}
          confirmLabel={t('Entfernen')}
          onCancel={() => setRemoved(null)}
          onConfirm={async () => {
            await remove(db, sub, removed.idHQ)
            await refetchPackets()
            setRemoved(null)
          }}
        >
          <p>{t('Daten und Karte gehen von diesem Gerät. Was noch nicht übertragen ist, bleibt.')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Who takes holdings along; people who may capture in none read why. */
const FORESTERS: readonly Role[] = ['ogf_standard', 'ogf_fb_admin', 'ogf_admin']
const NeedsConnection = () => (
  <p className="soft">{t('Dafür braucht es eine Verbindung und Ihre Anmeldung.')}</p>
)

const DAY_MS = 86_400_000
const NotReady = () => (
  <Notice
    tone="warning"
    title={t('Noch nicht ohne Netz bereit')}
    actions={
      <Button size="small" onClick={() => void retryOfflineReady()}>
        {t('Erneut versuchen')}
      </Button>
    }
  >
    {t(
      'Die Anwendung selbst konnte nicht auf dem Gerät abgelegt werden. In privaten Fenstern geht das nicht.',
    )}
  </Notice>
)

function SignInCard({ person }: Pick<FieldworkState, 'person'>) {
  return (
    <Card title={t('Anmeldung')}>
      <div className="stack">
        <p>
          {t('Auf diesem Gerät arbeitet {name}.', { name: person?.name ?? '' })}{' '}
          <span className="soft">
            {t('Zuletzt angemeldet: {when}', { when: formatDateTime(person?.bestaetigt_am) })}
          </span>
        </p>
        <ConnectionRow />
        <div className="actions">
          <Button icon="logout" onClick={() => application()?.signOut()}>
            {t('Abmelden')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

function PacketCard({
  packet,
  gesperrt,
  onRemove,
}: {
  packet: FieldworkPacket
  gesperrt: boolean
  onRemove: () => void
}) {
  const { db, sub, packet: openPacket } = useFieldwork()
  const { go } = useView()
  const { teil } = detailsOf(packet)
  return (
    <Card
      title={packet.sHQ}
      actions={packet.idHQ === openPacket?.idHQ ? <Badge tone="success">{t('geöffnet')}</Badge> : undefined}
    >
      <div className="stack">
        <PacketFacts packet={packet} />
        <div className="actions">
          <Button
            variant="primary"
            onClick={() => {
              choosePacket(packet.idHQ)
              go('/feld')
            }}
          >
            {t('Zur Karte')}
          </Button>
          <Button
            icon="refresh"
            disabled={gesperrt}
            onClick={() =>
              void persist(db, sub, { idHQ: packet.idHQ, sHQ: packet.sHQ, teil, karte: undefined })
            }
          >
            {t('Aktualisieren')}
          </Button>
          <Button icon="trash" onClick={onRemove}>
            {t('Entfernen')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** How much it is, and how old. */
function PacketFacts({ packet }: { packet: FieldworkPacket }) {
  const { teil, bestaende, karte } = detailsOf(packet)
  const [present, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  const days = Math.floor((present - Date.parse(packet.geholt_am)) / DAY_MS)
  return (
    <>
      <p>
        {isSurvey(packet) ? (
          packet.baeume === 1 ? (
            t('Vermessung, 1 Objekt')
          ) : (
            t('Vermessung, {n} Objekte', { n: formatNumber(packet.baeume) })
          )
        ) : (
          <>
            {bestaende.length === 1
              ? t('1 Bestand')
              : t('{n} Bestände', { n: formatNumber(bestaende.length) })}{' '}
            · {packet.baeume === 1 ? t('1 Baum') : t('{n} Bäume', { n: formatNumber(packet.baeume) })}
          </>
        )}{' '}
        · {formatBytes(packet.bytes)}
        {teil.art !== 'ganz' && (
          <> · {teil.art === 'kasten' ? t('Kartenausschnitt') : teil.auswahl.filter(Boolean).join(' / ')}</>
        )}
      </p>
      <p className="soft">
        {karte === null
          ? t('Ohne Hintergrundkarte')
          : t('{name} bis Zoomstufe {z}, {n} Kacheln', {
              name: karte.titel,
              z: karte.max,
              n: formatNumber(karte.kacheln),
            })}
        {karte !== null && karte.fehlend > 0 && ` · ${t('{n} fehlen', { n: formatNumber(karte.fehlend) })}`}
      </p>
      <p className={days >= 14 ? 'feld-alt' : 'soft'}>
        {t('Stand: {when}', { when: formatDateTime(packet.geholt_am) })}
        {days >= 14 && ` · ${t('{n} Tage alt, bitte aktualisieren', { n: days })}`}
      </p>
    </>
  )
}

export function RunCard() {
  const run = useRun()
  if (run === null) return null
  const { kacheln } = run
  return (
    <section className="feld-lauf" aria-label={t('{name} wird gespeichert', { name: run.sHQ })}>
      <output>
        {kacheln === null
          ? t('{name}: Die Daten werden geholt …', { name: run.sHQ })
          : t('{name}: Hintergrundkarte', { name: run.sHQ })}
      </output>
      <progress max={kacheln?.alle ?? 4} value={kacheln?.fertig ?? run.steps} aria-label={t('Fortschritt')} />
      <div className="feld-lauf-fuss">
        <span className="soft nums">
          {kacheln !== null &&
            t('{a} von {b} Kacheln, {size}', {
              a: formatNumber(kacheln.fertig),
              b: formatNumber(kacheln.alle),
              size: formatBytes(kacheln.bytes),
            })}
        </span>
        <Button onClick={abortRun}>{t('Abbrechen')}</Button>
      </div>
    </section>
  )
}
