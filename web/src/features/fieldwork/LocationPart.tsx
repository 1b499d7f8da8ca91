// The place of a tree in the form: measured automatically, measured again on request, or set on the map.
// Faults are shown right here.
import { degreesText, parseDegrees } from '../../record/habitat/tree-values.ts'
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { isMeasured } from '#domain/gnss/fix.ts'
import { parseNumber } from '#domain/import-values.ts'
import { type TreeFormValues } from '../../record/habitat/habitat-form.ts'
import { methodName } from '../../record/habitat/habitat-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice, Badge } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { accuracyText, fixText } from './accuracy-text.ts'
import { BestandSearch } from './tree-point.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { positioningText } from './gnss.ts'
import { bestandText, detailsOf, type BestandFacts } from './packet.ts'
import { COARSE_M, isOutside, type Mean, receiverTime } from './position.ts'
import { type Measurement, useMeasurement } from './use-measurement.ts'
import { addressValuesOf } from './suggestions.ts'

const LocationPicker = splitOff(async () => (await import('./LocationPicker.tsx')).LocationPicker)

interface Props {
  form: UseFormReturn<TreeFormValues>
  packet: FieldworkPacket
  /** A new tree is measured as soon as its form opens. */
  automatic: boolean
}

export function LocationPart({ form, packet, automatic }: Props) {
  const { place, bestandAt, setTo, fault } = useLocation(form, packet)
  const measurement = useMeasurement(automatic, (mean) => setTo(mean, mean, 'gnss'))
  const [karte, setKarte] = useState(false)
  const isThere = place.ort !== null
  return (
    <section className="erf-teil" aria-label={t('Lage')}>
      <div className="erf-lage">
        <Icon name="target" size={28} />
        <div aria-live="polite">
          {place.ort === null ? (
            <NoPlace measurement={measurement} />
          ) : (
            <PlaceText
              place={place}
              measuring={measurement.measuring}
              bestand={bestandAt(place.ort)}
              packet={packet}
            />
          )}
        </div>
      </div>
      <div className="erf-taten">
        <Button
          icon="target"
          onClick={measurement.start}
          busy={measurement.measuring && measurement.positioning.stand === 'da'}
        >
          {isThere ? t('Neu messen') : t('Messen')}
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
      </div>
      {fault !== undefined && (
        <p className="field-error" role="alert" data-fehler="lat">
          <Icon name="warning" size={15} />
          {isThere
            ? fault
            : t(
                'Ohne Position lässt sich der Baum nicht speichern. Messen Sie, oder setzen Sie ihn auf der Karte.',
              )}
        </p>
      )}
      <Doubts place={place} measuring={measurement.measuring} packet={packet} />
      {karte && (
        <LocationPicker
          packet={packet}
          place={place.ort}
          onPlace={(ort) => {
            setTo(ort, null, 'karte')
            setKarte(false)
          }}
          onClose={() => setKarte(false)}
        />
      )}
    </section>
  )
}

interface Position {
  readonly lon: number
  readonly lat: number
}
/** What the form says about the place. */
interface FormPlace {
  readonly ort: Position | null
  readonly latText: string
  readonly lonText: string
  /** Metres; not a number if something else was typed. */
  readonly accuracy: number | null
  /** The receiver's kind of solution, else the method. */
  readonly how: string
}

