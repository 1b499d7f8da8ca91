// Where a survey object is: measured at the receiver's position, set on the map, or snapped to what is there.
// A drain is made of such points, one after the other.
import { useRef, useState } from 'react'
import { isMeasured, type MeasuredFix } from '#domain/gnss/fix.ts'
import { type Degrees } from '../../karte/mercator.ts'
import { lengthText } from '../../record/kataster/kataster-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { fixText } from './accuracy-text.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { positioningText } from './gnss.ts'
import type { Mean } from './position.ts'
import { SurveyHeight } from './SurveyHeight.tsx'
import {
  lengthOf,
  type Parts,
  SNAP_M,
  SNAP_PX,
  type Snap,
  snapMeasured,
  snapTo,
} from '../../karte/survey-place.ts'
import { type Quality, qualityOf, qualityOfMean, SET_ON_MAP, worseOf } from './survey-quality.ts'
import { useMeasurement } from './use-measurement.ts'
import type { SurveyFormModel, SurveyState } from './use-survey-form.ts'
import { useSurveyPoints } from './use-survey-points.ts'

const LocationPicker = splitOff(async () => (await import('./LocationPicker.tsx')).LocationPicker)

interface Props {
  form: Pick<SurveyFormModel, 'state' | 'change' | 'faults'>
  packet: FieldworkPacket
  kennung: string
  /** A new point is measured as soon as its form opens. */
  automatic: boolean
}

/** Replaces the point at `at`, or adds one at the end of the last part. */
function withPoint(parts: Parts, place: Degrees, at: number | null): Parts {
  const last = parts.at(-1) ?? []
  const { lon, lat } = place
  const next = at === null ? [...last, { lon, lat }] : last.map((one, nr) => (nr === at ? { lon, lat } : one))
  return [...parts.slice(0, -1), next]
}
export function withoutLast(parts: Parts): Parts {
  const last = parts.at(-1) ?? []
  return [...parts.slice(0, -1), ...(last.length > 1 ? [last.slice(0, -1)] : [])]
}
/** What follows from how the place was taken, unless the person says otherwise below. */
const takenInputs = (
  inputs: SurveyState['inputs'],
  point: Quality,
  before: Quality | null,
): SurveyState['inputs'] => ({
  ...inputs,
  ...(before === null ? point : worseOf(before, point)),
  datum: formatDate(today()),
})

const NOTHING_NEAR = { found: null, beside: null }
function usePlace({ form: { state, change }, packet, kennung, automatic }: Props) {
  const shapes = useSurveyPoints(packet)
  const [snapping, setSnapping] = useState(true)
  const [snapped, setSnapped] = useState<string | null>(null)
  const [mean, setMean] = useState<Mean | null>(null)
  const isLine = state.tabelle === 'draenage'
  /** Of the point being measured. */
  const slot = useRef<number | null>(null)
  /** As near as what it could snap to, but not surveyed. */
  const [beside, setBeside] = useState<Snap | null>(null)
  const snap = (place: Degrees, within: number) =>
    snapping ? snapTo(shapes, place, { within, tabelle: state.tabelle, except: kennung }) : null
  /** Of the drain, before the point being measured. */
  const drain = useRef<Quality | null>(null)
  const drainNow = (): Quality | null =>
    isLine && state.parts.flat().length > 0 ? qualityOf(state.inputs) : null
  const put = (place: Degrees, at: number | null, taken: Quality) =>
    change((before) => ({
      ...before,
      parts: isLine ? withPoint(before.parts, place, at) : [[{ lon: place.lon, lat: place.lat }]],
      inputs: takenInputs(before.inputs, taken, drain.current),
    }))
  const measurement = useMeasurement(automatic, (mean) => {
    const { found, beside } = snapping
      ? snapMeasured(shapes, mean, { tabelle: state.tabelle, except: kennung })
      : NOTHING_NEAR
    setSnapped(found?.name ?? null)
    setBeside(beside)
    const at = slot.current
    if (at === null) {
      slot.current = state.parts.at(-1)?.length ?? 0
      drain.current = drainNow()
    }
    setMean(mean)
    // The other's place is known as well as the other, not as well as this measurement.
    put(found ?? mean, at, found?.of.quality ?? qualityOfMean(mean))
  })
  return {
    shapes,
    snapping,
    setSnapping,
    snapped,
    beside,
    mean,
    isLine,
    snap,
    measurement,
    measure: () => {
      slot.current = null
      measurement.start()
    },
    setOnMap: (place: Degrees, name: string | null) => {
      setSnapped(name)
      setBeside(null)
      setMean(null)
      drain.current = null
      put(place, null, SET_ON_MAP)
    },
    undo: () => {
      measurement.stop()
      slot.current = null
      setSnapped(null)
      setBeside(null)
      change((before) => ({ ...before, parts: withoutLast(before.parts) }))
    },
  }
}

