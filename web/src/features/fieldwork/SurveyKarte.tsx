// The map of a customer's survey in the field: own position, objects, and the way to a chosen one. All of its data
// is stored on the device.
import { useEffect, useMemo, useState } from 'react'
import { Surface, type SurfaceHandle } from '../../karte/Surface.tsx'
import { mercator, bearingOf } from '../../karte/mercator.ts'
import { type Near, nearestOn } from '../../karte/nearest-place.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { accuracyText, distanceText } from './accuracy-text.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldLayers, useFollow } from './FieldworkKarte.tsx'
import { type Place, positioningText, startPositioning, usePositioning } from './gnss.ts'
import { compassText } from './NearbyRow.tsx'
import { octant } from './tree-point.ts'
import type { SurveyLayers } from './ol-survey.ts'
import { detailsOf } from './packet.ts'
import { type SurveyPoint, useSurveyPoints } from './use-survey-points.ts'

const NEARBY_COUNT = 3

export function SurveyKarte({ packet }: { packet: FieldworkPacket }) {
  const { karte } = detailsOf(packet)
  const points = useSurveyPoints(packet)
  const positioning = usePositioning()
  const { ort, stand } = positioning
  const { following, setFollow } = useFollow(packet, ort)
  const [chosen, setChosen] = useState<string | null>(null)
  const { ebenen, objects, onReady } = useSurveyLayers(packet, setChosen, () => setFollow('nie'))
  useEffect(() => objects?.show(points), [objects, points])
  useEffect(() => objects?.choose(chosen), [objects, chosen])
  useEffect(() => ebenen?.ort(ort, stand !== 'da', following), [ebenen, ort, stand, following])
  const locate = () => {
    startPositioning()
    setFollow('immer')
    if (ort !== null) ebenen?.panToMe(ort)
  }
  const show = (point: SurveyPoint) => {
    setFollow('nie')
    setChosen(point.kennung)
    const [[first] = []] = point.parts
    if (first !== undefined) ebenen?.panTo(mercator(first.lon, first.lat))
  }
  const object = points.find(({ kennung }) => kennung === chosen) ?? null
  const isFollowing = following && stand === 'da'
  return (
    <div className="feld-karte">
      <Surface
        label={t('Karte von {name}', { name: packet.sHQ })}
        hint={t('Enter wählt das Objekt, das der Mitte am nächsten ist.')}
        make={(ol, target) =>
          ol.makeKarteSurface(target, packet.kasten === null ? null : [...packet.kasten], { wheel: 'immer' })
        }
        onReady={onReady}
        tool={
          <IconButton
            icon="target"
            label={isFollowing ? t('Die Karte folgt Ihrem Standort') : t('Mein Standort')}
            size="small"
            aria-pressed={isFollowing}
            onClick={locate}
          />
        }
        fuss={karte === null ? undefined : <span className="flaeche-quelle">{karte.namensnennung}</span>}
      />
      <section className="feld-tafel" aria-label={t('Wo ich bin')}>
        {object !== null ? (
          <Chosen object={object} ort={ort} onClose={() => setChosen(null)} />
        ) : (
          <>
            {ort === null ? (
              <div className="feld-hier">
                <span className="soft">{positioningText(positioning)}</span>
                {stand !== 'sucht' && stand !== 'empfaenger' && (
                  <Button icon="target" onClick={locate}>
                    {t('Standort anzeigen')}
                  </Button>
                )}
              </div>
            ) : (
              <div className="feld-hier">
                <span className="soft">
                  {t('auf ± {m} genau', { m: accuracyText(ort.accuracy) })}
                  {stand !== 'da' && ` · ${t('letzter Standort')}`}
                </span>
              </div>
            )}
            <Nearby points={points} ort={ort} onChoose={show} />
          </>
        )}
      </section>
    </div>
  )
}

/** The layers of the field map, and the survey's. */
function useSurveyLayers(
  packet: FieldworkPacket,
  onChoose: (identifier: string | null) => void,
  onDragged: () => void,
) {
  const [objects, setObjects] = useState<SurveyLayers | null>(null)
  const base = useFieldLayers(packet, () => undefined, onDragged)
  const onReady = (handle: SurfaceHandle) => {
    const endBase = base.onReady(handle)
    let made: SurveyLayers | null = null
    let gone = false
    void import('./ol-survey.ts').then(({ surveyLayers }) => {
      if (gone) return
      made = surveyLayers(handle.map, onChoose)
      setObjects(made)
    })
    return () => {
      gone = true
      made?.dispose()
      endBase()
    }
  }
  return { ebenen: base.ebenen, objects, onReady }
}

/** Distance and direction for staking out: no finer than the position is known, degrees clockwise from north. */
const stakeText = ({ meter, ...place }: Near, ort: Place): string => {
  const degrees = bearingOf(ort, place)
  return t('{way} nach {direction} ({degrees}°)', {
    way: distanceText(meter, ort.accuracy),
    direction: compassText(octant(degrees)),
    degrees: Math.round(degrees) % 360,
  })
}

interface ChosenProps {
  object: SurveyPoint
  ort: Place | null
  onClose: () => void
}
function Chosen({ object, ort, onClose }: ChosenProps) {
  const view = useView()
  const nearest = ort === null ? null : nearestOn(object.parts, ort)
  return (
    <div className="feld-gewaehlt">
      <div>
        <strong>{object.name}</strong>{' '}
        {object.stand === 'wartet' && <Badge tone="warning">{t('nicht übertragen')}</Badge>}
        {ort !== null && nearest !== null && (
          <div className="soft nums">
            {stakeText(nearest.place, ort)} · {t('auf ± {m} genau', { m: accuracyText(ort.accuracy) })}
          </div>
        )}
        {ort !== null && nearest !== null && nearest.corner.meter > nearest.place.meter && (
          <div className="soft nums">
            {t('nächster Punkt der Leitung: {way}', { way: stakeText(nearest.corner, ort) })}
          </div>
        )}
      </div>
      <div className="feld-tafel-taten">
        <Button variant="primary" onClick={() => view.go(`/feld/objekt/${object.kennung}`)}>
          {t('Öffnen')}
        </Button>
        <IconButton icon="close" label={t('Auswahl aufheben')} onClick={onClose} />
      </div>
    </div>
  )
}

interface NearbyProps {
  points: readonly SurveyPoint[]
  ort: Place | null
  onChoose: (point: SurveyPoint) => void
}
function Nearby({ points, ort, onChoose }: NearbyProps) {
  const nearby = useMemo(() => {
    if (ort === null) return []
    return points
      .flatMap((point) => {
        const nearest = nearestOn(point.parts, ort)
        return nearest === null ? [] : [{ point, ...nearest.place }]
      })
      .toSorted((a, b) => a.meter - b.meter)
      .slice(0, NEARBY_COUNT)
  }, [points, ort])
  if (ort === null || nearby.length === 0) return null
  return (
    <ul className="feld-nahe" aria-label={t('Nächste Objekte')}>
      {nearby.map(({ point, meter, ...place }) => (
        <li key={point.kennung}>
          <button type="button" className="feld-zeile" onClick={() => onChoose(point)}>
            <span className="feld-zeile-name">{point.name}</span>
            <span className="feld-zeile-marken">
              {point.stand === 'wartet' && <Badge tone="warning">{t('nicht übertragen')}</Badge>}
              {point.stand !== null && point.stand !== 'wartet' && (
                <Badge tone="danger">{t('zu klären')}</Badge>
              )}
            </span>
            <span className="feld-zeile-weg nums">
              {distanceText(meter, ort.accuracy)} {compassText(octant(bearingOf(ort, place)))}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
