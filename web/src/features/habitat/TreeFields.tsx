// Inputs of a tree in groups, used by the forms for an existing and for a new tree.
import type { ClipboardEvent } from 'react'
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form'
import { parseLocation } from '#domain/habitat/location-text.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, FieldGroup, SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { type TreeFormValues, type TreeFormField, degreesText } from '../../record/habitat/habitat-form.ts'
import {
  speciesOptions,
  LEVEL_FIELDS,
  fieldLabel,
  MARKS,
  markName,
  METHODS,
  methodName,
  STATUS,
  statusName,
  LOSSES,
  lossName,
  STATES,
  stateName,
} from '../../record/habitat/habitat-words.ts'
import { StructurePicker } from '../../record/habitat/StructurePicker.tsx'

const LocationField = splitOff(
  async () => (await import('./LocationField.tsx')).LocationField,
  <Skeleton lines={6} />,
)

interface Props {
  form: UseFormReturn<TreeFormValues>
  betrieb: Pick<Betrieb, 'idHQ' | 'ebenen' | 'sHQ'>
  /** A new tree cannot be lost yet. */
  neu?: boolean
}
const options = <T extends string>(list: readonly T[], name: (value: T) => string) =>
  list.map((value) => ({ value, label: name(value) }))

export function TreeFields({ form, betrieb, neu = false }: Props) {
  const { register, formState, control } = form
  const bind = (field: TreeFormField) => ({
    label: fieldLabel(field, betrieb.ebenen),
    error: formState.errors[field]?.message,
    ...register(field),
  })
  const [art, markierung] = useWatch({ control, name: ['art', 'markierung_art'] })
  /** Takes both degrees at once, as copied; metres with a named system are converted. */
  const paste = (event: ClipboardEvent) => {
    const lage = parseLocation(event.clipboardData.getData('text'), 0)
    if (lage === null) return
    event.preventDefault()
    const set = (field: 'lat' | 'lon', grad: number) =>
      form.setValue(field, degreesText(grad), { shouldDirty: true, shouldTouch: true, shouldValidate: true })
    void Promise.all([
      import('./location-metres.ts'),
      import('../../karte/converter.ts').then(({ loadConverter }) => loadConverter()),
    ]).then(
      ([{ placeOf }, convert]) => {
        const ort = placeOf(convert, lage)
        if (ort === null) return toast.error(t('Dieser Ort liegt nicht in Mitteleuropa.'))
        set('lat', ort.lat)
        set('lon', ort.lon)
      },
      () =>
        toast.error(t('Die Umrechnung konnte nicht geladen werden. Bitte geben Sie die Lage in Grad ein.')),
    )
  }
  const { label: kawmLabel, error: kawmError, ...kawm } = bind('kawm')
  return (
    <>
      <FieldGroup title={t('Baum')}>
        <TextField
          {...bind('nummer')}
          maxLength={40}
          autoComplete="off"
          hint={t('Wie sie am Baum steht, zum Beispiel auf der Plakette.')}
        />
        <SelectField {...bind('art')} required emptyOption={t('bitte wählen')} options={speciesOptions()} />
        {art === 'sonstige' && (
          <TextField {...bind('art_text')} required maxLength={100} autoComplete="off" />
        )}
        <TextField
          {...bind('bhd_cm')}
          unit="cm"
          inputMode="decimal"
          autoComplete="off"
          maxLength={7}
          hint={t('Durchmesser in Brusthöhe')}
        />
        <TextField {...bind('hoehe_m')} unit="m" inputMode="decimal" autoComplete="off" maxLength={6} />
        <SelectField {...bind('zustand')} options={options(STATES, stateName)} />
        <SelectField {...bind('status')} options={options(STATUS, statusName)} />
      </FieldGroup>
      <FieldGroup
        title={fieldLabel('strukturen')}
        hint={t('Was der Baum Tieren, Pilzen und Pflanzen bietet. Die Größe in Klammern gilt als Schwelle.')}
      >
        <div className="habitat-breit">
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
        </div>
      </FieldGroup>
      <FieldGroup title={fieldLabel('markierung_art')}>
        <SelectField
          {...bind('markierung_art')}
          emptyOption={t('nicht markiert')}
          options={options(MARKS, markName)}
        />
        {(markierung !== '' || formState.errors.markierung_datum) && (
          <DateField {...bind('markierung_datum')} />
        )}
      </FieldGroup>
      <FieldGroup
        title={t('Lage')}
        hint={t('In Grad (WGS 84), in Metern unter der Karte, oder ein Klick auf die Karte.')}
      >
        <TextField
          {...bind('lat')}
          required
          unit="°N"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          onPaste={paste}
        />
        <TextField
          {...bind('lon')}
          required
          unit="°O"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          onPaste={paste}
        />
        <TextField {...bind('genauigkeit_m')} unit="m" inputMode="decimal" autoComplete="off" maxLength={9} />
        <SelectField {...bind('lage_methode')} options={options(METHODS, methodName)} />
        <div className="habitat-breit">
          <LocationField form={form} betrieb={betrieb} />
        </div>
      </FieldGroup>
      <FieldGroup title={t('Forstliche Adresse')}>
        {LEVEL_FIELDS.map((feld, at) =>
          betrieb.ebenen[at] === '' && form.getValues(feld) === '' ? null : (
            <TextField key={feld} {...bind(feld)} maxLength={60} autoComplete="off" />
          ),
        )}
        <TextField {...bind('iSTAND')} inputMode="numeric" maxLength={9} autoComplete="off" />
      </FieldGroup>
      <FieldGroup title={t('Erfassung')}>
        <DateField {...bind('erfasst_am')} required />
        <TextField {...bind('erfasser')} maxLength={200} autoComplete="off" />
        <div className="habitat-breit">
          <Checkbox label={kawmLabel} {...(kawmError !== undefined && { error: kawmError })} {...kawm} />
        </div>
        <div className="habitat-breit">
          <TextAreaField {...bind('bemerkung')} maxLength={2000} />
        </div>
      </FieldGroup>
      {!neu && (
        <FieldGroup
          title={t('Verlust')}
          hint={t('Ein verlorener Baum bleibt als Nachweis erhalten und zählt nicht mehr.')}
        >
          <SelectField
            {...bind('verlust_grund')}
            emptyOption={t('steht noch')}
            options={options(LOSSES, lossName)}
          />
          <DateField {...bind('verlust_datum')} />
        </FieldGroup>
      )}
    </>
  )
}
