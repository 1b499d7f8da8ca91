// The map in the field: own position, current stand, nearby trees. All of its data is stored on the device.
import { useEffect, useMemo, useState } from 'react'
import { Surface } from '../../karte/Surface.tsx'
import { distanceBetween, mercator, richtung } from '../../karte/mercator.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { type TreePoint, BestandSearch, naechste } from './tree-point.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { type Place, startPositioning, positioningText, usePositioning } from './gnss.ts'
import { NearbyRow, wayText } from './NearbyRow.tsx'
import type { FieldworkLayers } from './ol-fieldwork.ts'
import { bestandText, kachel, shortTexts, detailsOf } from './packet.ts'
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

function isNear(kasten: FieldworkPacket['kasten'], { lon, lat }: Place): boolean {
  if (kasten === null) return true
  const [x, y] = mercator(lon, lat)
  const [west, south, east, north] = kasten
  const distant = FAR_M / Math.cos((lat * Math.PI) / 180)
  return x >= west - distant && x <= east + distant && y >= south - distant && y <= north + distant
}

export function FieldworkKarte({ packet }: { packet: FieldworkPacket }) {
  const { db, sub } = useFieldwork()
  const view = useView()
  const { karte, bestaende } = detailsOf(packet)
  const punkte = useTreePoints(packet)
  const positioning = usePositioning()
  const { ort, stand } = positioning
  const [ebenen, setLayers] = useState<FieldworkLayers | null>(null)
  const [followNow, setFollowNow] = useState(follow)
  const [gewaehlt, setChosen] = useState<string | null>(null)
  const [mehr, setMore] = useState(false)

  const texte = useMemo(
    () => new Map(bestaende.map((facts) => [facts.id, bestandText(facts, packet.ebenen)])),
    [bestaende, packet.ebenen],
  )
  const suche = useMemo(() => new BestandSearch(packet.umrisse), [packet.umrisse])
  const here = ort === null ? null : suche.an(ort)
  const following =
    followNow === 'immer' || (followNow === 'nahe' && ort !== null && isNear(packet.kasten, ort))
  const nearby = useMemo(
    () => (ort === null ? [] : naechste(punkte, ort, mehr ? 20 : NEARBY_COUNT)),
    [punkte, ort, mehr],
  )

  useEffect(() => {
    if (!ebenen) return
    const short = shortTexts(bestaende)
    ebenen.bestaende(packet.umrisse, (id) => short.get(id) ?? '')
  }, [ebenen, packet.umrisse, bestaende])
  const mapKey = karte?.ebene
  useEffect(() => {
    if (!ebenen) return
    ebenen.grund(
      karte === null
        ? null
        : {
            min: karte.min,
            max: karte.max,
            kachel: async (at) => {
              const found = await kachel(db, sub, packet.idHQ, karte.ebene, at)
              return found === undefined ? null : new Blob([found.bytes], { type: found.typ })
            },
          },
    )
    // oxlint-disable-next-line react/exhaustive-deps -- mapKey changes with each save
  }, [ebenen, mapKey, db, sub, packet.idHQ])
  useEffect(() => ebenen?.baeume(punkte), [ebenen, punkte])
  useEffect(() => ebenen?.ort(ort, stand !== 'da', following), [ebenen, ort, stand, following])
  useEffect(() => ebenen?.gewaehlt(gewaehlt), [ebenen, gewaehlt])

  const setFollow = (how: Follow) => {
    follow = how
    setFollowNow(how)
  }
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
  const baum = gewaehlt === null ? null : (punkte.find(({ kennung }) => kennung === gewaehlt) ?? null)
  const hint = positioningText(positioning)
  return (
    <div className="feld-karte">
      <Surface
        label={t('Karte von {name}', { name: packet.sHQ })}
        hint={t('Enter wählt den Baum, der der Mitte am nächsten ist.')}
        make={(ol, target) =>
          ol.makeKarteSurface(target, packet.kasten === null ? null : [...packet.kasten], { wheel: 'immer' })
        }
        onReady={(made) => {
          if (viewport?.idHQ === packet.idHQ) {
            const view = made.map.getView()
            const back = viewport
            const restore = () => {
              view.setCenter([...back.center])
              view.setResolution(back.aufloesung)
            }
            if (made.map.getSize()?.every((edge) => edge > 0)) restore()
            else made.map.once('change:size', restore)
          }
          let layers: FieldworkLayers | null = null
          let gone = false
          void import('./ol-fieldwork.ts').then(({ fieldworkLayers }) => {
            if (gone) return
            layers = fieldworkLayers(made.map, {
              baum: setChosen,
              dragged: () => setFollow('nie'),
              viewport: (center, aufloesung) => {
                viewport = { idHQ: packet.idHQ, center, aufloesung }
              },
            })
            setLayers(layers)
          })
          return () => {
            gone = true
            layers?.dispose()
          }
        }}
        tool={
          <IconButton
            icon="target"
            label={following && stand === 'da' ? t('Die Karte folgt Ihrem Standort') : t('Mein Standort')}
            size="small"
            aria-pressed={following && stand === 'da'}
            onClick={locate}
          />
        }
        fuss={karte === null ? undefined : <span className="flaeche-quelle">{karte.namensnennung}</span>}
      />
      <section className="feld-tafel" aria-label={t('Wo ich bin')}>
        {baum !== null ? (
          <div className="feld-gewaehlt">
            <div>
              <strong>{baum.name}</strong>
              {ort !== null && (
                <span className="soft"> {wayText(distanceBetween(ort, baum), richtung(ort, baum))}</span>
              )}
            </div>
            <div className="feld-tafel-taten">
              <Button variant="primary" onClick={() => view.go(`/feld/baum/${baum.kennung}`)}>
                {t('Öffnen')}
              </Button>
              <IconButton icon="close" label={t('Auswahl aufheben')} onClick={() => setChosen(null)} />
            </div>
          </div>
        ) : (
          <>
            <div className="feld-hier">
              {ort === null ? (
                <>
                  <span className="soft">{hint}</span>
                  {stand !== 'sucht' && (
                    <Button icon="target" onClick={locate}>
                      {t('Standort anzeigen')}
                    </Button>
                  )}
                </>
              ) : (
                <>
                  <Icon name="target" size={20} />
                  <span>
                    <strong>
                      {here === null ? t('Außerhalb der gespeicherten Bestände') : (texte.get(here) ?? '')}
                    </strong>
                    <span className="soft">
                      {' '}
                      {t('auf ± {m} genau', { m: meterText(ort.accuracy) })}
                      {stand !== 'da' && ` · ${t('letzter Standort')}`}
                    </span>
                  </span>
                </>
              )}
            </div>
            {nearby.length > 0 && (
              <ul className="feld-nahe" aria-label={t('Nächste Bäume')}>
                {nearby.map((one) => (
                  <NearbyRow key={one.point.kennung} closeBy={one} onChoose={() => show(one.point)} />
                ))}
              </ul>
            )}
            {punkte.length > NEARBY_COUNT && ort !== null && (
              <Button
                variant="quiet"
                className="feld-mehr"
                aria-expanded={mehr}
                onClick={() => setMore(!mehr)}
              >
                {mehr ? t('Weniger zeigen') : t('Mehr Bäume in der Nähe')}
              </Button>
            )}
          </>
        )}
      </section>
    </div>
  )
}
