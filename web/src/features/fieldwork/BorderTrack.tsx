// Recording a border: what has been walked, pause and resume, single points, back, and closing it.
import { useRef, useState } from 'react'
import type { KnownPlaces } from '#domain/border/area.ts'
import { MOST_TRACK_POINTS, qualityOf } from '#domain/border/track.ts'
import type { Degrees } from '../../karte/mercator.ts'
import { nearestOn } from '../../karte/nearest-place.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { accuracyText, fixText } from './accuracy-text.ts'
import { lengthOf } from './border-draft.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { positioningText } from './gnss.ts'
import { type Mean, receiverTime } from './position.ts'
import { SNAP_PX, type Snap } from '../../karte/survey-place.ts'
import type { BorderModel } from './use-border.ts'
import { useMeasurement } from './use-measurement.ts'

const LocationPicker = splitOff(async () => (await import('./LocationPicker.tsx')).LocationPicker)

interface Props {
  packet: FieldworkPacket
  border: BorderModel
  known: readonly KnownPlaces[]
  onStep: (step: 'ziel' | 'flaeche') => void
  onDiscard: () => void
}

/** The nearest corner of what is known within reach; without one, the nearest place on a border or drain. */
function snapTo(known: readonly KnownPlaces[], place: Degrees, within: number): Snap | null {
  let best: Snap | null = null
  let isCorner = false
  for (const { places, closed } of known) {
    const near = nearestOn([places], place, { within, closed })
    if (near === null) continue
    const corner = near.corner.meter <= within
    const found = corner ? near.corner : near.place
    if (found.meter > within || (isCorner && !corner)) continue
    if (best !== null && corner === isCorner && found.meter >= best.meter) continue
    best = { ...found, name: closed ? t('Nachbargrenze') : t('Vermessungsobjekt') }
    isCorner = corner
  }
  return best
}

/** One point, measured standing still: each better mean takes the place of the one before. */
function usePoint({ state, change }: BorderModel) {
  const slot = useRef<number | null>(null)
  const measurement = useMeasurement(false, ({ lon, lat, accuracy, zeit, solution }: Mean) => {
    const point = {
      lon,
      lat,
      kind: 'punkt' as const,
      accuracy,
      fix: solution?.type ?? null,
      estimated: solution?.estimated === true,
      time: receiverTime(zeit) === '' ? null : Math.floor(zeit / 1000),
    }
    const at = slot.current ?? state.points.length
    slot.current = at
    change({ points: [...state.points.slice(0, at), point, ...state.points.slice(at + 1)] })
  })
  return {
    measuring: measurement.measuring,
    measure: () => {
      slot.current = null
      measurement.start()
    },
    stop: measurement.stop,
  }
}

export function BorderTrack({ packet, border, known, onStep, onDiscard }: Props) {
  const { state, change, recording, savedAt } = border
  const { points } = state
  const { running, positioning } = recording
  const [map, setMap] = useState(false)
  const point = usePoint(border)
  const last = points.at(-1)
  const setOnMap = ({ lon, lat }: Degrees) => {
    setMap(false)
    change({
      points: [
        ...points,
        { lon, lat, kind: 'karte', accuracy: null, fix: null, estimated: false, time: null },
      ],
    })
  }
  return (
    <>
      <TrackFigures border={border} />
      <TrackNotices border={border} />
      <div className="erf-taten">
        <Button
          variant={running ? 'secondary' : 'primary'}
          icon={running ? 'close' : 'target'}
          onClick={running ? recording.pause : recording.start}
          disabled={points.length >= MOST_TRACK_POINTS}
        >
          {running ? t('Pause') : t('Weiter aufzeichnen')}
        </Button>
        <Button
          icon="target"
          busy={point.measuring && positioning.stand === 'da'}
          onClick={() => {
            recording.pause()
            point.measure()
          }}
        >
          {t('Punkt hier')}
        </Button>
        <Button
          icon="map"
          aria-label={t('Auf der Karte')}
          onClick={() => {
            recording.pause()
            point.stop()
            setMap(true)
          }}
        >
          {t('Karte')}
        </Button>
        <Button
          icon="undo"
          disabled={points.length === 0}
          onClick={() => {
            point.stop()
            change({ points: points.slice(0, -1) })
          }}
        >
          {t('Letzten Punkt zurück')}
        </Button>
      </div>
      <div className="erf-taten">
        <Button onClick={points.length === 0 ? () => onStep('ziel') : onDiscard}>
          {points.length === 0 ? t('Zurück') : t('Verwerfen')}
        </Button>
        <Button
          variant={running ? 'secondary' : 'primary'}
          disabled={points.length < 3}
          onClick={() => {
            point.stop()
            onStep('flaeche')
          }}
        >
          {t('Fläche schließen')}
        </Button>
      </div>
      {savedAt !== null && <p className="soft erf-gesichert">{t('Entwurf auf diesem Gerät gesichert')}</p>}
      {map && (
        <LocationPicker
          packet={packet}
          place={last ?? null}
          survey={{
            points: [],
            draft: [points.slice(-500)],
            snap: (place, metres) => snapTo(known, place, metres),
            within: SNAP_PX,
          }}
          onPlace={setOnMap}
          onClose={() => setMap(false)}
        />
      )}
    </>
  )
}

function TrackNotices({ border: { state, recording } }: Pick<Props, 'border'>) {
  return (
    <>
      {recording.hidden > 5 && (
        <Notice tone="warning" title={t('Die Aufzeichnung war unterbrochen')}>
          {t(
            'Das Fenster war {n} Sekunden im Hintergrund; so lange wurde nichts aufgezeichnet. Gehen ' +
              'Sie das Stück noch einmal, oder setzen Sie Punkte auf der Karte.',
            { n: formatNumber(recording.hidden) },
          )}
        </Notice>
      )}
      {state.points.length >= MOST_TRACK_POINTS && (
        <Notice tone="warning">
          {t('Mehr als {n} Punkte passen nicht in eine Grenze. Schließen Sie die Fläche.', {
            n: formatNumber(MOST_TRACK_POINTS),
          })}
        </Notice>
      )}
    </>
  )
}

function TrackFigures({ border: { state, recording } }: Pick<Props, 'border'>) {
  const { points } = state
  const { running, coarse, positioning } = recording
  const { mean, worst } = qualityOf(points)
  const last = points.at(-1)
  return (
    <div className="feld-grenze" aria-live="polite">
      <strong>
        {points.length === 1
          ? t('1 Punkt')
          : t('{n} Punkte, {m} m', {
              n: formatNumber(points.length),
              m: formatNumber(Math.round(lengthOf(points))),
            })}
      </strong>{' '}
      <Badge tone={running ? 'success' : 'neutral'}>{running ? t('zeichnet auf') : t('angehalten')}</Badge>{' '}
      {last?.fix != null && <Badge>{fixText(last.fix, last.estimated)}</Badge>}
      <div className="soft nums">
        {mean !== null &&
          worst !== null &&
          t('im Mittel ± {m}, höchstens ± {w}', { m: accuracyText(mean), w: accuracyText(worst) })}
        {coarse > 0 && ` · ${t('ausgelassen, weil ungenau: {n}', { n: formatNumber(coarse) })}`}
      </div>
      {positioning.stand !== 'da' && <div className="soft">{positioningText(positioning)}</div>}
    </div>
  )
}
