// The place of a tree in the form: measured automatically, measured again on request, or set on the map.
// Faults are shown right here.
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { parseNumber } from '#domain/import-values.ts'
import { type TreeFormValues, degreesText, parseDegrees } from '../../record/habitat/habitat-form.ts'
import { methodName } from '../../record/habitat/habitat-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice, Badge } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { BestandSearch } from './tree-point.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { positioningText } from './gnss.ts'
import { bestandText, detailsOf } from './packet.ts'
import { COARSE_M, isOutside } from './position.ts'
import { useMeasurement } from './use-measurement.ts'
import { addressValuesOf } from './suggestions.ts'

const LocationPicker = splitOff(async () => (await import('./LocationPicker.tsx')).LocationPicker)

interface Props {
  form: UseFormReturn<TreeFormValues>
  packet: FieldworkPacket
  /** A new tree is measured as soon as its form opens. */
  automatic: boolean
}

export function LocationPart({ form, packet, automatic }: Props) {
  const [latText, lonText, accuracyText, method] = useWatch({
    control: form.control,
    name: ['lat', 'lon', 'genauigkeit_m', 'lage_methode'],
  })
  const [lat, lon] = [parseDegrees(latText), parseDegrees(lonText)]
  const accuracy = accuracyText === '' ? null : Number(parseNumber(accuracyText) ?? Number.NaN)
  const [karte, setKarte] = useState(false)
  const [suche] = useState(() => new BestandSearch(packet.umrisse))
  const fault =
    form.formState.errors.lat?.message ??
    form.formState.errors.lon?.message ??
    form.formState.errors.genauigkeit_m?.message

  const setTo = (ort: { lon: number; lat: number }, genau: number | null, how: 'gnss' | 'karte') => {
    const put = (values: Partial<Record<keyof TreeFormValues, string>>, validate: boolean) => {
      for (const [field, value] of Object.entries(values))
        form.setValue(field as keyof TreeFormValues, value, { shouldDirty: true, shouldValidate: validate })
    }
    put(
      {
        lat: degreesText(ort.lat),
        lon: degreesText(ort.lon),
        genauigkeit_m: genau === null ? '' : formatNumber(genau, 1),
        lage_methode: how,
      },
      true,
    )
    // Fill in the stand drawn at this place, unless another address was typed.
    const stand = suche.an(ort)
    const facts = stand === null ? undefined : detailsOf(packet).bestaende.find(({ id }) => id === stand)
    const { touchedFields } = form.formState
    const typed = (['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05', 'iSTAND'] as const).some(
      (field) => touchedFields[field],
    )
    if (facts !== undefined && !typed) put(addressValuesOf(facts), false)
  }
  const measurement = useMeasurement(automatic, (mittel) => setTo(mittel, mittel.accuracy, 'gnss'))
  const isThere = lat !== null && lon !== null
  const bestand = isThere ? suche.an({ lon, lat }) : null
  const facts = bestand === null ? undefined : detailsOf(packet).bestaende.find(({ id }) => id === bestand)
  const hint = positioningText(measurement.positioning)
  return (
    <section className="erf-teil" aria-label={t('Lage')}>
      <div className="erf-lage">
        <Icon name="target" size={28} />
        <div aria-live="polite">
          {isThere ? (
            <>
              <strong className="erf-genau nums">
                {accuracy === null || Number.isNaN(accuracy)
                  ? methodName(method as 'karte')
                  : t('± {m} m', { m: formatNumber(accuracy, 1) })}
              </strong>{' '}
              {measurement.measuring ? (
                <Badge tone="info">{t('wird gemessen …')}</Badge>
              ) : (
                accuracy !== null && <span className="soft">{methodName(method as 'gnss')}</span>
              )}
              <div className="soft nums">
                {latText}° N, {lonText}° O{facts !== undefined && ` · ${bestandText(facts, packet.ebenen)}`}
              </div>
            </>
          ) : (
            <>
              <strong>
                {measurement.measuring ? t('Position wird bestimmt …') : t('Noch keine Position')}
              </strong>
              {hint !== null && <div className="soft">{hint}</div>}
            </>
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
      {isThere && !measurement.measuring && accuracy !== null && accuracy > COARSE_M && (
        <Notice tone="warning" title={t('Die Position ist ungenau')}>
          {t('Warten Sie einen Augenblick und messen Sie neu, oder setzen Sie den Baum auf der Karte.')}
        </Notice>
      )}
      {isThere && isOutside(packet.umrisse, { lon, lat }, accuracy ?? 0) && (
        <Notice tone="warning" title={t('Außerhalb des gespeicherten Forstbetriebs')}>
          {t('Diese Stelle liegt in keinem Bestand von {name}. Speichern lässt sich der Baum trotzdem.', {
            name: packet.sHQ,
          })}
        </Notice>
      )}
      {karte && (
        <LocationPicker
          packet={packet}
          place={isThere ? { lon, lat } : null}
          onPlace={(place) => {
            setTo(place, null, 'karte')
            setKarte(false)
          }}
          onClose={() => setKarte(false)}
        />
      )}
    </section>
  )
}
