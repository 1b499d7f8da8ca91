// Sets a tree's place on the saved map: the map moves under a cross, which works with one thumb. Loaded on
// demand.
import { useEffect, useMemo, useRef, useState } from 'react'
import { Surface, type SurfaceHandle } from '../../karte/Surface.tsx'
import { grad, mercator } from '../../karte/mercator.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { usePositioning } from './gnss.ts'
import type { FieldworkLayers } from './ol-fieldwork.ts'
import { bestandText, detailsOf } from './packet.ts'
import { savedMap } from './saved-map.ts'
import { isUsable } from './position.ts'

export interface Place {
  readonly lon: number
  readonly lat: number
}
interface Props {
  packet: FieldworkPacket
  /** The current place. */
  place: Place | null
  onPlace: (place: Place) => void
  onClose: () => void
}
/** Web Mercator metres shown around a place. */
const MARGIN = 60

/** The layers with the stands and the base map of the pack; null until OpenLayers is loaded. */
function usePickerLayers(packet: FieldworkPacket) {
  const { db, sub } = useFieldwork()
  const { ort, stand } = usePositioning()
  const { bestaende } = detailsOf(packet)
  const [levels, setLayers] = useState<FieldworkLayers | null>(null)
  const texts = useMemo(
    () => new Map(bestaende.map((facts) => [facts.id, bestandText(facts, packet.ebenen)])),
    [bestaende, packet.ebenen],
  )
  useEffect(() => {
    levels?.bestaende(packet.umrisse, (id) => texts.get(id) ?? '')
    levels?.grund(savedMap(db, sub, packet))
    // oxlint-disable-next-line react/exhaustive-deps -- read once when the window opens
  }, [levels])
  useEffect(() => levels?.ort(ort, stand !== 'da', false), [levels, ort, stand])
  return ({ map }: SurfaceHandle) => {
    let layers: FieldworkLayers | null = null
    let gone = false
    void import('./ol-fieldwork.ts').then(({ fieldworkLayers }) => {
      if (gone) return
      layers = fieldworkLayers(map, {
        baum: () => undefined,
        dragged: () => undefined,
        viewport: () => undefined,
      })
      setLayers(layers)
    })
    return () => {
      gone = true
      layers?.dispose()
    }
  }
}

/** The extent around the present place; null to show the whole country. */
function useFirstExtent(packet: FieldworkPacket, place: Place | null): Extent | null {
  const { ort } = usePositioning()
  // A fix at 0/0 or elsewhere outside the country would show an empty sea.
  const [start] = useState(
    () => place ?? (ort !== null && isUsable({ ...ort, zeit: ort.am }, ort.am) ? ort : null),
  )
  return useMemo(() => {
    if (start === null) return packet.kasten === null ? null : [...packet.kasten]
    const [x, y] = mercator(start.lon, start.lat)
    return [x - MARGIN, y - MARGIN, x + MARGIN, y + MARGIN]
  }, [start, packet.kasten])
}
type Extent = [west: number, south: number, east: number, north: number]

export function LocationPicker({ packet, place, onPlace, onClose }: Props) {
  const addLayers = usePickerLayers(packet)
  const box = useFirstExtent(packet, place)
  const handle = useRef<SurfaceHandle | null>(null)
  const setTo = () => {
    const [x, y] = handle.current?.map.getView().getCenter() ?? []
    if (x === undefined || y === undefined) return
    const [lon, lat] = grad(x, y)
    onPlace({ lon: Math.round(lon * 1e7) / 1e7, lat: Math.round(lat * 1e7) / 1e7 })
  }
  return (
    <Dialog
      open
      width="wide"
      title={t('Lage auf der Karte')}
      outside={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" icon="target" onClick={setTo} data-autofocus>
            {t('Hierher setzen')}
          </Button>
        </>
      }
    >
      <p className="soft">{t('Schieben Sie die Karte, bis der Baum unter dem Kreuz liegt.')}</p>
      <div className="erf-lagekarte">
        <Surface
          label={t('Karte von {name}', { name: packet.sHQ })}
          hint={t('Die Pfeiltasten schieben die Karte.')}
          make={(ol, target) => ol.makeKarteSurface(target, box, { wheel: 'immer' })}
          onReady={(made) => {
            handle.current = made
            return addLayers(made)
          }}
        />
        <span className="erf-kreuz" aria-hidden="true" />
      </div>
    </Dialog>
  )
}
