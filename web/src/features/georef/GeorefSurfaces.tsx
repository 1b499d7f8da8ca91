// Scan and ground side by side, and the controls of the overlay.
import { type RefObject, useMemo } from 'react'
import type { KarteFile } from '#contract/karte-files.ts'
import type { KartePlace } from '#domain/georef/session.ts'
import type { BaseMapChoice } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { ScanSurface, type ScanSource } from '../../karte/ScanSurface.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { GeorefRecord } from './georef.data.ts'
import { startOf } from './georef-start.ts'
import { coordinateText } from './georef-words.ts'
import type { Place } from './ol-points.ts'
import type { OverlayChoice } from './use-ground-layers.ts'
import type { Surfaces, SurfacePointer } from './use-surfaces.ts'

interface Props {
  frame: RefObject<HTMLDivElement | null>
  record: GeorefRecord
  scan: KarteFile | null
  source: ScanSource | null
  surfaces: Surfaces
  grund: BaseMapChoice
  epsg: number
  toView: ((ort: Place) => Place) | null
  kartePlace: (ort: Place) => KartePlace | null
  pointer: SurfacePointer | null
  overlayChoice: OverlayChoice
  onOverlayChoice: (overlayChoice: OverlayChoice) => void
  bestand: boolean
  onBestand: (bestand: boolean) => void
}

export function GeorefSurfaces({
  frame,
  record,
  scan,
  source,
  surfaces: { onScanReady, onKarteReady },
  grund,
  epsg,
  toView,
  kartePlace,
  pointer,
  overlayChoice,
  onOverlayChoice,
  bestand,
  onBestand,
}: Props) {
  // Initial extent of the map: the points, else the whole country.
  const cutout = useMemo(() => {
    const orte =
      toView === null
        ? []
        : startOf(record)
            .punkte.map(({ ost, nord }) => toView([ost, nord]))
            .filter((ort) => ort.every(Number.isFinite))
    if (orte.length === 0) return null
    const [xs, ys] = [orte.map(([x]) => x), orte.map(([, y]) => y)]
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
  const coordinates = pointer?.where === 'karte' ? kartePlace(pointer.ort) : null
  const hint = t(
    'Eingabetaste setzt einen Punkt in der Mitte, Leertaste schaltet den gewählten Punkt, Entf löscht ihn.',
  )
  return (
    <div ref={frame} className="georef-flaechen">
      <div data-flaeche="scan" className="georef-pane">
        {source === null ? (
          <div className="flaeche">
            <EmptyState
              icon="file"
              title={scan === null ? t('Noch kein Scan') : t('Der Scan wird vorbereitet')}
              action={<ButtonLink href={`/karten/${record.karte.id}`}>{t('Zur Karte')}</ButtonLink>}
            >
              {scan === null
                ? t(
                    'Laden Sie auf der Seite der Karte den gescannten Plan hoch. Punkte lassen sich auch vorher einlesen und eingeben.',
                  )
                : t('Große Scans brauchen nach dem Hochladen einen Augenblick.')}
            </EmptyState>
          </div>
        ) : (
          <ScanSurface
            key={scan?.id}
            scan={source}
            label={t('Scan')}
            hint={hint}
            onReady={onScanReady}
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
        )}
      </div>
      <div data-flaeche="karte" className="georef-pane">
        <KarteSurface
          label={t('Karte')}
          hint={hint}
          baseMap={grund.gewaehlt}
          cutout={cutout}
          onReady={onKarteReady}
          fuss={
            coordinates && (
              <span className="nums">{`${coordinateText(coordinates.ost, epsg)} / ${coordinateText(coordinates.nord, epsg)}`}</span>
            )
          }
        />
        <div className="georef-auf">
          <label>
            <input
              type="checkbox"
              checked={overlayChoice.an}
              onChange={(event) => onOverlayChoice({ ...overlayChoice, an: event.target.checked })}
            />{' '}
            {t('Scan auf der Karte')}
          </label>
          <Slider
            label={t('Deckkraft')}
            value={overlayChoice.opacity}
            disabled={!overlayChoice.an}
            onValue={(opacity) => onOverlayChoice({ ...overlayChoice, opacity })}
          />
          <Slider
            label={t('Wischen')}
            value={overlayChoice.swipePercent}
            disabled={!overlayChoice.an}
            onValue={(swipePercent) => onOverlayChoice({ ...overlayChoice, swipePercent })}
          />
          <label
            title={t(
              'Beim Setzen und Ziehen springt der Punkt auf Ecken, Schächte und Leitungen, die nahe liegen.',
            )}
          >
            <input type="checkbox" checked={bestand} onChange={(event) => onBestand(event.target.checked)} />{' '}
            {t('Vermessenes zeigen und fangen')}
          </label>
        </div>
      </div>
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
