// The field mode: a full-screen view for phones and tablets in the forest. It reads the device's storage
// first and contacts the network afterwards.
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { ClockNotice } from './ClockNotice.tsx'
import { useBackgroundSync, useWaitingCount } from './sync-here.ts'
import './fieldwork.css'
import { FieldworkTrees } from './FieldworkTrees.tsx'
import { FieldworkKarte } from './FieldworkKarte.tsx'
import { FieldworkFrame } from './fieldwork-context.ts'
import { isSurvey } from './fieldwork-db.ts'
import type { AppBridge } from './fieldwork-session.ts'
import { retry, openFieldwork, useFieldworkState } from './fieldwork-state.ts'
import { LostNotice } from './LostNotice.tsx'
import { ReceiverBand } from './ReceiverBand.tsx'
import { RunCard, PacketPage } from './PacketPage.tsx'
import { SignInButton, ConnectionChip } from './Connection.tsx'
import { useWakeLock } from './wake-lock.ts'

const FieldworkEntry = splitOff(
  async () => (await import('./FieldworkEntry.tsx')).FieldworkEntry,
  <Skeleton lines={6} />,
)
const FieldworkTree = splitOff(
  async () => (await import('./FieldworkTree.tsx')).FieldworkTree,
  <Skeleton lines={6} />,
)
const FieldworkTransfer = splitOff(
  async () => (await import('./FieldworkTransfer.tsx')).FieldworkTransfer,
  <Skeleton lines={6} />,
)
const SurveyKarte = splitOff(
  async () => (await import('./SurveyKarte.tsx')).SurveyKarte,
  <Skeleton lines={6} />,
)
const SurveyEntry = splitOff(
  async () => (await import('./SurveyEntry.tsx')).SurveyEntry,
  <Skeleton lines={6} />,
)
const SurveyObject = splitOff(
  async () => (await import('./SurveyObject.tsx')).SurveyObject,
  <Skeleton lines={6} />,
)
const BorderPage = splitOff(async () => (await import('./BorderPage.tsx')).BorderPage, <Skeleton lines={6} />)

interface Props {
  bridge: AppBridge
  titel: string
  /** A trial with sample data. */
  probe: boolean
}
type View = 'karte' | 'baeume' | 'neu' | 'baum' | 'objekt' | 'grenze' | 'uebertragen' | 'paket'

function viewOf(path: string): { ansicht: View | null; kennung: string | null } {
  const [, , part = '', rest = ''] = path.split('/')
  if (part === '') return { ansicht: 'karte', kennung: null }
  if ((part === 'baum' || part === 'objekt' || part === 'grenze') && /^[0-9a-f-]{36}$/i.test(rest))
    return { ansicht: part, kennung: rest.toLowerCase() }
  const known = (['baeume', 'neu', 'grenze', 'uebertragen', 'paket'] as const).find(
    (one) => one === part && rest === '',
  )
  return { ansicht: known ?? null, kennung: null }
}

export function FieldworkShell({ bridge, titel, probe }: Props) {
  const stand = useFieldworkState()
  useEffect(() => void openFieldwork(bridge), [bridge])
  useWakeLock()
  const { db, person, packet, fehler } = stand
  const context = useMemo(
    () =>
      db === null || person === null
        ? null
        : { db, sub: person.sub, name: person.name, roles: person.roles, packet },
    [db, person, packet],
  )
  if (context === null)
    return (
      <div className="feld">
        <Head titel={t('Feldmodus')} probe={probe} />
        <div className="feld-inhalt">
          {fehler === null ? <Skeleton lines={4} /> : <ErrorState error={fehler} onRetry={retry} />}
        </div>
      </div>
    )
  return (
    <FieldworkFrame value={context}>
      <Opened titel={titel} probe={probe} />
    </FieldworkFrame>
  )
}

