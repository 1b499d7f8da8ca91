// Inputs of a headquarters' master data.
import type { UseFormReturn } from 'react-hook-form'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, FieldGrid, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { type HqField, hqLabel } from './hq-fields.ts'
import type { HqValues } from './hq-form.ts'

export function HqFields({ form }: { form: UseFormReturn<HqValues> }) {
  const { register, formState } = form
  const bind = (field: HqField) => ({
    label: hqLabel(field),
    error: formState.errors[field]?.message,
    ...register(field),
  })
  return (
    <div className="stack">
      <TextField {...bind('sHQ')} required maxLength={200} autoComplete="off" />
      <FieldGrid>
        <DateField {...bind('dtFE')} hint={t('Tag, auf den sich die Forsteinrichtung bezieht.')} />
        <TextField
          {...bind('dcFLAEHB')}
          unit="ha"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          hint={t('Betriebsfläche aus der Forsteinrichtung.')}
        />
      </FieldGrid>
      <Checkbox
        label={t('Forstbetrieb ist freigeschaltet')}
        hint={t(
          'Ohne Freischaltung sehen die Personen dieses Forstbetriebs nur, dass er nicht freigeschaltet ist.',
        )}
        error={formState.errors.fb_enabled?.message}
        {...register('fb_enabled')}
      />
    </div>
  )
}
