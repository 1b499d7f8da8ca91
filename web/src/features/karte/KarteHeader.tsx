// Shared header parts of both plan pages: links to the previous and next plan, and the view of the scan.
import { useQuery } from '@tanstack/react-query'
import { kartePaths } from '#contract/karte-files.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { filesQuery, jobsQuery, newest, pathOf } from './files.data.ts'
import { type KarteRow, neighboursQuery } from './karte.data.ts'
import { Preview } from './Preview.tsx'

const ScanSurface = splitOff(
  async () => (await import('../../karte/ScanSurface.tsx')).ScanSurface,
  <Skeleton lines={8} />,
)

export function KartePager({ karte }: { karte: KarteRow }) {
  const { data } = useQuery(neighboursQuery(karte))
  return (
    <nav className="karte-blaettern" aria-label={t('Weitere Pläne dieses Kunden')}>
      <Neighbour
        plan={data?.previous ?? null}
        icon="chevronLeft"
        label={(name) => t('Vorheriger Plan: {name}', { name })}
        none={t('Kein vorheriger Plan')}
      />
      <Neighbour
        plan={data?.next ?? null}
        icon="chevronRight"
        label={(name) => t('Nächster Plan: {name}', { name })}
        none={t('Kein weiterer Plan')}
      />
    </nav>
  )
}
function Neighbour({
  plan,
  icon,
  label,
  none,
}: {
  plan: { readonly id: number; readonly map_name: string } | null
  icon: 'chevronLeft' | 'chevronRight'
  label: (name: string) => string
  none: string
}) {
  const className = 'button button-secondary button-icon'
  if (plan === null)
    return (
      <span className={`${className} karte-blaettern-ende`} title={none}>
        <Icon name={icon} />
        <span className="visually-hidden">{none}</span>
      </span>
    )
  return (
    <a
      className={className}
      href={`/karten/${plan.id}`}
      title={label(plan.map_name)}
      aria-label={label(plan.map_name)}
    >
      <Icon name={icon} />
    </a>
  )
}

const FailedCut = splitOff(async () => (await import('./FailedCut.tsx')).FailedCut, <Skeleton lines={3} />)

interface ScanProps {
  karte: Pick<KarteRow, 'id' | 'map_name'>
  staff: boolean
}

/** Full resolution once the scan is tiled; until then its preview, or why there is none. */
export function ScanImage({ karte, staff }: ScanProps) {
  const { data } = useQuery(filesQuery(karte.id))
  const scan = newest(data, 'scan')
  const uncut = scan !== undefined && !scan.kacheln
  const jobs = useQuery({ ...jobsQuery(karte.id), enabled: uncut })
  const cut = uncut ? jobs.data?.find(({ art }) => art === 'kacheln') : undefined
  if (scan !== undefined && (cut?.stand === 'fehlgeschlagen' || cut?.stand === 'abgebrochen'))
    return (
      <div className="karte-bildzeile">
        <FailedCut karte={karte.id} scan={scan} job={cut} staff={staff} />
      </div>
    )
  if (!scan?.kacheln) return <Preview karte={karte.id} name={karte.map_name} gross />
  return (
    <ScanSurface
      key={scan.id}
      className="karte-scanflaeche"
      label={t('Scan von {name}', { name: karte.map_name })}
      wheel="fokus"
      scan={{
        breite: scan.breite,
        hoehe: scan.hoehe,
        kachel: (z, x, y) => pathOf(kartePaths.kachel(karte.id, scan.id, z, x, y)),
      }}
    />
  )
}