function Opened({ titel, probe }: { titel: string; probe: boolean }) {
  const { path, go } = useView()
  const { packet, pakete, connection } = useFieldworkState()
  useBackgroundSync()
  const { ansicht, kennung } = viewOf(path)
  const leer = packet === null && ansicht !== 'uebertragen'
  const content = (): ReactNode => {
    if (ansicht === null)
      return (
        <EmptyState
          icon="map"
          title={t('Diese Seite gibt es im Feldmodus nicht.')}
          action={<Button onClick={() => go('/feld')}>{t('Zur Karte')}</Button>}
        />
      )
    if (ansicht === 'paket' || leer) return <PacketPage />
    if (ansicht === 'objekt' && packet !== null && kennung !== null)
      return <SurveyObject key={kennung} kennung={kennung} packet={packet} />
    if (ansicht === 'grenze' && packet !== null && !isSurvey(packet))
      return <BorderPage key={`${packet.idHQ} ${kennung}`} packet={packet} kennung={kennung} />
    if (packet !== null && isSurvey(packet)) {
      if (ansicht === 'neu') return <SurveyEntry key={packet.idHQ} packet={packet} />
      if (ansicht === 'karte' || ansicht === 'baeume')
        return <SurveyKarte key={packet.idHQ} packet={packet} />
    }
    if (ansicht === 'karte' && packet !== null) return <FieldworkKarte key={packet.idHQ} packet={packet} />
    if (ansicht === 'baeume' && packet !== null) return <FieldworkTrees key={packet.idHQ} packet={packet} />
    if (ansicht === 'neu' && packet !== null) return <FieldworkEntry key={packet.idHQ} packet={packet} />
    if (ansicht === 'baum' && packet !== null && kennung !== null)
      return <FieldworkTree key={kennung} kennung={kennung} packet={packet} />
    if (ansicht === 'uebertragen') return <FieldworkTransfer anmelden={<SignInButton />} />
    return null
  }
  const displayed = content()
  return (
    <div className="feld">
      <Head titel={packet?.sHQ ?? titel} probe={probe} pakete={pakete.length > 0} />
      {(connection === 'anmelden' || connection === 'andere') && ansicht !== 'paket' && (
        <aside className="feld-band" aria-label={t('Anmeldung')}>
          <span>{t('Nicht angemeldet')}</span>
          <SignInButton />
        </aside>
      )}
      <ReceiverBand />
      <ClockNotice />
      <LostNotice />
      {ansicht !== 'paket' && !leer && <RunCard />}
      <div className="feld-mitte" key={`${ansicht} ${kennung}`}>
        {displayed}
      </div>
      {pakete.length > 0 && <NavBar ansicht={ansicht} survey={packet !== null && isSurvey(packet)} />}
    </div>
  )
}

function Head({ titel, probe, pakete = false }: { titel: string; probe: boolean; pakete?: boolean }) {
  const { arrived } = useView()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
  }, [arrived])
  const { go } = useView()
  return (
    <header className="feld-kopf">
      <a
        className="feld-zurueck button button-quiet button-icon"
        href="/"
        data-native
        aria-label={t('Zur Anwendung')}
        title={t('Zur Anwendung')}
      >
        <Icon name="home" size={22} />
      </a>
      <h1 ref={heading} tabIndex={-1}>
        {titel}
      </h1>
      {probe && <span className="feld-probe">{t('Probebetrieb')}</span>}
      <ConnectionChip />
      {pakete && <IconButton icon="gear" label={t('Pakete und Gerät')} onClick={() => go('/feld/paket')} />}
    </header>
  )
}

const PLACES: readonly {
  readonly ansicht: View
  readonly href: string
  readonly icon: IconName
  readonly title: () => string
}[] = [
  { ansicht: 'karte', href: '/feld', icon: 'map', title: () => t('Karte') },
  { ansicht: 'baeume', href: '/feld/baeume', icon: 'leaf', title: () => t('Bäume') },
  { ansicht: 'neu', href: '/feld/neu', icon: 'plus', title: () => t('Erfassen') },
  { ansicht: 'uebertragen', href: '/feld/uebertragen', icon: 'upload', title: () => t('Übertragen') },
]
/** A survey has no list of its own: its objects are on the map. */
function NavBar({ ansicht, survey }: { ansicht: View | null; survey: boolean }) {
  const waitingCount = useWaitingCount()
  return (
    <nav className="feld-leiste" aria-label={t('Feldmodus')}>
      {PLACES.filter((ort) => !survey || ort.ansicht !== 'baeume').map((ort) => (
        <a key={ort.ansicht} href={ort.href} aria-current={ort.ansicht === ansicht ? 'page' : undefined}>
          <Icon name={ort.icon} size={24} />
          <span>{ort.title()}</span>
          {ort.ansicht === 'uebertragen' && waitingCount > 0 && (
            <span className="feld-wartende nums">
              {waitingCount}
              <span className="visually-hidden"> {t('warten')}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  )
}