export function SurveyPlacePart(props: Props) {
  const { form, packet } = props
  const { parts } = form.state
  const place = usePlace(props)
  const { measurement, isLine } = place
  const [karte, setKarte] = useState(false)
  const count = parts.flat().length
  const last = parts.at(-1)?.at(-1)
  return (
    <section className="erf-teil" aria-label={t('Lage')} data-fehler="lage">
      <PlaceFigures form={form} place={place} />
      <div className="erf-taten">
        <Button
          icon="target"
          onClick={place.measure}
          busy={measurement.measuring && measurement.positioning.stand === 'da'}
        >
          {isLine ? t('Punkt hier') : count > 0 ? t('Neu messen') : t('Messen')}
        </Button>
        <Button
          icon="map"
          aria-label={t('Auf der Karte')}
          onClick={() => {
            measurement.stop()
            setKarte(true)
          }}
        >
          {t('Karte')}
        </Button>
        {isLine && (
          <Button icon="undo" disabled={count === 0} onClick={place.undo}>
            {t('Letzten Punkt zurück')}
          </Button>
        )}
      </div>
      {place.snapped !== null && place.mean !== null && (
        <p className="soft">
          {t('Lage und Genauigkeit sind die von {name}, nicht die der Messung.', { name: place.snapped })}
        </p>
      )}
      {place.beside !== null && (
        <p className="soft nums">
          {t('{name} liegt {m} m daneben, ist aber nicht vermessen. Es gilt die gemessene Stelle.', {
            name: place.beside.name,
            m: formatNumber(place.beside.meter, 2),
          })}
        </p>
      )}
      <Checkbox
        label={
          isLine
            ? t('An Schächte und andere Objekte anlegen (höchstens {n} m)', { n: SNAP_M })
            : t('An Dränagen anlegen (höchstens {n} m)', { n: SNAP_M })
        }
        checked={place.snapping}
        onChange={(event) => place.setSnapping(event.target.checked)}
      />
      {place.mean?.solution && <SurveyHeight form={form} solution={place.mean.solution} />}
      {form.faults['lage'] !== undefined && (
        <p className="field-error" role="alert">
          <Icon name="warning" size={15} />
          {form.faults['lage']}
        </p>
      )}
      {karte && (
        <LocationPicker
          packet={packet}
          place={last ?? null}
          survey={{ points: place.shapes, draft: parts, snap: place.snap, within: SNAP_PX }}
          onPlace={(ort, name) => {
            place.setOnMap(ort, name ?? null)
            setKarte(false)
          }}
          onClose={() => setKarte(false)}
        />
      )}
    </section>
  )
}

/** What is known of the place: how exact it is, how it was found, and where. */
function PlaceFigures({ form, place }: Pick<Props, 'form'> & { place: ReturnType<typeof usePlace> }) {
  const { parts, inputs } = form.state
  const { measurement, isLine } = place
  const count = parts.flat().length
  const last = parts.at(-1)?.at(-1)
  return (
    <div className="erf-lage">
      <Icon name="target" size={28} />
      <div aria-live="polite">
        <strong className="erf-genau nums">
          {count === 0
            ? measurement.measuring
              ? t('Position wird bestimmt …')
              : t('Noch keine Position')
            : isLine && count === 1
              ? t('1 Punkt')
              : isLine
                ? t('{n} Punkte, {length}', { n: count, length: lengthText(lengthOf(parts)) })
                : inputs['genauigkeit_cm']
                  ? t('± {m} cm', { m: inputs['genauigkeit_cm'] })
                  : t('auf der Karte gesetzt')}
        </strong>{' '}
        {measurement.measuring && <Badge tone="info">{t('wird gemessen …')}</Badge>}{' '}
        {isMeasured(inputs['lage_fix'] ?? '') && (
          <Badge>
            {fixText(inputs['lage_fix'] as MeasuredFix, inputs['genauigkeit_geschaetzt'] === 'ja')}
          </Badge>
        )}
        {place.snapped !== null && <Badge tone="success">{t('an {name}', { name: place.snapped })}</Badge>}
        <div className="soft nums">
          {last === undefined
            ? positioningText(measurement.positioning)
            : t('{lat}° N, {lon}° O', { lat: formatNumber(last.lat, 7), lon: formatNumber(last.lon, 7) })}
        </div>
      </div>
    </div>
  )
}
