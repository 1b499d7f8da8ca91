// The field mode: the whole window on a phone or tablet in the forest. It opens the storage of the device first and asks the network afterwards.
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { useAbgleichImHintergrund, useWartende } from './abgleich-hier.ts'
import './feld.css'
import { FeldBaeume } from './FeldBaeume.tsx'
import { FeldKarte } from './FeldKarte.tsx'
import { FeldRahmen } from './feld-kontext.ts'
import type { Anbindung } from './feld-sitzung.ts'
import { nochmal, oeffne, useFeldStand } from './feld-stand.ts'
import { LaufKarte, PaketSeite } from './PaketSeite.tsx'
import { AnmeldenKnopf, VerbindungChip } from './Verbindung.tsx'
import { useWach } from './wach.ts'

const FeldErfassen = splitOff(async () => (await import('./FeldErfassen.tsx')).FeldErfassen, <Skeleton lines={6} />)
const FeldBaum = splitOff(async () => (await import('./FeldBaum.tsx')).FeldBaum, <Skeleton lines={6} />)
const FeldUebertragen = splitOff(async () => (await import('./FeldUebertragen.tsx')).FeldUebertragen, <Skeleton lines={6} />)

interface Props {
  anbindung: Anbindung
  titel: string
  /** A trial with sample data. */
  probe: boolean
}
type Ansicht = 'karte' | 'baeume' | 'neu' | 'baum' | 'uebertragen' | 'paket'

function ansichtOf(path: string): { ansicht: Ansicht | null; kennung: string | null } {
  const [, , part = '', rest = ''] = path.split('/')
  if (part === '') return { ansicht: 'karte', kennung: null }
  if (part === 'baum' && /^[0-9a-f-]{36}$/i.test(rest)) return { ansicht: 'baum', kennung: rest.toLowerCase() }
  const known = (['baeume', 'neu', 'uebertragen', 'paket'] as const).find((one) => one === part && rest === '')
  return { ansicht: known ?? null, kennung: null }
}

export function FeldPage({ anbindung, titel, probe }: Props) {
  const stand = useFeldStand()
  useEffect(() => void oeffne(anbindung), [anbindung])
  useWach()
  const { db, person, paket, fehler } = stand
  const kontext = useMemo(
    () => (db === null || person === null ? null : { db, sub: person.sub, name: person.name, paket }),
    [db, person, paket],
  )
  if (kontext === null)
    return (
      <div className="feld">
        <Kopf titel={t('Feldmodus')} probe={probe} />
        <div className="feld-inhalt">{fehler === null ? <Skeleton lines={4} /> : <ErrorState error={fehler} onRetry={nochmal} />}</div>
      </div>
    )
  return (
    <FeldRahmen value={kontext}>
      <Geoeffnet titel={titel} probe={probe} />
    </FeldRahmen>
  )
}

function Geoeffnet({ titel, probe }: { titel: string; probe: boolean }) {
  const { path, go } = useView()
  const { paket, pakete, verbindung } = useFeldStand()
  useAbgleichImHintergrund()
  const { ansicht, kennung } = ansichtOf(path)
  const leer = paket === null && ansicht !== 'uebertragen'
  const inhalt = (): ReactNode => {
    if (ansicht === null)
      return (
        <EmptyState
          icon="map"
          title={t('Diese Seite gibt es im Feldmodus nicht.')}
          action={<Button onClick={() => go('/feld')}>{t('Zur Karte')}</Button>}
        />
      )
    if (ansicht === 'paket' || leer) return <PaketSeite />
    if (ansicht === 'karte' && paket !== null) return <FeldKarte key={paket.idHQ} paket={paket} />
    if (ansicht === 'baeume' && paket !== null) return <FeldBaeume key={paket.idHQ} paket={paket} />
    if (ansicht === 'neu' && paket !== null) return <FeldErfassen key={paket.idHQ} paket={paket} />
    if (ansicht === 'baum' && paket !== null && kennung !== null) return <FeldBaum key={kennung} kennung={kennung} paket={paket} />
    if (ansicht === 'uebertragen') return <FeldUebertragen anmelden={<AnmeldenKnopf />} />
    return null
  }
  const gezeigt = inhalt()
  return (
    <div className="feld">
      <Kopf titel={paket?.sHQ ?? titel} probe={probe} pakete={pakete.length > 0} />
      {(verbindung === 'anmelden' || verbindung === 'andere') && ansicht !== 'paket' && (
        <aside className="feld-band" aria-label={t('Anmeldung')}>
          <span>{t('Nicht angemeldet')}</span>
          <AnmeldenKnopf />
        </aside>
      )}
      {ansicht !== 'paket' && !leer && <LaufKarte />}
      <div className="feld-mitte" key={`${ansicht} ${kennung}`}>
        {gezeigt}
      </div>
      {pakete.length > 0 && <Leiste ansicht={ansicht} />}
    </div>
  )
}

function Kopf({ titel, probe, pakete = false }: { titel: string; probe: boolean; pakete?: boolean }) {
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
      <VerbindungChip />
      {pakete && <IconButton icon="gear" label={t('Pakete und Gerät')} onClick={() => go('/feld/paket')} />}
    </header>
  )
}

const ORTE: readonly { readonly ansicht: Ansicht; readonly href: string; readonly icon: IconName; readonly title: () => string }[] = [
  { ansicht: 'karte', href: '/feld', icon: 'map', title: () => t('Karte') },
  { ansicht: 'baeume', href: '/feld/baeume', icon: 'leaf', title: () => t('Bäume') },
  { ansicht: 'neu', href: '/feld/neu', icon: 'plus', title: () => t('Erfassen') },
  { ansicht: 'uebertragen', href: '/feld/uebertragen', icon: 'upload', title: () => t('Übertragen') },
]
function Leiste({ ansicht }: { ansicht: Ansicht | null }) {
  const wartende = useWartende()
  return (
    <nav className="feld-leiste" aria-label={t('Feldmodus')}>
      {ORTE.map((ort) => (
        <a key={ort.ansicht} href={ort.href} aria-current={ort.ansicht === ansicht ? 'page' : undefined}>
          <Icon name={ort.icon} size={24} />
          <span>{ort.title()}</span>
          {ort.ansicht === 'uebertragen' && wartende > 0 && (
            <span className="feld-wartende nums">
              {wartende}
              <span className="visually-hidden"> {t('warten')}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  )
}
