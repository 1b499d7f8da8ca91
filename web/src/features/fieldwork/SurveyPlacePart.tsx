// Where a survey object lies: measured at the receiver's position, set on the map, or snapped to what is there. A
// drain is made of such points, one after the other.
import { useRef, useState } from 'react'
import { isMeasured, type MeasuredFix, worstOf } from '#domain/gnss/fix.ts'
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
import { lengthOf, type Parts, SNAP_M, SNAP_PX, snapTo } from '../../karte/survey-place.ts'
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
/** What was known of a drain before the point that is being measured. */
type Before = SurveyState['inputs'] | null
/** What follows from how the place was taken, unless the person says otherwise below. A drain is its worst point. */
function measuredInputs(
  inputs: SurveyState['inputs'],
  mean: Mean | null,
  before: Before,
): SurveyState['inputs'] {
  if (mean === null || before?.['erfq'] === 'Karte')
    return {
      ...inputs,
      vermessen: 'nein',
      erfq: 'Karte',
      genauigkeit_cm: '',
      lage_fix: '',
      genauigkeit_geschaetzt: '',
      datum: formatDate(today()),
    }
  const { accuracy, solution } = mean
  const worst = Math.max(accuracy, Number((before?.['genauigkeit_cm'] ?? '').replace(',', '.')) / 100)
  const fixes = [solution?.type ?? '', ...(before === null ? [] : [before['lage_fix'] ?? ''])].filter(
    isMeasured,
  )
  // One point without it, and nothing can be said of all.
  const fix = fixes.length === (before === null ? 1 : 2) ? (worstOf(fixes) ?? '') : ''
  const estimated = solution?.estimated === true || before?.['genauigkeit_geschaetzt'] === 'ja'
  return {
    ...inputs,
    vermessen: 'ja',
    erfq: fix === 'rtk_fixed' || fix === 'rtk_float' ? 'GNSS/RTK' : 'GNSS',
    genauigkeit_cm: String(Math.round(worst * 1000) / 10).replace('.', ','),
    lage_fix: fix,
    genauigkeit_geschaetzt: solution === null && !estimated ? '' : estimated ? 'ja' : 'nein',
    datum: formatDate(today()),
  }
}

function usePlace({ form: { state, change }, packet, kennung, automatic }: Props) {
  const shapes = useSurveyPoints(packet)
  const [snapping, setSnapping] = useState(true)
  const [snapped, setSnapped] = useState<string | null>(null)
  const [mean, setMean] = useState<Mean | null>(null)
  const isLine = state.tabelle === 'draenage'
  /** Of the point being measured. */
  const slot = useRef<number | null>(null)
  const snap = (place: Degrees, within: number) =>
    snapping ? snapTo(shapes, place, { within, tabelle: state.tabelle, except: kennung }) : null
  /** Of the drain, before the point being measured. */
  const drain = useRef<Before>(null)
  const drainNow = (): Before => (isLine && state.parts.flat().length > 0 ? state.inputs : null)
  const put = (place: Degrees, at: number | null, mean: Mean | null) =>
    change((before) => ({
      ...before,
      parts: isLine ? withPoint(before.parts, place, at) : [[{ lon: place.lon, lat: place.lat }]],
      inputs: measuredInputs(before.inputs, mean, drain.current),
    }))
  const measurement = useMeasurement(automatic, (mean) => {
    const found = snap(mean, SNAP_M)
    setSnapped(found?.name ?? null)
    const at = slot.current
    if (at === null) {
      slot.current = state.parts.at(-1)?.length ?? 0
      drain.current = drainNow()
    }
    setMean(mean)
    put(found ?? mean, at, mean)
  })
  return {
    shapes,
    snapping,
    setSnapping,
    snapped,
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
      setMean(null)
      put(place, null, null)
    },
    undo: () => {
      measurement.stop()
      slot.current = null
      setSnapped(null)
      change((before) => ({ ...before, parts: withoutLast(before.parts) }))
    },
  }
}

export function SurveyPlacePart(props: Props) {
  const { form, packet } = props
  const { parts, inputs } = form.state
  const place = usePlace(props)
  const { measurement, isLine } = place
  const [karte, setKarte] = useState(false)
  const count = parts.flat().length
  const last = parts.at(-1)?.at(-1)
  return (
    <section className="erf-teil" aria-label={t('Lage')} data-fehler="lage">
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
      <Checkbox
        label={
          isLine
            ? t('An Schächte und andere Objekte anlegen (bis {n} m)', { n: SNAP_M })
            : t('An Dränagen anlegen (bis {n} m)', { n: SNAP_M })
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
