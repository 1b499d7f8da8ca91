// Map for a tree's place beside its degrees: a click sets it. Loaded with the form that needs it.
import { degreesText, parseDegrees } from '../../record/habitat/tree-values.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormState, useWatch, type UseFormReturn } from 'react-hook-form'
import { parseNumber } from '#domain/import-values.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { t } from '../../ui/text.ts'
import { type TreeFormValues } from '../../record/habitat/habitat-form.ts'
import { outlinesQuery } from './habitat.data.ts'
import { LocationKarte } from './LocationKarte.tsx'
import { LocationMetreFields } from './LocationMetreFields.tsx'

interface Props {
  form: UseFormReturn<TreeFormValues>
  betrieb: Pick<Betrieb, 'idHQ' | 'sHQ'>
}

export function LocationField({ form, betrieb }: Props) {
  const [latText, lonText, accuracy, pending = ''] = useWatch({
    control: form.control,
    name: ['lat', 'lon', 'genauigkeit_m', 'meter'],
  })
  const { errors } = useFormState({ control: form.control, name: 'meter' })
  const [lat, lon] = [parseDegrees(latText), parseDegrees(lonText)]
  const outlines = useQuery(outlinesQuery(betrieb.idHQ)).data
  const [set, setSet] = useState(0)
  // Announced once, not while typing.
  useEffect(() => {
    if (set === 0) return
    const timer = setTimeout(() => setSet(0), 4_000)
    return () => clearTimeout(timer)
  }, [set])
  const put = (field: 'lat' | 'lon' | 'lage_methode' | 'genauigkeit_m', value: string) =>
    form.setValue(field, value, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
  return (
    <>
      <LocationKarte
        label={t('Lage des Baums in {name}', { name: betrieb.sHQ })}
        ort={lat === null || lon === null ? null : { lat, lon }}
        accuracy={Number(parseNumber(accuracy) ?? 0)}
        umrisse={outlines}
        onPlace={({ lat: north, lon: east }) => {
          put('lat', degreesText(north))
          put('lon', degreesText(east))
          put('lage_methode', 'karte')
          put('genauigkeit_m', '')
          setSet(set + 1)
        }}
      />
      <LocationMetreFields
        idHQ={betrieb.idHQ}
        ort={lat === null || lon === null ? null : { lat, lon }}
        onPlace={({ lat: north, lon: east }) => {
          put('lat', degreesText(north))
          put('lon', degreesText(east))
          setSet(set + 1)
        }}
        pending={pending}
        onPending={(fault) =>
          form.setValue('meter', fault, { shouldDirty: true, shouldValidate: fault === '' })
        }
        refused={errors.meter?.message}
      />
      <output className="visually-hidden">{set > 0 && t('Die Lage ist gesetzt.')}</output>
    </>
  )
}
