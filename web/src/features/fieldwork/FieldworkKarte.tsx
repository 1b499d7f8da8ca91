// The map in the field: own position, current stand, nearby trees. All of its data is stored on the device.
import { useEffect, useMemo, useState } from 'react'
import { Surface, type SurfaceHandle } from '../../karte/Surface.tsx'
import { distanceBetween, mercator, bearingOf } from '../../karte/mercator.ts'
import { hasOneOf } from '#domain/roles.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { type TreePoint, BestandSearch, nearestOf } from './tree-point.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { type Place, type Positioning, startPositioning, positioningText, usePositioning } from './gnss.ts'
import { accuracyText } from './accuracy-text.ts'
import { NearbyRow, wayText } from './NearbyRow.tsx'
import type { FieldworkLayers } from './ol-fieldwork.ts'
import { bestandText, shortTexts, detailsOf } from './packet.ts'
import { savedMap } from './saved-map.ts'
import { useTreePoints } from './use-tree-points.ts'

/** The last viewport, kept for coming back from the list. */
let viewport: { idHQ: number; center: readonly [number, number]; aufloesung: number } | null = null
/**
 * Whether the map follows the person: near the holding until they move it, everywhere once they ask for it.
 */
type Follow = 'nahe' | 'immer' | 'nie'
let follow: Follow = 'nahe'

const NEARBY_COUNT = 3
/** Metres. Beyond that, on the way or at a desk, the holding is shown first. */
const FAR_M = 2_000

function isNear(box: FieldworkPacket['kasten'], { lon, lat }: Place): boolean {
  if (box === null) return true
  const [x, y] = mercator(lon, lat)
  const [west, south, east, north] = box
  const distant = FAR_M / Math.cos((lat * Math.PI) / 180)
  return x >= west - distant && x <= east + distant && y >= south - distant && y <= north + distant
}

export function FieldworkKarte({ packet }: { packet: FieldworkPacket }) {
  const { karte } = detailsOf(packet)
  const points = useTreePoints(packet)
  const positioning = usePositioning()
  const { ort, stand } = positioning
  const { following, setFollow } = useFollow(packet, ort)
  const [chosen, setChosen] = useState<string | null>(null)
  const [extra, setMore] = useState(false)
  const { ebenen, onReady } = useFieldLayers(packet, setChosen, () => setFollow('nie'))

  useEffect(() => ebenen?.baeume(points), [ebenen, points])
  useEffect(() => ebenen?.ort(ort, stand !== 'da', following), [ebenen, ort, stand, following])
  useEffect(() => ebenen?.gewaehlt(chosen), [ebenen, chosen])

  const locate = () => {
    startPositioning()
    setFollow('immer')
    if (ort !== null) ebenen?.panToMe(ort)
  }
  const show = (point: TreePoint) => {
    setFollow('nie')
    setChosen(point.kennung)
    ebenen?.panTo([point.x, point.y])
  }
  const tree = chosen === null ? null : (points.find(({ kennung }) => kennung === chosen) ?? null)
  const isFollowing = following && stand === 'da'
  return (
    <div className="feld-karte">
      <Surface
        label={t('Karte von {name}', { name: packet.sHQ })}
        hint={t('Enter wählt den Baum, der der Mitte am nächsten ist.')}
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
        {tree !== null ? (
          <ChosenTree baum={tree} ort={ort} onClose={() => setChosen(null)} />
        ) : (
          <>
            <Here packet={packet} positioning={positioning} onLocate={locate} />
            <Nearby punkte={points} ort={ort} mehr={extra} onMore={setMore} onChoose={show} />
            <WalkBorder />
          </>
        )}
      </section>
    </div>
  )
}

/** Whether the map follows the person now; kept for coming back from the list. */
export function useFollow({ kasten }: FieldworkPacket, ort: Place | null) {
  const [now, setNow] = useState(follow)
  return {
    following: now === 'immer' || (now === 'nahe' && ort !== null && isNear(kasten, ort)),
    setFollow: (how: Follow) => {
      follow = how
      setNow(how)
    },
  }
}

/** The map's layers, with the base map and the stands of the pack. Null until OpenLayers is loaded. */
export function useFieldLayers(
  packet: FieldworkPacket,
  onChoose: (identifier: string | null) => void,
  onDragged: () => void,
) {
  const { db, sub } = useFieldwork()
  const { karte, bestaende } = detailsOf(packet)
  const { idHQ, umrisse } = packet
  const [levels, setLayers] = useState<FieldworkLayers | null>(null)
  useEffect(() => {
    if (!levels) return
    const short = shortTexts(bestaende)
    levels.bestaende(umrisse, (id) => short.get(id) ?? '')
  }, [levels, umrisse, bestaende])
  const mapKey = karte?.ebene
  useEffect(() => {
    if (!levels) return
    levels.grund(savedMap(db, sub, packet))
    // oxlint-disable-next-line react/exhaustive-deps -- mapKey changes with each save
  }, [levels, mapKey, db, sub, idHQ])
  const onReady = ({ map }: SurfaceHandle) => {
    restoreViewport(map, idHQ)
    let layers: FieldworkLayers | null = null
    let gone = false
    void import('./ol-fieldwork.ts').then(({ fieldworkLayers }) => {
      if (gone) return
      layers = fieldworkLayers(map, {
        baum: onChoose,
        dragged: onDragged,
        viewport: (centre, resolution) => {
          viewport = { idHQ, center: centre, aufloesung: resolution }
        },
      })
      setLayers(layers)
    })
    return () => {
      gone = true
      layers?.dispose()
    }
  }
  return { ebenen: levels, onReady }
}

