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
import { bestandText, kachel, detailsOf } from './packet.ts'
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

export function LocationPicker({ packet, place, onPlace, onClose }: Props) {
  const { db, sub } = useFieldwork()
  const { ort, stand } = usePositioning()
  const { karte, bestaende } = detailsOf(packet)
  const [ebenen, setLayers] = useState<FieldworkLayers | null>(null)
  const handle = useRef<SurfaceHandle | null>(null)
  // A fix at 0/0 or elsewhere outside the country would show an empty sea.
  const [anfang] = useState(
    () => place ?? (ort !== null && isUsable({ ...ort, zeit: ort.am }, ort.am) ? ort : null),
  )
  const texte = useMemo(
    () => new Map(bestaende.map((facts) => [facts.id, bestandText(facts, packet.ebenen)])),
    [bestaende, packet.ebenen],
  )
  useEffect(() => {
    ebenen?.bestaende(packet.umrisse, (id) => texte.get(id) ?? '')
    ebenen?.grund(
      karte && {
        min: karte.min,
        max: karte.max,
        kachel: async (at) => {
          const found = await kachel(db, sub, packet.idHQ, karte.ebene, at)
          return found === undefined ? null : new Blob([found.bytes], { type: found.typ })
        },
      },
    )
    // oxlint-disable-next-line react/exhaustive-deps -- read once when the window opens
  }, [ebenen])
  useEffect(() => ebenen?.ort(ort, stand !== 'da', false), [ebenen, ort, stand])
  const setTo = () => {
    const [x, y] = handle.current?.map.getView().getCenter() ?? []
    if (x === undefined || y === undefined) return
    const [lon, lat] = grad(x, y)
    onPlace({ lon: Math.round(lon * 1e7) / 1e7, lat: Math.round(lat * 1e7) / 1e7 })
  }
  const kasten = useMemo(() => {
    if (anfang === null) return packet.kasten === null ? null : [...packet.kasten]
    const [x, y] = mercator(anfang.lon, anfang.lat)
    return [x - MARGIN, y - MARGIN, x + MARGIN, y + MARGIN]
  }, [anfang, packet.kasten])
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
          make={(ol, target) =>
            ol.makeKarteSurface(target, kasten as [number, number, number, number] | null, { wheel: 'immer' })
          }
          onReady={(made) => {
            handle.current = made
            let layers: FieldworkLayers | null = null
            let gone = false
            void import('./ol-fieldwork.ts').then(({ fieldworkLayers }) => {
              if (gone) return
              layers = fieldworkLayers(made.map, {
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
          }}
        />
        <span className="erf-kreuz" aria-hidden="true" />
      </div>
    </Dialog>
  )
}
