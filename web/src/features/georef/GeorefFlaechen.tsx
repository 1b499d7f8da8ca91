// Scan and ground side by side, and how the scan lies over the ground.
import { type RefObject, useMemo } from 'react'
import type { KarteDatei } from '#contract/karte-dateien.ts'
import type { KartenOrt } from '#domain/georef/sitzung.ts'
import type { GrundkarteWahl } from '../../karte/grundkarten.data.ts'
import { KartenFlaeche } from '../../karte/KartenFlaeche.tsx'
import { ScanFlaeche, type ScanQuelle } from '../../karte/ScanFlaeche.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { GeorefRecord } from './georef.data.ts'
import { startOf } from './georef-start.ts'
import { ortText } from './georef-words.ts'
import type { Ort } from './ol-punkte.ts'
import type { AuflageWahl } from './use-ebenen.ts'
import type { Flaechen, Zeiger } from './use-flaechen.ts'

interface Props {
  rahmen: RefObject<HTMLDivElement | null>
  record: GeorefRecord
  scan: KarteDatei | null
  quelle: ScanQuelle | null
  flaechen: Flaechen
  grund: GrundkarteWahl
  epsg: number
  zuKarte: ((ort: Ort) => Ort) | null
  kartenOrt: (ort: Ort) => KartenOrt | null
  zeiger: Zeiger | null
  auf: AuflageWahl
  onAuf: (auf: AuflageWahl) => void
  bestand: boolean
  onBestand: (bestand: boolean) => void
}

export function GeorefFlaechen({
  rahmen,
  record,
  scan,
  quelle,
  flaechen: { bereitScan, bereitKarte },
  grund,
  epsg,
  zuKarte,
  kartenOrt,
  zeiger,
  auf,
  onAuf,
  bestand,
  onBestand,
}: Props) {
  // Where the map looks at first: at the points, else at the whole country.
  const ausschnitt = useMemo(() => {
    const orte =
      zuKarte === null
        ? []
        : startOf(record)
            .punkte.map(({ ost, nord }) => zuKarte([ost, nord]))
            .filter((ort) => ort.every(Number.isFinite))
    if (orte.length === 0) return null
    const [xs, ys] = [orte.map(([x]) => x), orte.map(([, y]) => y)]
    const margin = Math.max(100, (Math.max(...xs) - Math.min(...xs)) * 0.15)
    return [Math.min(...xs) - margin, Math.min(...ys) - margin, Math.max(...xs) + margin, Math.max(...ys) + margin] as const
    // Only what was saved when the page was opened counts; a map that jumps after each save is in the way.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [record])
  const coordinates = zeiger?.wo === 'karte' ? kartenOrt(zeiger.ort) : null
  const hinweis = t('Eingabetaste setzt einen Punkt in der Mitte, Leertaste schaltet den gewählten Punkt, Entf löscht ihn.')
  return (
    <div ref={rahmen} className="georef-flaechen">
      <div data-flaeche="scan" className="georef-pane">
        {quelle === null ? (
          <div className="flaeche">
            <EmptyState
              icon="file"
              title={scan === null ? t('Noch kein Scan') : t('Der Scan wird vorbereitet')}
              action={<ButtonLink href={`/karten/${record.karte.id}`}>{t('Zur Karte')}</ButtonLink>}
            >
              {scan === null
                ? t('Laden Sie auf der Seite der Karte den gescannten Plan hoch. Punkte lassen sich auch vorher einlesen und eingeben.')
                : t('Große Scans brauchen nach dem Hochladen einen Augenblick.')}
            </EmptyState>
          </div>
        ) : (
          <ScanFlaeche
            key={scan?.id}
            scan={quelle}
            label={t('Scan')}
            hinweis={hinweis}
            onBereit={bereitScan}
            fuss={
              zeiger?.wo === 'scan' && (
                <span className="nums">
                  {t('Spalte {x}, Zeile {y}', { x: formatNumber(zeiger.ort[0], 1), y: formatNumber(-zeiger.ort[1], 1) })}
                </span>
              )
            }
          />
        )}
      </div>
      <div data-flaeche="karte" className="georef-pane">
        <KartenFlaeche
          label={t('Karte')}
          hinweis={hinweis}
          grundkarte={grund.gewaehlt}
          ausschnitt={ausschnitt}
          onBereit={bereitKarte}
          fuss={coordinates && <span className="nums">{`${ortText(coordinates.ost, epsg)} / ${ortText(coordinates.nord, epsg)}`}</span>}
        />
        <div className="georef-auf">
          <label>
            <input type="checkbox" checked={auf.an} onChange={(event) => onAuf({ ...auf, an: event.target.checked })} />{' '}
            {t('Scan auf der Karte')}
          </label>
          <Regler label={t('Deckkraft')} value={auf.deckung} disabled={!auf.an} onValue={(deckung) => onAuf({ ...auf, deckung })} />
          <Regler label={t('Wischen')} value={auf.wischen} disabled={!auf.an} onValue={(wischen) => onAuf({ ...auf, wischen })} />
          <label title={t('Beim Setzen und Ziehen springt der Punkt auf Ecken, Schächte und Leitungen, die nahe liegen.')}>
            <input type="checkbox" checked={bestand} onChange={(event) => onBestand(event.target.checked)} />{' '}
            {t('Vermessenes zeigen und fangen')}
          </label>
        </div>
      </div>
    </div>
  )
}

function Regler({
  label,
  value,
  disabled,
  onValue,
}: {
  label: string
  value: number
  disabled: boolean
  onValue: (value: number) => void
}) {
  return (
    <label>
      {label}
      <input type="range" min={0} max={100} value={value} disabled={disabled} onChange={(event) => onValue(Number(event.target.value))} />
    </label>
  )
}
