// The fields of a tree for one-handed use on a phone: large choices first, rare fields folded away. Every
// change is stored on the device.
import { useEffect, useState } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import type { HabitatSpecies } from '#domain/habitat/species.ts'
import type { TreeFormValues, TreeFormField } from '../../record/habitat/habitat-form.ts'
import {
  speciesOptions,
  kindText,
  LEVEL_FIELDS,
  fieldLabel,
  MARKS,
  markName,
  METHODS,
  methodName,
  STATUS,
  statusName,
  STATES,
  stateName,
} from '../../record/habitat/habitat-words.ts'
import { withStructure, structuresOf, structureName } from '../../record/habitat/structures-text.ts'
import { StructurePicker } from '../../record/habitat/StructurePicker.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { LocationPart } from './LocationPart.tsx'
import { fetchTreeViews } from './queue.ts'
import { commonSpecies, commonStructures } from './suggestions.ts'
import { MultiPicker, Picker } from './Picker.tsx'

interface Props {
  form: UseFormReturn<TreeFormValues>
  packet: FieldworkPacket
  neu: boolean
  /** Between place and species, because photos are taken first. */
  fotos?: React.ReactNode
}
const options = <T extends string>(list: readonly T[], name: (value: T) => string) =>
  list.map((value) => ({ value, label: name(value) }))

export function TreeForm({ form, packet, neu, fotos }: Props) {
  const { register, formState, control, setValue, getValues } = form
  const { arten, strukturen } = useSuggestions(packet)
  const [art, zustand, status, markierung, gewaehlt] = useWatch({
    control,
    name: ['art', 'zustand', 'status', 'markierung_art', 'strukturen'],
  })
  const bind = (field: TreeFormField) => ({
    label: fieldLabel(field, packet.ebenen),
    error: formState.errors[field]?.message,
    ...register(field),
  })
  const put = (field: TreeFormField, value: string) =>
    setValue(field, value as never, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: formState.isSubmitted,
    })
  const { label: kawmLabel, error: kawmError, ...kawm } = bind('kawm')
  const rareFault =
    formState.errors.hoehe_m ??
    formState.errors.iSTAND ??
    formState.errors.erfasst_am ??
    formState.errors.erfasser ??
    LEVEL_FIELDS.map((feld) => formState.errors[feld]).find(Boolean)
  return (
    <>
      <LocationPart form={form} packet={packet} automatic={neu && getValues('lat') === ''} />
      {fotos}
      <section className="erf-teil" aria-label={t('Baum')}>
        <Picker<HabitatSpecies>
          label={fieldLabel('art')}
          value={art}
          options={arten.map((code) => ({ value: code, label: kindText(code, null) }))}
          onChange={(value) => put('art', value)}
        />
        <SelectField
          {...bind('art')}
          label={t('Andere Baumart')}
          emptyOption={t('bitte wählen')}
          options={speciesOptions()}
        />
        {art === 'sonstige' && (
          <TextField {...bind('art_text')} required maxLength={100} autoComplete="off" />
        )}
        <div className="erf-zwei">
          <TextField
            {...bind('bhd_cm')}
            unit="cm"
            inputMode="decimal"
            autoComplete="off"
            maxLength={7}
            enterKeyHint="done"
            className="erf-zahl"
          />
          <TextField {...bind('nummer')} maxLength={40} autoComplete="off" enterKeyHint="done" />
        </div>
        <Picker
          label={fieldLabel('zustand')}
          value={zustand}
          options={options(STATES, stateName)}
          error={formState.errors.zustand?.message}
          onChange={(value) => put('zustand', value)}
        />
        <Picker
          label={fieldLabel('status')}
          value={status}
          options={options(STATUS, statusName)}
          error={formState.errors.status?.message}
          onChange={(value) => put('status', value)}
        />
      </section>
      <section className="erf-teil" aria-label={fieldLabel('strukturen')}>
        <MultiPicker
          label={fieldLabel('strukturen')}
          options={strukturen.map((code) => ({ value: code, label: structureName(code) }))}
          gewaehlt={structuresOf(gewaehlt).map(({ code }) => code)}
          onChange={(code, isThere) =>
            put('strukturen', withStructure(getValues('strukturen'), code, isThere))
          }
        />
        <details className="erf-mehrdazu">
          <summary>{t('Alle Strukturen und Anzahl')}</summary>
          <Controller
            control={control}
            name="strukturen"
            render={({ field, fieldState }) => (
              <StructurePicker
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error?.message}
              />
            )}
          />
        </details>
      </section>
      <section className="erf-teil" aria-label={fieldLabel('markierung_art')}>
        <Picker
          label={fieldLabel('markierung_art')}
          value={markierung}
          options={[{ value: '', label: t('nicht markiert') }, ...options(MARKS, markName)]}
          error={formState.errors.markierung_art?.message}
          onChange={(value) => {
            put('markierung_art', value)
            // Marking implies today's date, unless one is set.
            if (value === '') put('markierung_datum', '')
            else if (getValues('markierung_datum') === '') put('markierung_datum', formatDate(today()))
          }}
        />
        {(markierung !== '' || formState.errors.markierung_datum) && (
          <DateField {...bind('markierung_datum')} />
        )}
      </section>
      <section className="erf-teil" aria-label={fieldLabel('bemerkung')}>
        <TextAreaField {...bind('bemerkung')} maxLength={2000} rows={2} />
      </section>
      <details className="erf-teil erf-mehrdazu" open={rareFault !== undefined || undefined}>
        <summary>{t('Weitere Angaben')}</summary>
        <div className="erf-zwei">
          <TextField {...bind('hoehe_m')} unit="m" inputMode="decimal" autoComplete="off" maxLength={6} />
          <TextField {...bind('iSTAND')} inputMode="numeric" autoComplete="off" maxLength={9} />
        </div>
        {LEVEL_FIELDS.map((feld, at) =>
          packet.ebenen[at] === '' && getValues(feld) === '' ? null : (
            <TextField key={feld} {...bind(feld)} maxLength={60} autoComplete="off" />
          ),
        )}
        <SelectField {...bind('lage_methode')} options={options(METHODS, methodName)} />
        <DateField {...bind('erfasst_am')} required />
        <TextField {...bind('erfasser')} maxLength={200} autoComplete="off" />
        <Checkbox label={kawmLabel} {...(kawmError !== undefined && { error: kawmError })} {...kawm} />
      </details>
    </>
  )
}

function useSuggestions({ idHQ }: FieldworkPacket): {
  arten: readonly HabitatSpecies[]
  strukturen: readonly string[]
} {
  const { db, sub } = useFieldwork()
  const [found, setFound] = useState(() => ({ arten: commonSpecies([]), strukturen: commonStructures([]) }))
  useEffect(() => {
    let gone = false
    void fetchTreeViews(db, sub, idHQ).then(
      // Read once, because choices that move under the thumb get mistapped.
      (views) =>
        !gone &&
        views.length > 0 &&
        setFound({ arten: commonSpecies(views), strukturen: commonStructures(views) }),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [db, sub, idHQ])
  return found
}
