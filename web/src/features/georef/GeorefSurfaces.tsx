// Scan and ground side by side, and the controls of the overlay.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Box } from '../../karte/gazetteer.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { ScanSurface } from '../../karte/ScanSurface.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useGeoref, useGeorefState, useStand } from './georef-context.ts'
import { type GeorefRecord, jobs } from './georef.data.ts'
import { startOf } from './georef-start.ts'
import type { OverlayChoice } from './georef-store.ts'
import { coordinateText } from './georef-words.ts'
import type { Place } from './ol-points.ts'

export function GeorefSurfaces() {
  const { frame, source } = useGeoref()
  return (
    <div ref={frame} className="georef-flaechen">
      <div data-flaeche="scan" className="georef-pane">
        {source === null ? <NoScan /> : <ScanPane />}
        {source !== null && <ScanControls />}
      </div>
      <div data-flaeche="karte" className="georef-pane">
        <KartePane />
        <OverlayControls />
      </div>
    </div>
  )
}

const keyHint = (): string =>
  t('Enter setzt einen Punkt in der Mitte, Leertaste schaltet den gewählten Punkt, Entf löscht ihn.')

function NoScan() {
  const { scan, record } = useGeoref()
  const { data } = useQuery({ ...jobs(String(record.karte.id)), enabled: scan !== null })
  const stand = scan === null ? undefined : data?.find(({ art }) => art === 'kacheln')?.stand
  const failed = stand === 'fehlgeschlagen' || stand === 'abgebrochen'
  return (
    <div className="flaeche">
      <EmptyState
        icon="file"
        title={
          scan === null
            ? t('Noch kein Scan')
            : failed
              ? t('Der Scan lässt sich nicht anzeigen')
              : t('Der Scan wird vorbereitet')
        }
        action={<ButtonLink href={`/karten/${record.karte.id}`}>{t('Zur Karte')}</ButtonLink>}
      >
        {scan === null
          ? t(
              'Laden Sie auf der Seite des Plans den Scan hoch. Punkte lassen sich auch vorher einlesen und ' +
                'eingeben.',
            )
          : failed
            ? t('Woran es liegt und was Sie tun können, steht auf der Seite des Plans.')
            : t('Große Scans brauchen nach dem Hochladen einen Augenblick.')}
      </EmptyState>
    </div>
  )
}

function ScanPane() {
  const { scan, source, surfaces } = useGeoref()
  const pointer = useGeorefState((state) => state.pointer)
  if (source === null) return null
  return (
    <ScanSurface
      key={scan?.id}
      scan={source}
      label={t('Scan')}
      hint={keyHint()}
      onReady={surfaces.onScanReady}
      fuss={
        pointer?.where === 'scan' && (
          <span className="nums">
            {t('Spalte {x}, Zeile {y}', {
              x: formatNumber(pointer.ort[0], 1),
              y: formatNumber(-pointer.ort[1], 1),
            })}
          </span>
        )
      }
    />
  )
}

function ScanControls() {
  const { store } = useGeoref()
  const gridSnap = useGeorefState((state) => state.gridSnap)
  return (
    <div className="georef-auf">
      <label
        title={t(
          'Beim Setzen springt der Punkt auf das gedruckte Gitterkreuz, das der Stelle am nächsten ist.',
        )}
      >
        <input
          type="checkbox"
          checked={gridSnap}
          onChange={({ target }) => store.change((now) => ({ ...now, gridSnap: target.checked }))}
        />{' '}
        {t('Auf Gitterkreuze springen')}
      </label>
    </div>
  )
}

/** Initial extent of the map: the points, else what is around the plan, else the whole country. */
function useFirstCutout(
  record: GeorefRecord,
  toView: ((ort: Place) => Place) | null,
  surroundings: Box | null,
) {
  return useMemo(() => {
    const places =
      toView === null
        ? []
        : startOf(record)
            .punkte.map(({ ost, nord }) => toView([ost, nord]))
            .filter((ort) => ort.every(Number.isFinite))
    if (places.length === 0) return surroundings && widened(surroundings)
    const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
    const margin = Math.max(100, (Math.max(...xs) - Math.min(...xs)) * 0.15)
    return [
      Math.min(...xs) - margin,
      Math.min(...ys) - margin,
      Math.max(...xs) + margin,
      Math.max(...ys) + margin,
    ] as const
    // Only the state saved when the page was opened counts: a map that jumps after each save would be in
    // the way.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [record])
}

/** A sheet is beside its neighbours as often as between them. */
function widened([west, south, east, north]: Box): Box {
  const margin = Math.max(300, Math.max(east - west, north - south) * 0.25)
  return [west - margin, south - margin, east + margin, north + margin]
}

function KartePane() {
  const { record, surfaces, grund, conversion, surroundings } = useGeoref()
  const { epsg } = useStand()
  const pointer = useGeorefState((state) => state.pointer)
  const cutout = useFirstCutout(record, conversion.toView, surroundings)
  const coordinates = pointer?.where === 'karte' ? conversion.kartePlace(pointer.ort) : null
  return (
    <KarteSurface
      label={t('Karte')}
      hint={keyHint()}
      baseMap={grund.gewaehlt}
      cutout={cutout}
      onReady={surfaces.onKarteReady}
      fuss={
        coordinates && (
          <span className="nums">
            {[coordinates.ost, coordinates.nord].map((value) => coordinateText(value, epsg)).join(' / ')}
          </span>
        )
      }
    />
  )
}

function OverlayControls() {
  const { store } = useGeoref()
  const choice = useGeorefState(({ overlayChoice }) => overlayChoice)
  const bestandShown = useGeorefState((state) => state.bestandShown)
  const choose = (change: Partial<OverlayChoice>) =>
    store.change((now) => ({ ...now, overlayChoice: { ...now.overlayChoice, ...change } }))
  return (
    <div className="georef-auf">
      <label>
        <input
          type="checkbox"
          checked={choice.an}
          onChange={(event) => choose({ an: event.target.checked })}
        />{' '}
        {t('Scan auf der Karte')}
      </label>
      <Slider
        label={t('Deckkraft')}
        value={choice.opacity}
        disabled={!choice.an}
        onValue={(opacity) => choose({ opacity })}
      />
      <Slider
        label={t('Wischen')}
        value={choice.swipePercent}
        disabled={!choice.an}
        onValue={(swipePercent) => choose({ swipePercent })}
      />
      <label
        title={t(
          'Beim Setzen und Ziehen springt der Punkt auf Ecken, Schächte und Leitungen, die nahe liegen.',
        )}
      >
        <input
          type="checkbox"
          checked={bestandShown}
          onChange={({ target }) => store.change((now) => ({ ...now, bestandShown: target.checked }))}
        />{' '}
        {t('Vermessenes zeigen und fangen')}
      </label>
    </div>
  )
}

function Slider({
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
      <input
        type="range"
        min={0}
        max={100}
        value={value}
        disabled={disabled}
        onChange={(event) => onValue(Number(event.target.value))}
      />
    </label>
  )
}
