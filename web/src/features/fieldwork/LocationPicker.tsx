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
import type { SurveyLayers } from './ol-survey.ts'
import type { Parts, Snap } from '../../karte/survey-place.ts'
import type { SurveyPoint } from './use-survey-points.ts'

export interface Place {
  readonly lon: number
  readonly lat: number
}
interface Props {
  packet: FieldworkPacket
  /** The current place. */
  place: Place | null
  /** `name`: of the object it was snapped to. */
  onPlace: (place: Place, name?: string) => void
  onClose: () => void
  /** Shows the survey and what is being captured; a place within so many pixels of an object is the object's. */
  survey?: {
    readonly points: readonly SurveyPoint[]
    readonly draft: Parts
    readonly snap: (place: Place, metres: number) => Snap | null
    readonly within: number
  }
}
/** Web Mercator metres shown around a place. */
const MARGIN = 60

/** The layers with the stands and the base map of the pack; null until OpenLayers is loaded. */
function usePickerLayers(packet: FieldworkPacket, survey: Props['survey']) {
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
    let objects: SurveyLayers | null = null
    if (survey !== undefined)
      void import('./ol-survey.ts').then(({ surveyLayers }) => {
        if (gone) return
        objects = surveyLayers(map, () => undefined)
        objects.show(survey.points)
        objects.draft(survey.draft)
      })
    return () => {
      gone = true
      layers?.dispose()
      objects?.dispose()
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

export function LocationPicker({ packet, place, survey, onPlace, onClose }: Props) {
  const addLayers = usePickerLayers(packet, survey)
  const box = useFirstExtent(packet, place)
  const handle = useRef<SurfaceHandle | null>(null)
  const setTo = () => {
    const view = handle.current?.map.getView()
    const [x, y] = view?.getCenter() ?? []
    if (x === undefined || y === undefined) return
    const [lon, lat] = grad(x, y)
    // Web mercator metres are longer than those on the ground.
    const metres = (view?.getResolution() ?? 0) * Math.cos((lat * Math.PI) / 180)
    const found = survey?.snap({ lon, lat }, survey.within * metres)
    if (found) onPlace({ lon: found.lon, lat: found.lat }, found.name)
    else onPlace({ lon: Math.round(lon * 1e7) / 1e7, lat: Math.round(lat * 1e7) / 1e7 })
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
      <p className="soft">
        {survey === undefined
          ? t('Schieben Sie die Karte, bis der Baum unter dem Kreuz liegt.')
          : t(
              'Schieben Sie die Karte, bis die Stelle unter dem Kreuz liegt. Nahe an Vorhandenem gilt dessen Lage.',
            )}
      </p>
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