/** The place in the form; `setTo` also fills in the address of the stand drawn there. */
function useLocation(form: UseFormReturn<TreeFormValues>, packet: FieldworkPacket) {
  const [latText, lonText, typed, method, fix, estimated] = useWatch({
    control: form.control,
    name: ['lat', 'lon', 'genauigkeit_m', 'lage_methode', 'lage_fix', 'genauigkeit_geschaetzt'],
  })
  const [lat, lon] = [parseDegrees(latText), parseDegrees(lonText)]
  const accuracy = typed === '' ? null : Number(parseNumber(typed) ?? Number.NaN)
  const [suche] = useState(() => new BestandSearch(packet.umrisse))
  const bestandAt = (ort: Position): BestandFacts | undefined => {
    const stand = suche.an(ort)
    return stand === null ? undefined : detailsOf(packet).bestaende.find(({ id }) => id === stand)
  }
  const put = (values: Partial<Record<keyof TreeFormValues, string | boolean>>, validate: boolean) => {
    for (const [field, value] of Object.entries(values))
      form.setValue(field as keyof TreeFormValues, value, { shouldDirty: true, shouldValidate: validate })
  }
  const setTo = (
    ort: Position,
    exact: Pick<Mean, 'accuracy' | 'zeit' | 'solution'> | null,
    how: 'gnss' | 'karte',
  ) => {
    put(
      {
        lat: degreesText(ort.lat),
        lon: degreesText(ort.lon),
        genauigkeit_m: exact === null ? '' : typedAccuracy(exact.accuracy),
        lage_methode: isRtk(exact?.solution?.type) ? 'rtk' : how,
        lage_fix: exact?.solution?.type ?? '',
        genauigkeit_geschaetzt: exact?.solution?.estimated ?? false,
        lage_zeit: exact === null ? '' : receiverTime(exact.zeit),
      },
      true,
    )
    const facts = bestandAt(ort)
    const { touchedFields } = form.formState
    const isTyped = ADDRESS_FIELDS.some((field) => touchedFields[field])
    if (facts !== undefined && !isTyped) put(addressValuesOf(facts), false)
  }
  const { errors } = form.formState
  const place: FormPlace = {
    ort: lat === null || lon === null ? null : { lon, lat },
    latText,
    lonText,
    accuracy,
    how: isMeasured(fix) ? fixText(fix, estimated) : methodName(method as 'gnss'),
  }
  const fault = errors.lat?.message ?? errors.lon?.message ?? errors.genauigkeit_m?.message
  return { place, bestandAt, setTo, fault }
}
const isRtk = (type: string | undefined): boolean => type === 'rtk_fixed' || type === 'rtk_float'
/** The column keeps centimetres: rounded up, so that nothing looks better than it was. */
const typedAccuracy = (metres: number): string =>
  metres < 1 ? formatNumber(Math.ceil(metres * 100) / 100, 2) : formatNumber(metres, 1)
const ADDRESS_FIELDS = ['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05', 'iSTAND'] as const

interface PlaceTextProps {
  place: FormPlace
  measuring: boolean
  bestand: BestandFacts | undefined
  packet: FieldworkPacket
}
function PlaceText({ place, measuring, bestand, packet }: PlaceTextProps) {
  const { latText, lonText, accuracy, how } = place
  return (
    <>
      <strong className="erf-genau nums">
        {accuracy === null || Number.isNaN(accuracy)
          ? how
          : accuracy < 1
            ? `± ${accuracyText(accuracy)}`
            : t('± {m} m', { m: formatNumber(accuracy, 1) })}
      </strong>{' '}
      {measuring ? (
        <Badge tone="info">{t('wird gemessen …')}</Badge>
      ) : (
        accuracy !== null && <span className="soft">{how}</span>
      )}
      <div className="soft nums">
        {latText}° N, {lonText}° O{bestand !== undefined && ` · ${bestandText(bestand, packet.ebenen)}`}
      </div>
    </>
  )
}

function NoPlace({ measurement: { measuring, positioning } }: { measurement: Measurement }) {
  const hint = positioningText(positioning)
  return (
    <>
      <strong>{measuring ? t('Position wird bestimmt …') : t('Noch keine Position')}</strong>
      {hint !== null && <div className="soft">{hint}</div>}
    </>
  )
}

function Doubts({ place: { ort, accuracy }, measuring, packet }: Omit<PlaceTextProps, 'bestand'>) {
  if (ort === null) return null
  return (
    <>
      {!measuring && accuracy !== null && accuracy > COARSE_M && (
        <Notice tone="warning" title={t('Die Position ist ungenau')}>
          {t('Warten Sie einen Augenblick und messen Sie neu, oder setzen Sie den Baum auf der Karte.')}
        </Notice>
      )}
      {isOutside(packet.umrisse, ort, accuracy ?? 0) && (
        <Notice tone="warning" title={t('Außerhalb des gespeicherten Forstbetriebs')}>
          {t('Diese Stelle liegt in keinem Bestand von {name}. Speichern lässt sich der Baum trotzdem.', {
            name: packet.sHQ,
          })}
        </Notice>
      )}
    </>
  )
}
