// Inputs of a customer, in groups for various forms.
import type { UseFormReturn } from 'react-hook-form'
import { PLZ_SOURCE } from '#domain/address.ts'
import { BUNDESLAENDER } from '#domain/address-bundesland.ts'
import { Button } from '../../ui/Button.tsx'
import { FieldGroup, SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import './kunde-form.css'
import { type FormField, fieldLabel } from './kunde-fields.ts'
import type { KundeValues } from './kunde-form.ts'
import { SALUTATIONS, EPSG_CODES, epsgName } from './kunde-values.ts'
import { usePlz } from './use-plz.ts'

interface Props {
  form: UseFormReturn<KundeValues>
}
const asOptions = (list: readonly string[]) => list.map((value) => ({ value, label: t(value) }))

/** Props shared by every input of the form. */
function bind({ register, formState }: UseFormReturn<KundeValues>, field: FormField) {
  return { label: fieldLabel(field), error: formState.errors[field]?.message, ...register(field) }
}

export function AddressFields({ form }: Props) {
  const { proposal, misfit, unknown } = usePlz(form)
  const orte = proposal?.orte ?? []
  const take = (ort: string) => form.setValue('ort', ort, { shouldDirty: true, shouldValidate: true })
  return (
    <FieldGroup title={t('Adresse')}>
      <div className="kunde-wide">
        <TextField {...bind(form, 'name')} required maxLength={200} autoComplete="off" />
      </div>
      <div className="kunde-wide">
        <TextField {...bind(form, 'name_zusatz')} maxLength={200} autoComplete="off" />
      </div>
      <div className="kunde-wide">
        <TextField {...bind(form, 'strasse')} required maxLength={200} autoComplete="off" />
      </div>
      <div className="kunde-plz-ort">
        <TextField
          {...bind(form, 'plz')}
          required
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
          hint={unknown ? t('Diese PLZ steht nicht im Verzeichnis. Bitte prüfen.') : undefined}
        />
        <TextField
          {...bind(form, 'ort')}
          required
          maxLength={200}
          autoComplete="off"
          list={orte.length > 1 ? 'kunde-orte' : undefined}
          hint={
            orte.length > 0 && (
              <span className="kunde-plz-hint">
                {misfit ? t('Zu dieser PLZ gehört:') : orte.length > 1 ? t('Orte dieser PLZ:') : null}
                {(misfit || orte.length > 1) &&
                  orte.slice(0, 4).map((ort) => (
                    <Button key={ort} size="small" onClick={() => take(ort)}>
                      {ort}
                    </Button>
                  ))}
                <a href={PLZ_SOURCE.url} target="_blank" rel="noopener noreferrer">
                  {t(PLZ_SOURCE.text)}
                </a>
              </span>
            )
          }
        />
      </div>
      {orte.length > 1 && (
        <datalist id="kunde-orte">
          {orte.map((ort) => (
            <option key={ort} value={ort}>
              {ort}
            </option>
          ))}
        </datalist>
      )}
      <BundeslandField form={form} />
    </FieldGroup>
  )
}

export const BundeslandField = ({ form }: Props) => (
  <SelectField
    {...bind(form, 'bundesland')}
    emptyOption={t('keine Angabe')}
    options={asOptions(BUNDESLAENDER)}
  />
)

export function ContactFields({ form }: Props) {
  return (
    <FieldGroup title={t('Ansprechpartner')}>
      <SelectField
        {...bind(form, 'ap_gender')}
        emptyOption={t('keine Angabe')}
        options={asOptions(SALUTATIONS)}
      />
      <TextField {...bind(form, 'ap_vorname')} maxLength={100} autoComplete="off" />
      <TextField {...bind(form, 'ap_nachname')} maxLength={100} autoComplete="off" />
      <TextField {...bind(form, 'ap_tel')} type="tel" maxLength={40} autoComplete="off" />
    </FieldGroup>
  )
}

export function SettingFields({ form }: Props) {
  return (
    <FieldGroup title={t('Einstellungen')}>
      <div className="kunde-wide">
        <SelectField
          {...bind(form, 'epsg')}
          options={EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) }))}
          hint={t('Beim Speichern werden die Flächen der Forstbetriebe in das neue System umgerechnet.')}
        />
      </div>
    </FieldGroup>
  )
}