/** Shows what was last seen of this holding, once the map has a size. */
function restoreViewport(map: SurfaceHandle['map'], idHQ: number): void {
  if (viewport?.idHQ !== idHQ) return
  const view = map.getView()
  const { center, aufloesung } = viewport
  const restore = () => {
    view.setCenter([...center])
    view.setResolution(aufloesung)
  }
  if (map.getSize()?.every((edge) => edge > 0)) restore()
  else map.once('change:size', restore)
}

function ChosenTree({ baum, ort, onClose }: { baum: TreePoint; ort: Place | null; onClose: () => void }) {
  const view = useView()
  return (
    <div className="feld-gewaehlt">
      <div>
        <strong>{baum.name}</strong>
        {ort !== null && (
          <span className="soft"> {wayText(distanceBetween(ort, baum), bearingOf(ort, baum))}</span>
        )}
      </div>
      <div className="feld-tafel-taten">
        <Button variant="primary" onClick={() => view.go(`/feld/baum/${baum.kennung}`)}>
          {t('Öffnen')}
        </Button>
        <IconButton icon="close" label={t('Auswahl aufheben')} onClick={onClose} />
      </div>
    </div>
  )
}

/** Only who may change borders walks them. */
function WalkBorder() {
  const { roles } = useFieldwork()
  if (!hasOneOf(roles, ['ogf_admin'])) return null
  return (
    <div className="feld-mehr">
      <ButtonLink href="/feld/grenze" icon="forest">
        {t('Grenze aufnehmen')}
      </ButtonLink>
    </div>
  )
}

interface HereProps {
  packet: FieldworkPacket
  positioning: Positioning
  onLocate: () => void
}
/** The stand the person is in, or how to find out. */
function Here({ packet, positioning, onLocate }: HereProps) {
  const { ort, stand } = positioning
  const { bestaende } = detailsOf(packet)
  const texts = useMemo(
    () => new Map(bestaende.map((facts) => [facts.id, bestandText(facts, packet.ebenen)])),
    [bestaende, packet.ebenen],
  )
  const suche = useMemo(() => new BestandSearch(packet.umrisse), [packet.umrisse])
  if (ort === null)
    return (
      <div className="feld-hier">
        <span className="soft">{positioningText(positioning)}</span>
        {stand !== 'sucht' && stand !== 'empfaenger' && (
          <Button icon="target" onClick={onLocate}>
            {t('Standort anzeigen')}
          </Button>
        )}
      </div>
    )
  const here = suche.an(ort)
  return (
    <div className="feld-hier">
      <Icon name="target" size={20} />
      <span>
        <strong>{here === null ? t('Außerhalb der gespeicherten Bestände') : (texts.get(here) ?? '')}</strong>
        <span className="soft">
          {' '}
          {t('auf ± {m} genau', { m: accuracyText(ort.accuracy) })}
          {stand !== 'da' && ` · ${t('letzter Standort')}`}
        </span>
      </span>
    </div>
  )
}

interface NearbyProps {
  punkte: readonly TreePoint[]
  ort: Place | null
  mehr: boolean
  onMore: (extra: boolean) => void
  onChoose: (point: TreePoint) => void
}
function Nearby({ punkte, ort, mehr, onMore, onChoose }: NearbyProps) {
  const nearby = useMemo(
    () => (ort === null ? [] : nearestOf(punkte, ort, mehr ? 20 : NEARBY_COUNT)),
    [punkte, ort, mehr],
  )
  return (
    <>
      {nearby.length > 0 && (
        <ul className="feld-nahe" aria-label={t('Nächste Bäume')}>
          {nearby.map((one) => (
            <NearbyRow key={one.point.kennung} closeBy={one} onChoose={() => onChoose(one.point)} />
          ))}
        </ul>
      )}
      {punkte.length > NEARBY_COUNT && ort !== null && (
        <Button variant="quiet" className="feld-mehr" aria-expanded={mehr} onClick={() => onMore(!mehr)}>
          {mehr ? t('Weniger zeigen') : t('Mehr Bäume in der Nähe')}
        </Button>
      )}
    </>
  )
}
